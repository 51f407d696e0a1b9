// Rounds with a player who counts, on a GPU: one thread plays one stream, with the same cards, counts and wagers as the
// kernel for the CPU (`counter.py`), so that the sums are the same number for number. Comes after `cards.cu`.
//
// A round of one spot that is neither split nor insured, and without a side bet, is one count of a histogram by the
// count before the round and the result; all others are added to sums. Compiled for one game and one counter by macros;
// see `counter_flat.py` for the tables and the order of nodes:
//
//   [0, ENDS) the place of a row in `next` · [ENDS, SETTLED) a hand has ended and waits for the dealer · [SETTLED,
//   FINAL) a hand has ended, whatever the dealer has · [FINAL, DECIDES) the dealer's final · [DECIDES, …) the count
//   decides · SPLIT

enum { FINALS = 8, UPS = 10, BLACKJACK = 6, RESULTS = RESULT_KINDS + 1 };
enum { SHOES, RAN_OUT };
enum { PLAYED, WON, WON_SQUARED, STAKED, MONEY, MONEY_SQUARED, INSURED, SUMS };
enum { FLOOR, NEAREST, TRUNCATE };

struct Tables {
    const u16 *next, *deal, *dealer_first;
    const u8 *result;
    const int *tags;
    const double *inverse;
    const u8 *value_of, *cards;
    const u16 *others_deal, *split_deal, *decided;
    const u8 *looked, *insurable, *row_of;
    const int *pay, *stake, *ramp;
    const u8 *card_of, *lines_of_three, *third_is_hole, *lines_of_four;
    const int *side_from;
    const s64 *side_nets, *insurance;
    const short *machine_start, *machine_take;
    const u8 *machine_line;
    int cut, rounds_per_shoe, burn, start, enter, leave, insure_from, parts, cover;
};

__device__ __forceinline__ int word_at(u32 address) {
    int value;
    asm volatile("ld.shared.s32 %0, [%1];" : "=r"(value) : "r"(address));
    return value;
}
__device__ __forceinline__ double double_at(u32 address) {
    double value;
    asm volatile("ld.shared.f64 %0, [%1];" : "=d"(value) : "r"(address));
    return value;
}

// The place of a count among the bins, rounded at every step as on the CPU.
__device__ __forceinline__ int place_of_count(int running, double inverse) {
    int count;
    if (ROUNDING == TRUNCATE && running < 0)
        count = -__double2int_rd(__dmul_rn(0.25 - running, inverse));
    else if (ROUNDING == NEAREST)
        count = __double2int_rd(__dadd_rn(__dmul_rn(running + 0.25, inverse), 0.5));
    else
        count = __double2int_rd(__dmul_rn(running + 0.25, inverse));
    return min(max(count, LOWEST), HIGHEST) - LOWEST;
}

#define INVERSE(unseen) double_at(inverse_at + 8 * (unseen))
#define TAG(kind) word_at(tags_at + 4 * (kind))

// The count in the middle of a round: the burned cards and the hole card are hidden. Once the discards are dealt again,
// only the cards on the table are known to be gone.
#define PLACE_NOW                                                                                 \
    (end == CARDS ? place_of_count(running, INVERSE(CARDS - place + given.burn + 1))              \
                  : place_of_count(running - before + given.start, INVERSE(end - place + 1)))

#define DRAW(node)                                        \
    while (node < ENDS) {                                 \
        u32 kind;                                         \
        TAKE_KIND(kind)                                   \
        running += TAG(kind);                             \
        node = short_at(next_at + 2 * (node + kind));     \
    }

// Take cards until the hand has ended or is split.
#if DECISIONS
#define FOLLOW(node)                                                                              \
    while (true) {                                                                                \
        DRAW(node)                                                                                \
        if (node < DECIDES || node == SPLIT) break;                                               \
        node = given.decided[(node - DECIDES) * BANDS + given.row_of[PLACE_NOW]];                 \
    }
