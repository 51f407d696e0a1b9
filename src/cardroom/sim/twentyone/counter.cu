// Rounds with a player who counts, on a GPU: one thread plays one stream, with the same cards, counts and wagers as the
// kernel for the CPU (`counter.py`), so that the sums are the same number for number. Comes after `counted_round.cu`.
//
// A round of one spot that is neither split nor insured, and without a side bet, is one count of a histogram by the
// count before the round and the result; all others are added to sums. Compiled for one game and one counter by macros;
// see `counter_flat.py` for the tables.

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
    int cut, rounds_per_shoe, burn, start, enter, leave, insure_from, parts, cover;
};

#define INVERSE(unseen) double_at(inverse_at + 8 * (unseen))
#define TAG(kind) word_at(tags_at + 4 * (kind))

// The count in the middle of a round: the burned cards and the hole card are hidden. Once the discards are dealt again,
// only the cards on the table are known to be gone.
#define PLACE_NOW                                                                                          \
    (end == CARDS ? place_of_count(running, INVERSE(CARDS - place + given.burn + HIDDEN), ROUNDING)        \
                  : place_of_count(running - before + given.start, INVERSE(end - place + HIDDEN), ROUNDING))
#define ROW_NOW given.row_of[PLACE_NOW]

// [first, second, column] of others, then of the counter: that lies beside the cores, unless it is by both of the
// dealer's cards and too large.
enum { DEALS = KINDS * KINDS * COLUMNS, DEALS_IN_SHARED = SEES_BOTH ? 0 : DEALS };
#if SEES_BOTH
#define DEAL(place) given.deal[DEALS + (place)]
#else
#define DEAL(place) short_at(deal_at + 2 * (place))
#endif

#if SIDES && PLAYS_DEALER
#define NEEDED_BY_SIDES staked_sides  // they are on the dealer's whole hand, whatever the hands are
#else
#define NEEDED_BY_SIDES false
#endif

// Insurance on every spot that is asked.
#define INSURE                                                                                                    \
    for (int spot = OTHERS; spot < here; spot++) {                                                                \
        const u32 first = (u32)(firsts >> (8 * spot)) & KIND, second = (u32)(seconds >> (8 * spot)) & KIND;       \
        if (given.insurable[first * KINDS + second]) {                                                            \
            insured = true;                                                                                       \
            won += given.insurance[up_code / SUIT * CODES + hole];                                                \
        }                                                                                                         \
    }

// Count the lines of the side bets that are made.
#define MAKE_SIDES                                                                                             \
    const Seen seen = {given.card_of[firsts >> (8 * OTHERS) & 255], given.card_of[seconds >> (8 * OTHERS) & 255], \
                       given.card_of[up_code], HOLE ? given.card_of[hole] : 0};                                \
    for (int bet = 0; bet < SIDES; bet++) {                                                                    \
        if (count < given.side_from[bet]) continue;                                                            \
        const int line = side_line(given, bet, seen, drawn, draws);                                            \
        atomicAdd(&lines[bet * LINES + line], 1u);                                                             \
        side_money += given.side_nets[bet * LINES + line];                                                     \
    }

#define SEE(code) running += TAG(code & KIND);
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
    u16 *dealer_first = deal + DEALS_IN_SHARED;
    u8 *result = (u8 *)(dealer_first + UPS * KINDS);      // [end, dealer's final]
    u8 *value_of = result + HAND_ENDS * FINALS;
    for (int i = threadIdx.x; i < BINS * SUMS; i += THREADS) added[i] = 0;
    for (int i = threadIdx.x; i < (int)((u32 *)tags - reached); i += THREADS) reached[i] = 0;
    for (int i = threadIdx.x; i < CARDS + 2; i += THREADS) inverse[i] = given.inverse[i];
    for (int i = threadIdx.x; i < KINDS; i += THREADS) tags[i] = given.tags[i], value_of[i] = given.value_of[i];
    for (int i = threadIdx.x; i < ROWS * KINDS; i += THREADS) next[i] = given.next[i];
    for (int i = threadIdx.x; i < DEALS_IN_SHARED; i += THREADS) deal[i] = given.deal[DEALS + i];
    for (int i = threadIdx.x; i < UPS * KINDS; i += THREADS) dealer_first[i] = given.dealer_first[i];
    for (int i = threadIdx.x; i < HAND_ENDS * FINALS; i += THREADS) result[i] = given.result[i];
    u32 base = (u32)__cvta_generic_to_shared(shared);
    asm volatile("mov.b32 %0, %0;" : "+r"(base));  // kept, not worked out again at every access
#define ADDRESS(array) (base + (u32)((u8 *)(array) - (u8 *)shared))
    const u32 inverse_at = ADDRESS(inverse), reached_at = ADDRESS(reached), tags_at = ADDRESS(tags);
    const u32 next_at = ADDRESS(next), dealer_at = ADDRESS(dealer_first);
    [[maybe_unused]] const u32 deal_at = ADDRESS(deal);
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
            const int bin = place_of_count(running, INVERSE(CARDS - place + given.burn), ROUNDING);
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
            bool plain = SPOTS == 1 && !COVERS;
            s64 won = 0, side_money = 0;
#if SIDES
            const bool staked_sides = seated && count >= given.side_from[SIDES];
#if PLAYS_DEALER
            u8 drawn[MOST_DRAWN];  // codes of the dealer's cards after the deal
            int draws = 0;
#else
            constexpr int draws = 0;
            constexpr u8 *drawn = nullptr;
            if (staked_sides) {
                MAKE_SIDES
            }
#endif
            plain = plain && !staked_sides;
#endif
            bool insured = false;
#if INSURES
            if (up == ACE && seated && PLACE_NOW + LOWEST >= given.insure_from) {
                INSURE
                plain = plain && !insured;
            }
#endif
            u32 ends[SPOTS], hands_of = 0;  // ends of the counter's hands, 8 bits each; how many, 4 bits a spot
            bool needed = NEEDED_BY_SIDES;
            for (int spot = 0; spot < here; spot++) {
                u32 first = (u32)(firsts >> (8 * spot)) & KIND, second = (u32)(seconds >> (8 * spot)) & KIND;
                u32 played = 0, ends_here = 0;
                if (blackjack) {
                    ends_here = given.looked[first * KINDS + second];
                    played = 1;
                } else {
                    const bool counts = spot >= OTHERS;
                    const u32 place_of_deal = (first * KINDS + second) * COLUMNS + column;
                    u32 node = counts ? DEAL(place_of_deal) : given.deal[place_of_deal];
                    PLAY_SPOT(counts)
#if ORIGINAL
                    needed |= played > 1 && (up == ACE || up == TEN);  // added wagers may still come back
#endif
                }
                if (spot >= OTHERS) {
                    ends[spot - OTHERS] = ends_here;
                    hands_of |= played << (4 * (spot - OTHERS));
                }
            }
#if HOLE && !SEES_BOTH
            running += TAG(hole & KIND);
#endif
#if INSURES && !LOOKS
            if (insured) {  // it is settled now
#if !HOLE
                TAKE_LATE_HOLE
#endif
                won = 0;
                INSURE
            }
#endif
            if (needed) {
                DRAW_DEALER
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
#if ORIGINAL
                    if (hand && final == BLACKJACK) {  // a wager that was added comes back (21-1.26)
                        staked += given.stake[which];
                        continue;
                    }
#endif
                    units += given.pay[which * FINALS + final];
                    staked += given.stake[which];
                }
#if !COVERS
            wager = given.ramp[bin];
#endif
#if SIDES && PLAYS_DEALER
            if (staked_sides) {
                MAKE_SIDES
            }
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
