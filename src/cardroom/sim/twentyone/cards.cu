// Cards on a GPU, for every kernel of the blackjack family: random words, and a shoe of each thread's own.
//
// The text of this file is put before the text of a kernel, which says CARDS, INFINITE, THREADS, SIDES_OF_THREE and
// SIDES_OF_FOUR by macros, and has `place`, `end`, `begin` and a `stream` where it takes cards.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long s64;

enum { KIND = 0x1F, SUIT = 0x20, SUITS = 4, CODES = SUITS * SUIT };  // a card is its kind and its suit above that

// Shared memory by 32-bit address.
__device__ __forceinline__ u32 byte_at(u32 address) {
    u32 value;
    asm volatile("ld.shared.u8 %0, [%1];" : "=r"(value) : "r"(address));
    return value;
}
__device__ __forceinline__ u32 short_at(u32 address) {
    u32 value;
    asm volatile("ld.shared.u16 %0, [%1];" : "=r"(value) : "r"(address));
    return value;
}
__device__ __forceinline__ void put_byte(u32 address, u32 value) {
    asm volatile("st.shared.u8 [%0], %1;" ::"r"(address), "r"(value));
}
__device__ __forceinline__ void count_at(u32 address) {
    asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(address));
}

__device__ __forceinline__ u32 rotate(u32 word, int bits) { return __funnelshift_l(word, word, bits); }

struct Stream {
    u32 a, b, c, d;

    __device__ void seed(u64 key, u64 stream) {
        u64 words[2];
        for (int half = 0; half < 2; half++) {
            u64 x = key + 0x9E3779B97F4A7C15ULL * (2 * stream + half + 1);
            x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
            x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
            words[half] = x ^ (x >> 31);
        }
        a = (u32)words[0];
        b = (u32)(words[0] >> 32);
        c = (u32)words[1];
        d = (u32)(words[1] >> 32);
    }

    __device__ __forceinline__ u32 next() {  // xoshiro128++
        u32 word = rotate(a + d, 7) + a, shifted = b << 9;
        c ^= a;
        d ^= b;
        b ^= c;
        a ^= d;
        c ^= shifted;
        d = rotate(d, 11);
        return word;
    }
};

#if SIDES_OF_THREE + SIDES_OF_FOUR
__device__ int place_of_four(int a, int b, int c, int d) {
    int low = min(a, b), x = max(a, b), y = min(c, d), high = max(c, d), t;
    t = min(low, y); y = max(low, y); low = t;
    t = min(x, high); high = max(x, high); x = t;
    t = min(x, y); y = max(x, y); x = t;
    x += 1; y += 2; high += 3;
    return low + x * (x - 1) / 2 + y * (y - 1) * (y - 2) / 6 + (int)((s64)high * (high - 1) * (high - 2) * (high - 3) / 24);
}
#endif

#if INFINITE
#define TAKE(card) card = byte_at(cards_at + __umulhi(stream.next(), (u32)CARDS));
#define TAKE_KIND(kind) kind = byte_at(cards_at + CARDS + __umulhi(stream.next(), (u32)CARDS));
#else
// A thread's shoe: four cards to a word, words of neighbouring threads side by side, so that no two threads of a
// warp ever want the same bank. When it runs out, its discards are dealt on from (21-1.13).
#define AT(place) (shoe_at + ((place) >> 2) * (THREADS * 4) + ((place) & 3))
#define TAKE(card)                                                              \
    {                                                                           \
        if (place == end) {                                                     \
            if (begin == 0) atomicAdd(&counters[RAN_OUT], 1ULL), begin = CARDS; \
            end = begin;                                                        \
            begin = place = 0;                                                  \
        }                                                                       \
        int there = place + (int)__umulhi(stream.next(), (u32)(end - place));   \
        card = byte_at(AT(there));                                              \
        put_byte(AT(there), byte_at(AT(place)));                                \
        put_byte(AT(place), card);                                              \
        place++;                                                                \
    }
#define TAKE_KIND(kind) \
    {                   \
        TAKE(kind)      \
        kind &= KIND;   \
    }
#define BURN                                   \
    for (int i = 0; i < given.burn; i++) {     \
        u32 burned;                            \
        TAKE(burned)                           \
    }
#endif
