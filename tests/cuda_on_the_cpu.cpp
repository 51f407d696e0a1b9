// A device of fibers: one block after another, each thread of a block on a stack of its own. A thread runs until it
// waits for its warp or its block, or has been at the shared memory a number of times. So threads are in the middle of
// their work together, and whoever is waited for comes to that place or is found never to come.

#include <ucontext.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

struct Place { int x; };
extern "C" {
Place blockIdx, threadIdx, blockDim, gridDim;
}

namespace {
enum State { RUNS, AT_BALLOT, AT_BARRIER, OVER };
enum { WARP = 32, STACK = 1 << 16, TURN = 509, FIRST_ADDRESS = 1024, GARBAGE = 0xA5, GUARD = 64 };

struct Thread {
    ucontext_t context;
    State state;
    unsigned vote;
    std::unique_ptr<char[]> stack{new char[STACK]};
};
std::vector<Thread> threads;
ucontext_t scheduler;
void (*kernel)(void **);
void **arguments;
unsigned char *shared_memory;
unsigned shared_size, accesses;
char failure[200];

void wait(State state) {
    Thread &self = threads[threadIdx.x];
    self.state = state;
    swapcontext(&self.context, &scheduler);
}

void fail(const char *why) {
    if (!failure[0]) std::snprintf(failure, sizeof failure, "block %d, thread %d: %s", blockIdx.x, threadIdx.x, why);
    wait(OVER);
}

void enter() {
    kernel(arguments);
    wait(OVER);
}

void go_on(int first, int count, State from) {
    for (int i = first; i < first + count; i++)
        if (threads[i].state != from) return;
    unsigned votes = 0;
    for (int i = 0; i < count && from == AT_BALLOT; i++) votes |= threads[first + i].vote << i;
    for (int i = first; i < first + count; i++) threads[i].vote = votes, threads[i].state = RUNS;
}

bool run_block() {
    const int count = blockDim.x;
    for (Thread &thread : threads) {
        getcontext(&thread.context);
        thread.context.uc_stack.ss_sp = thread.stack.get();
        thread.context.uc_stack.ss_size = STACK;
        thread.context.uc_link = nullptr;
        makecontext(&thread.context, enter, 0);
        thread.state = RUNS;
    }
    while (true) {
        bool ran = false, all_over = true;
        for (int i = 0; i < count; i++) {
            if (threads[i].state == RUNS) {
                threadIdx.x = i;
                swapcontext(&scheduler, &threads[i].context);
                ran = true;
                if (failure[0]) return false;
            }
            all_over = all_over && threads[i].state == OVER;
        }
        if (all_over) return true;
        if (!ran) {
            std::snprintf(failure, sizeof failure, "block %d: some wait for threads that never come", blockIdx.x);
            return false;
        }
        for (int first = 0; first < count; first += WARP) go_on(first, WARP, AT_BALLOT);
        go_on(0, count, AT_BARRIER);
    }
}
}  // namespace

extern "C" void __syncthreads() { wait(AT_BARRIER); }

extern "C" unsigned __ballot_sync(unsigned mask, int vote) {
    if (mask != ~0u) fail("a ballot of a part of a warp is not known here");
    threads[threadIdx.x].vote = vote != 0;
    wait(AT_BALLOT);
    return threads[threadIdx.x].vote;
}

extern "C" unsigned long long __cvta_generic_to_shared(const void *pointer) {
    return FIRST_ADDRESS + ((const unsigned char *)pointer - shared_memory);
}

extern "C" void *shared_bytes_at(unsigned address, unsigned size) {
    if (address < FIRST_ADDRESS || address - FIRST_ADDRESS + size > shared_size) fail("outside of the shared memory");
    if (address % size) fail("shared memory at an odd address");
    if (++accesses % TURN == 0) wait(RUNS);
    return shared_memory + (address - FIRST_ADDRESS);
}

// Null, or why a launch failed. `shared` has room for `size` bytes and the guard behind them.
extern "C" const char *launch(void (*called)(void **), void **given, int blocks, int count, void *shared, int size) {
    kernel = called;
    arguments = given;
    shared_memory = (unsigned char *)shared;
    shared_size = size;
    accesses = 0;
    failure[0] = 0;
    gridDim.x = blocks;
    blockDim.x = count;
    threads.resize(count);
    if (count % WARP) return "a block is whole warps here";
    for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++) {
        if (size) std::memset(shared_memory, GARBAGE, size + GUARD);
        if (!run_block()) return failure;
        for (int i = size; size && i < size + GUARD; i++)
            if (shared_memory[i] != GARBAGE) return "something was written behind the shared memory";
    }
    return nullptr;
}
