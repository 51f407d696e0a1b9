// Rounds with several counters at one table, or with one who keeps more than one count, on a GPU: one thread plays one
// stream, with the same cards, counts and wagers as the kernel for the CPU (`team.py`), so that the sums are the same
// number for number. Comes after `counted_round.cu`.
//
// All see the same cards, so a thread has a running total for each different count. Loops over totals, counts and
// counters are unrolled, so that what is known of each is in a register. A round of a counter on one spot that is
// neither split nor insured, and without a side bet or cover, is one count of a histogram by the count before the round
// and the result; all others are added to sums. Compiled for one game and its counters by macros; those with several
// values, defined before this text, are lists: SPOTS_OF, WAGER_BY, INSURE_BY and SIDE_BY of each counter, TOTAL_OF, OF_SUITS, ROUNDING_OF and
// INVERSE_OF of each count. See `team_flat.py` for the tables.

struct Tables {
    const u16 *next, *deal, *dealer_first;
    const u8 *result;
    const int *tags;
    const double *inverse;
    const u8 *value_of, *cards;
    const u16 *split_deal, *decided;
    const u8 *looked, *insurable, *row_of, *column_of;
    const int *pay, *stake, *ramp;
    const u8 *card_of, *lines_of_three, *third_is_hole, *lines_of_four;
    const int *side_from;
    const s64 *side_nets, *insurance;
    const short *machine_start, *machine_take;
    const u8 *machine_line;
    int cut, rounds_per_shoe, burn, parts;
    int starts[TOTALS], enter[COUNTERS], leave[COUNTERS], insure_from[COUNTERS], cover[COUNTERS], sides_from[COUNTERS];
};

enum { DEALS = KINDS * KINDS * COLUMNS, TOGETHER = RAN_OUT + 1, TOGETHER_SQUARED };

// What everybody has seen.
struct Totals {
    int running[TOTALS], before[TOTALS];  // now, and at the start of the round

    __device__ __forceinline__ void see(u32 tags_at, u32 code) {
#pragma unroll
        for (int total = 0; total < TOTALS; total++) running[total] += word_at(tags_at + 4 * (code * TOTALS + total));
    }

    // The place of a count, so many cards being unseen; `anew` of the cards on the table alone. Once the discards are
    // dealt again, only these are known to be gone.
    __device__ __forceinline__ int place(const Tables &given, u32 inverse_at, int count, bool anew, int unseen) const {
        constexpr int total_of[] = {TOTAL_OF}, of_suits[] = {OF_SUITS};
        constexpr int rounding_of[] = {ROUNDING_OF}, inverse_of[] = {INVERSE_OF};
        int value = 0, rounding = rounding_of[0], row = inverse_of[0];
#pragma unroll
        for (int one = 0; one < COUNTS; one++) {
            if (COUNTS > 1 && one != count) continue;
            int least = 0, most = 0;
#pragma unroll
            for (int total = 0; total < TOTALS; total++) {
                if (total < total_of[one] || total >= total_of[one] + (of_suits[one] ? SUITS : 1)) continue;
                const int now = running[total] + (anew ? given.starts[total] - before[total] : 0);
                least = total == total_of[one] ? now : min(least, now);
                most = total == total_of[one] ? now : max(most, now);
            }
            value = of_suits[one] ? most - least : least;
            rounding = rounding_of[one];
            row = inverse_of[one];
        }
        return place_of_count(value, double_at(inverse_at + 8 * (row * (CARDS + 2) + unseen)), rounding);
    }
};

// The count in the middle of a round: the burned cards and the hole card are hidden.
#define PLACE_NOW(count)                                                                                     \
    totals.place(given, inverse_at, count, end != CARDS, end - place + HIDDEN + (end == CARDS ? given.burn : 0))
#define PLAYS_BY(who) ((int)(PLAY_BY >> (8 * ((who) - 1)) & 255))  // 8 bits a counter
#define ROW_NOW given.row_of[(who - 1) * BINS + PLACE_NOW(PLAYS_BY(who))]

// Where a table by the kinds of a spot's first two cards has them.
#define KINDS_OF(spot) \
    (((u32)(firsts >> (8 * (spot))) & KIND) * KINDS + ((u32)(seconds >> (8 * (spot))) & KIND))

#define SEE(code) totals.see(tags_at, code);
#define TAKE_SEEN(kind) \
    {                   \
        TAKE(kind)      \
        SEE(kind)       \
        kind &= KIND;   \
    }