#else
#define FOLLOW(node) DRAW(node)
#endif

#define TAKE_SEEN(kind)      \
    {                        \
        TAKE_KIND(kind)      \
        running += TAG(kind); \
    }

extern "C" __global__ void __launch_bounds__(THREADS, 1) count_rounds(
    Tables given, u64 key, s64 first_stream, s64 streams, int rounds_each, int rounds_last,
    u64 *histogram, u64 *sums, u64 *counters, u64 *side_lines) {
    extern __shared__ u64 shared[];
    u64 *added = shared;                                  // [place of the count, what]
    double *inverse = (double *)(added + BINS * SUMS);    // [cards not seen]
    u32 *reached = (u32 *)(inverse + CARDS + 2);          // [place of the count, result]; the last: sat out
    u32 *lines = reached + BINS * RESULTS;                // [side bet, line]
    int *tags = (int *)(lines + SIDES * LINES);
    u16 *next = (u16 *)(tags + 32);
    u16 *deal = next + ROWS * KINDS;
    u16 *dealer_first = deal + KINDS * KINDS * UPS;
    u8 *result = (u8 *)(dealer_first + UPS * KINDS);      // [end, dealer's final]
    u8 *value_of = result + HAND_ENDS * FINALS;
    for (int i = threadIdx.x; i < BINS * SUMS; i += THREADS) added[i] = 0;
    for (int i = threadIdx.x; i < (int)((u32 *)tags - reached); i += THREADS) reached[i] = 0;
    for (int i = threadIdx.x; i < CARDS + 2; i += THREADS) inverse[i] = given.inverse[i];
    for (int i = threadIdx.x; i < KINDS; i += THREADS) tags[i] = given.tags[i], value_of[i] = given.value_of[i];
    for (int i = threadIdx.x; i < ROWS * KINDS; i += THREADS) next[i] = given.next[i];
    for (int i = threadIdx.x; i < KINDS * KINDS * UPS; i += THREADS) deal[i] = given.deal[i];
    for (int i = threadIdx.x; i < UPS * KINDS; i += THREADS) dealer_first[i] = given.dealer_first[i];
    for (int i = threadIdx.x; i < HAND_ENDS * FINALS; i += THREADS) result[i] = given.result[i];
    u32 base = (u32)__cvta_generic_to_shared(shared);
    asm volatile("mov.b32 %0, %0;" : "+r"(base));  // kept, not worked out again at every access
#define ADDRESS(array) (base + (u32)((u8 *)(array) - (u8 *)shared))
    const u32 inverse_at = ADDRESS(inverse), reached_at = ADDRESS(reached), tags_at = ADDRESS(tags);
    const u32 next_at = ADDRESS(next), deal_at = ADDRESS(deal), dealer_at = ADDRESS(dealer_first);
    const u32 result_at = ADDRESS(result), value_at = ADDRESS(value_of);
    const u32 shoe_at = (ADDRESS(value_of + 32) + 3 & ~3u) + threadIdx.x * 4;
    __syncthreads();

    u32 begun = 0;
    for (s64 index = (s64)blockIdx.x * THREADS + threadIdx.x; index < streams; index += (s64)gridDim.x * THREADS) {
        Stream stream;
        stream.seed(key, (u64)(first_stream + index));
        for (int i = 0; i < CARDS; i++) put_byte(AT(i), given.cards[i]);
        int place = 0, end = CARDS, begin = 0, served = 0, running = 0;
        [[maybe_unused]] int last = 0;  // the last wager in this shoe
        bool seated = false;
        for (int rounds = index == streams - 1 ? rounds_last : rounds_each; rounds > 0; rounds--) {
            if (served == 0 || end != CARDS || place >= given.cut || served >= given.rounds_per_shoe) {
                begun++;
                begin = place = served = 0;
                last = 0;
                end = CARDS;
                BURN
                running = given.start;
                seated = false;
            }
            begin = place;
            served++;
            [[maybe_unused]] const int before = running;
            const int bin = place_of_count(running, INVERSE(CARDS - place + given.burn));
            const int count = bin + LOWEST;
            seated = count >= (seated ? given.leave : given.enter);
            const int here = OTHERS + (seated ? SPOTS : 0);
            int wager = 0;
#if COVERS
            if (seated) {
                wager = given.ramp[bin];
                if (last) wager = min(max(wager, (last + given.cover - 1) / given.cover), last * given.cover);
            }
            last = wager;
#endif
            u64 firsts = 0, seconds = 0;  // codes of each spot's cards, 8 bits a spot
            for (int spot = 0; spot < here; spot++) {
                u32 code;
                TAKE(code)
                running += TAG(code & KIND);
                firsts |= (u64)code << (8 * spot);
            }
            u32 up_code, hole;
            TAKE(up_code)
            running += TAG(up_code & KIND);
            for (int spot = 0; spot < here; spot++) {
                u32 code;
                TAKE(code)
                running += TAG(code & KIND);
                seconds |= (u64)code << (8 * spot);
            }
            TAKE(hole)
            const u32 up = byte_at(value_at + (up_code & KIND));
            u32 dealer = short_at(dealer_at + 2 * (up * KINDS + (hole & KIND)));
            const bool blackjack = dealer == FINAL + BLACKJACK;
            bool plain = SPOTS == 1 && !COVERS;
            s64 won = 0, side_money = 0;
#if SIDES
            if (seated && count >= given.side_from[SIDES]) {
                const int one = given.card_of[firsts >> (8 * OTHERS) & 255];
                const int two = given.card_of[seconds >> (8 * OTHERS) & 255];
                const int up_card = given.card_of[up_code], hole_card = given.card_of[hole];
                for (int bet = 0; bet < SIDES; bet++) {
                    if (count < given.side_from[bet]) continue;
                    int line;
                    if (bet < SIDES_OF_THREE) {
                        const int third = given.third_is_hole[bet] ? hole_card : up_card;
                        line = given.lines_of_three[((bet * 52 + one) * 52 + two) * 52 + third];
#if SIDES_OF_FOUR
                    } else if (bet < SIDES_OF_THREE + SIDES_OF_FOUR) {
                        const int four = place_of_four(one, two, up_card, hole_card);
                        line = given.lines_of_four[(bet - SIDES_OF_THREE) * 341055 + four];
#endif
                    } else {  // by a machine, card by card
                        int state = given.machine_start[((bet - SIDES_OF_THREE - SIDES_OF_FOUR) * 52 + one) * 52 + two];
                        state = given.machine_take[(state * MACHINE_PLACES + UP_PLACE) * 52 + up_card];
                        state = given.machine_take[(state * MACHINE_PLACES + HOLE_PLACE) * 52 + hole_card];
                        line = given.machine_line[state];
                    }
                    atomicAdd(&lines[bet * LINES + line], 1u);
                    side_money += given.side_nets[bet * LINES + line];
                }
                plain = false;
            }
#endif
            bool insured = false;
#if INSURES
            if (up == 0 && seated && PLACE_NOW + LOWEST >= given.insure_from) {
                for (int spot = OTHERS; spot < here; spot++) {
                    const u32 first = (u32)(firsts >> (8 * spot)) & KIND, second = (u32)(seconds >> (8 * spot)) & KIND;
                    if (given.insurable[first * KINDS + second]) {
                        insured = true;
                        won += given.insurance[up_code / SUIT * CODES + hole];
                    }
                }
                plain = plain && !insured;
            }
#endif
            u32 ends[SPOTS], hands_of = 0;  // ends of the counter's hands, 8 bits each; how many, 4 bits a spot
            bool needed = false;
            for (int spot = 0; spot < here; spot++) {
                u32 first = (u32)(firsts >> (8 * spot)) & KIND, second = (u32)(seconds >> (8 * spot)) & KIND;
                u32 played = 0, ends_here = 0;
                if (blackjack) {
                    ends_here = given.looked[first * KINDS + second];
                    played = 1;
                } else {
                    const bool counts = spot >= OTHERS;
                    u32 node = counts ? short_at(deal_at + 2 * ((first * KINDS + second) * UPS + up))
                                      : given.others_deal[(first * KINDS + second) * UPS + up];
                    u32 hands = 1, waiting = 0;
                    u64 wait_cards = 0;  // first and second card of each hand that waits, 16 bits a hand
                    while (true) {
                        FOLLOW(node)
                        while (node == SPLIT) {  // both hands get their second cards; the right one waits
                            u32 left, right;
                            TAKE_SEEN(left)
                            TAKE_SEEN(right)
                            hands++;
                            wait_cards |= (u64)(second << 8 | right) << (16 * waiting++);
                            second = left;
                            node = given.split_deal[(((counts * 2 + (hands < MAX_HANDS)) * KINDS + first) * KINDS + second) * UPS + up];
                            FOLLOW(node)
                        }
                        ends_here |= (node - ENDS) << (8 * played++);
                        needed |= node < SETTLED;
                        if (!waiting) break;
                        const u32 hand = (u32)(wait_cards >> (16 * --waiting)) & 0xFFFF;
                        wait_cards &= (1ULL << (16 * waiting)) - 1;
                        first = hand >> 8;
                        second = hand & KIND;
                        node = given.split_deal[(((counts * 2 + (hands < MAX_HANDS)) * KINDS + first) * KINDS + second) * UPS + up];
                    }
                }
                if (spot >= OTHERS) {
                    ends[spot - OTHERS] = ends_here;
                    hands_of |= played << (4 * (spot - OTHERS));
                }
            }
            running += TAG(hole & KIND);
            if (needed) {
                DRAW(dealer)
            }
            if (!seated) {
                count_at(reached_at + 4 * (bin * RESULTS + RESULT_KINDS));
                continue;
            }
            const u32 final = dealer < FINAL ? 0 : dealer - FINAL;  // a dealer's hand that nobody waits for has none
            if (plain && hands_of == 1) {
                count_at(reached_at + 4 * (bin * RESULTS + byte_at(result_at + ends[0] * FINALS + final)));
                continue;
            }
            s64 units = 0, staked = 0;
            for (int spot = 0; spot < SPOTS; spot++)
                for (u32 hand = 0; hand < (hands_of >> (4 * spot) & 15); hand++) {
                    const u32 which = ends[spot] >> (8 * hand) & 255;
                    units += given.pay[which * FINALS + final];
                    staked += given.stake[which];
                }
#if !COVERS
            wager = given.ramp[bin];
#endif
            won += units * given.parts;
            const s64 money = wager * won + side_money;
            u64 *at = added + bin * SUMS;
            atomicAdd(at + PLAYED, 1ULL);
            atomicAdd(at + WON, (u64)won);
            atomicAdd(at + WON_SQUARED, (u64)(won * won));
            atomicAdd(at + STAKED, (u64)(wager * staked));
            atomicAdd(at + MONEY, (u64)money);
            atomicAdd(at + MONEY_SQUARED, (u64)(money * money));
            if (insured) atomicAdd(at + INSURED, 1ULL);
        }
    }
    atomicAdd(&counters[SHOES], (u64)begun);
    __syncthreads();
    for (int i = threadIdx.x; i < BINS * RESULTS; i += THREADS)
        if (reached[i]) atomicAdd(&histogram[i], (u64)reached[i]);
    for (int i = threadIdx.x; i < BINS * SUMS; i += THREADS)
        if (added[i]) atomicAdd(&sums[i], added[i]);
    for (int i = threadIdx.x; i < SIDES * LINES; i += THREADS)
        if (lines[i]) atomicAdd(&side_lines[i], (u64)lines[i]);
}
