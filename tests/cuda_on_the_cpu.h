// What CUDA has and C++ has not, for a kernel that is compiled for the processor: stands before its text.
// No header is included, so that a kernel's macros meet no other names.

#define __device__
#define __global__
#define __shared__
#define __forceinline__ inline
#define __launch_bounds__(...)

// Of the device (`cuda_on_the_cpu.cpp`): where the running thread is, and what it waits for.
struct Place { int x; };
extern "C" Place blockIdx, threadIdx, blockDim, gridDim;
extern "C" void __syncthreads();
extern "C" unsigned __ballot_sync(unsigned mask, int vote);
extern "C" unsigned long long __cvta_generic_to_shared(const void *pointer);
extern "C" void *shared_bytes_at(unsigned address, unsigned size);

template <class T> static inline T &shared_at(unsigned address) { return *(T *)shared_bytes_at(address, sizeof(T)); }
template <class T> static inline T atomicAdd(T *at, T value) {
    T before = *at;
    *at += value;
    return before;
}
static inline void atomicMin(int *at, int value) { if (value < *at) *at = value; }
static inline int min(int a, int b) { return a < b ? a : b; }
static inline int max(int a, int b) { return a > b ? a : b; }
static inline int __popc(unsigned word) { return __builtin_popcount(word); }
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((1ULL * a * b) >> 32); }
static inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned bits) {
    bits &= 31;
    return bits ? high << bits | low >> (32 - bits) : high;
}
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline int __double2int_rd(double number) { return (int)__builtin_floor(number); }

// A kernel called with the addresses of its arguments, as CUDA's driver is handed them.
template <class... Arguments> struct Called {
    Called(void (*kernel)(Arguments...), Arguments... arguments) { kernel(arguments...); }
};
template <class... Arguments> static inline void call(void (*kernel)(Arguments...), void **given) {
    int at = 0;
    Called<Arguments...>{kernel, *(Arguments *)given[at++]...};  // in braces: from the first to the last
}
template <class... Arguments> static inline int takes(void (*)(Arguments...), const int *sizes, int count) {
    const int wanted[] = {(int)sizeof(Arguments)...};
    bool same = count == sizeof...(Arguments);
    for (int at = 0; same && at < count; at++) same = wanted[at] == sizes[at];
    return same;
}