extern "C" __global__ void __launch_bounds__(THREADS, 1) count_team(
    Tables given, u64 key, s64 first_stream, s64 streams, int rounds_each, int rounds_last,
    u64 *histogram, u64 *sums, u64 *counters, u64 *side_lines) {
    constexpr int spots_of[] = {SPOTS_OF}, wager_by[] = {WAGER_BY};
    [[maybe_unused]] constexpr int insure_by[] = {INSURE_BY}, side_by[] = {SIDE_BY};
    extern __shared__ u64 shared[];
    u64 *added = shared;                                           // [counter, place of the count, what]
    double *inverse = (double *)(added + COUNTERS * BINS * SUMS);  // [row, cards not seen]
    u32 *reached = (u32 *)(inverse + INVERSES * (CARDS + 2));      // [counter, place of the count, result]
    u32 *lines = reached + COUNTERS * BINS * RESULTS;              // [counter, side bet, line]
    int *tags = (int *)(lines + COUNTERS * SIDES * LINES);         // [code, total]
    u16 *next = (u16 *)(tags + CODES * TOTALS);
    u16 *dealer_first = next + ROWS * KINDS;
    u8 *result = (u8 *)(dealer_first + UPS * KINDS);               // [end, dealer's final]
    u8 *value_of = result + HAND_ENDS * FINALS;
    for (int i = threadIdx.x; i < COUNTERS * BINS * SUMS; i += THREADS) added[i] = 0;
    for (int i = threadIdx.x; i < (int)((u32 *)tags - reached); i += THREADS) reached[i] = 0;
    for (int i = threadIdx.x; i < INVERSES * (CARDS + 2); i += THREADS) inverse[i] = given.inverse[i];
    for (int i = threadIdx.x; i < CODES * TOTALS; i += THREADS) tags[i] = given.tags[i];
    for (int i = threadIdx.x; i < KINDS; i += THREADS) value_of[i] = given.value_of[i];
    for (int i = threadIdx.x; i < ROWS * KINDS; i += THREADS) next[i] = given.next[i];
    for (int i = threadIdx.x; i < UPS * KINDS; i += THREADS) dealer_first[i] = given.dealer_first[i];
    for (int i = threadIdx.x; i < HAND_ENDS * FINALS; i += THREADS) result[i] = given.result[i];
    u32 base = (u32)__cvta_generic_to_shared(shared);
    asm volatile("mov.b32 %0, %0;" : "+r"(base));  // kept, not worked out again at every access
#define ADDRESS(array) (base + (u32)((u8 *)(array) - (u8 *)shared))
    const u32 inverse_at = ADDRESS(inverse), reached_at = ADDRESS(reached), tags_at = ADDRESS(tags);
    const u32 next_at = ADDRESS(next), dealer_at = ADDRESS(dealer_first);
    const u32 result_at = ADDRESS(result), value_at = ADDRESS(value_of);
    const u32 shoe_at = (ADDRESS(value_of + 32) + 3 & ~3u) + threadIdx.x * 4;
    __syncthreads();

    u32 begun = 0;
    u64 together = 0, together_squared = 0;  // parts that all counters won in a round, and their squares
    for (s64 index = (s64)blockIdx.x * THREADS + threadIdx.x; index < streams; index += (s64)gridDim.x * THREADS) {
        Stream stream;
        stream.seed(key, (u64)(first_stream + index));
        for (int i = 0; i < CARDS; i++) put_byte(AT(i), given.cards[i]);
        int place = 0, end = CARDS, begin = 0, served = 0;
        Totals totals = {};
        u32 seated = 0;                              // a bit a counter
        [[maybe_unused]] int last[COUNTERS] = {};    // the last wager in this shoe
        for (int rounds = index == streams - 1 ? rounds_last : rounds_each; rounds > 0; rounds--) {
            if (served == 0 || end != CARDS || place >= given.cut || served >= given.rounds_per_shoe) {
                begun++;
                begin = place = served = 0;
                end = CARDS;
                BURN
#pragma unroll
                for (int total = 0; total < TOTALS; total++) totals.running[total] = given.starts[total];
                seated = 0;
#pragma unroll
                for (int one = 0; one < COUNTERS; one++) last[one] = 0;
            }
            begin = place;
            served++;
#pragma unroll
            for (int total = 0; total < TOTALS; total++) totals.before[total] = totals.running[total];

            // Who sits here, for how much, and where: 4 bits a spot, 0 for those who do not count.
            const int unseen = CARDS - place + given.burn;
            int bins[COUNTERS], first_spots[COUNTERS], here = OTHERS;
            [[maybe_unused]] int wagers[COUNTERS], side_counts[COUNTERS];
            [[maybe_unused]] u32 owners = 0, staked_sides = 0, insured = 0;
#pragma unroll
            for (int one = 0; one < COUNTERS; one++) {
                bins[one] = totals.place(given, inverse_at, wager_by[one], false, unseen);
                const bool sits = bins[one] + LOWEST >= (seated >> one & 1 ? given.leave[one] : given.enter[one]);
                seated = (seated & ~(1u << one)) | (u32)sits << one;
#if COVERS
                int wager = 0;
                if (sits) {
                    wager = given.ramp[one * BINS + bins[one]];
                    const int cover = given.cover[one];
                    if (cover && last[one]) wager = min(max(wager, (last[one] + cover - 1) / cover), last[one] * cover);
                }
                wagers[one] = last[one] = wager;
#endif
#if SIDES
                side_counts[one] = LOWEST + totals.place(given, inverse_at, side_by[one], false, unseen);
                staked_sides |= (u32)(sits && side_counts[one] >= given.sides_from[one]) << one;
#endif
                first_spots[one] = here;
                if (sits)
#pragma unroll
                    for (int spot = 0; spot < spots_of[one]; spot++) owners |= (u32)(one + 1) << (4 * here++);
            }

            u64 firsts = 0, seconds = 0;  // codes of each spot's cards, 8 bits a spot
            for (int spot = 0; spot < here; spot++) {
                u32 code;
                TAKE(code)
                SEE(code)
                firsts |= (u64)code << (8 * spot);
            }
            u32 up_code, hole;
            TAKE(up_code)
            SEE(up_code)
            for (int spot = 0; spot < here; spot++) {
                u32 code;
                TAKE(code)
                SEE(code)
                seconds |= (u64)code << (8 * spot);
            }
#if HOLE
            TAKE(hole)
#else
            hole = 0;  // whatever it is, the dealer's hand begins with the up card alone
#endif
            const u32 up = byte_at(value_at + (up_code & KIND));
            u32 dealer = short_at(dealer_at + 2 * (up * KINDS + (hole & KIND)));
            const bool blackjack = LOOKS && dealer == FINAL + BLACKJACK;
#if SEES_BOTH
            SEE(hole)
            const u32 column = given.column_of[up * KINDS + (hole & KIND)];
#else
            const u32 column = up;
#endif
#if INSURES
            if (up == ACE) {
#pragma unroll
                for (int one = 0; one < COUNTERS; one++) {
                    if (!(seated >> one & 1) || PLACE_NOW(insure_by[one]) + LOWEST < given.insure_from[one]) continue;
                    for (int spot = first_spots[one]; spot < first_spots[one] + spots_of[one]; spot++)
                        insured |= (u32)given.insurable[KINDS_OF(spot)] << one;
                }
            }
#endif
#if PLAYS_DEALER
            u8 drawn[MOST_DRAWN];  // codes of the dealer's cards after the deal
            int draws = 0;
            bool needed = staked_sides;  // those bets are on the dealer's whole hand, whatever the hands are
#else
            [[maybe_unused]] constexpr int draws = 0;
            [[maybe_unused]] constexpr u8 *drawn = nullptr;
            bool needed = false;
#endif
            u32 ends[SEATS], hands_of = 0;  // ends of the counters' hands, 8 bits each; how many, 4 bits a spot
            for (int spot = 0; spot < here; spot++) {
                u32 first = (u32)(firsts >> (8 * spot)) & KIND, second = (u32)(seconds >> (8 * spot)) & KIND;
                const u32 who = COUNTERS == 1 ? spot >= OTHERS : owners >> (4 * spot) & 15;
                u32 played = 0, ends_here = 0;
                if (blackjack) {
                    ends_here = given.looked[first * KINDS + second];
                    played = 1;
                } else {
                    u32 node = given.deal[who * DEALS + (first * KINDS + second) * COLUMNS + column];
                    PLAY_SPOT(who)
#if ORIGINAL
                    needed |= played > 1 && (up == ACE || up == TEN);  // added wagers may still come back
#endif
                }
                if (who) {
                    ends[spot - OTHERS] = ends_here;
                    hands_of |= played << (4 * (spot - OTHERS));
                }
            }
#if HOLE && !SEES_BOTH
            SEE(hole)
#endif
#if INSURES && !LOOKS && !HOLE
            if (insured) TAKE_LATE_HOLE
#endif
            if (needed) {
                DRAW_DEALER
            }

            const u32 final = dealer < FINAL ? 0 : dealer - FINAL;  // a dealer's hand that nobody waits for has none
            [[maybe_unused]] s64 money_of_all = 0;
#pragma unroll
            for (int one = 0; one < COUNTERS; one++) {
                const u32 row = one * BINS + bins[one];
                if (!(seated >> one & 1)) {
                    count_at(reached_at + 4 * (row * RESULTS + RESULT_KINDS));
                    continue;
                }
                const int seat = first_spots[one] - OTHERS;
                const bool made = staked_sides >> one & 1, is_insured = insured >> one & 1;
                const bool plain = spots_of[one] == 1 && !(COVERS && given.cover[one]) && !made && !is_insured &&
                                   (hands_of >> (4 * seat) & 15) == 1;
                if (plain) {
                    count_at(reached_at + 4 * (row * RESULTS + byte_at(result_at + ends[seat] * FINALS + final)));
                    if (COUNTERS == 1) continue;
                }
                s64 units = 0, staked = 0, won = 0, side_money = 0;
                for (int spot = seat; spot < seat + spots_of[one]; spot++) {
                    for (u32 hand = 0; hand < (hands_of >> (4 * spot) & 15); hand++) {
                        const u32 which = ends[spot] >> (8 * hand) & 255;
                        staked += given.stake[which];
#if ORIGINAL
                        if (hand && final == BLACKJACK) continue;  // a wager that was added comes back (21-1.26)
#endif
                        units += given.pay[which * FINALS + final];
                    }
                    if (is_insured && given.insurable[KINDS_OF(spot + OTHERS)])
                        won += given.insurance[up_code / SUIT * CODES + hole];
                }
#if SIDES
                if (made) {
                    const int mine = 8 * first_spots[one];
                    const Seen seen = {given.card_of[firsts >> mine & 255], given.card_of[seconds >> mine & 255],
                                       given.card_of[up_code], HOLE ? given.card_of[hole] : 0};
                    for (int bet = 0; bet < SIDES; bet++) {
                        if (side_counts[one] < given.side_from[one * SIDES + bet]) continue;
                        const int line = side_line(given, bet, seen, drawn, draws);
                        atomicAdd(&lines[(one * SIDES + bet) * LINES + line], 1u);
                        side_money += given.side_nets[(one * SIDES + bet) * LINES + line];
                    }
                }
#endif
#if COVERS
                const int wager = wagers[one];
#else
                const int wager = given.ramp[row];
#endif
                won += units * given.parts;
                const s64 money = wager * won + side_money;
                money_of_all += money;
                if (plain) continue;
                u64 *at = added + row * SUMS;
                atomicAdd(at + PLAYED, 1ULL);
                atomicAdd(at + WON, (u64)won);
                atomicAdd(at + WON_SQUARED, (u64)(won * won));
                atomicAdd(at + STAKED, (u64)(wager * staked));
                atomicAdd(at + MONEY, (u64)money);
                atomicAdd(at + MONEY_SQUARED, (u64)(money * money));
                if (is_insured) atomicAdd(at + INSURED, 1ULL);
            }
            together += (u64)money_of_all;
            together_squared += (u64)(money_of_all * money_of_all);
        }
    }
    atomicAdd(&counters[SHOES], (u64)begun);
#if COUNTERS > 1
    atomicAdd(&counters[TOGETHER], together);
    atomicAdd(&counters[TOGETHER_SQUARED], together_squared);
#endif
    __syncthreads();
    for (int i = threadIdx.x; i < COUNTERS * BINS * RESULTS; i += THREADS)
        if (reached[i]) atomicAdd(&histogram[i], (u64)reached[i]);
    for (int i = threadIdx.x; i < COUNTERS * BINS * SUMS; i += THREADS)
        if (added[i]) atomicAdd(&sums[i], added[i]);
    for (int i = threadIdx.x; i < COUNTERS * SIDES * LINES; i += THREADS)
        if (lines[i]) atomicAdd(&side_lines[i], (u64)lines[i]);
}
