// The round of the blackjack family on a GPU: one thread plays one stream, with the same cards and results as the
// kernels for the CPU, so that the sums are the same to the last round.
//
// Threads of a warp run together: they deal together, then each takes cards by the table until its hand has ended,
// then until its dealer's has. A step is a card, an addition and a look into the table. A spot that was split needs
// more; its thread waits until some others of the warp wait, too, and then they are served together. Compiled for
// one game by macros; see `flat.py` for the tables and the order of nodes:
//
//   [0, ENDS) the place of a row in `next` · [ENDS, TERMINALS) a hand has ended · [TERMINALS, …) the round has a
//   result, those from FIRST_INSURED on a blackjack under an ace; after RESULT_KINDS of them, the dealer's final in a
//   round with split hands · SPLIT
//
// Without a hole card (HOLE 0) three cards are dealt, and `enter` begins the dealer's hand with the up card alone. Where
// side bets look at the dealer's second card (SECOND), it then comes whatever the hands are, and they are counted by it.

#define UP_CARDS 10  // columns of a strategy by the up card alone

enum { FINALS = 8, DEALERS_BLACKJACK = 6, UPS = 10, ACE = 0, TEN = 9, GATHERED = 4, TURNS = 8 };
enum { SPLIT_STAKED, SHOES, RAN_OUT, INSURED };  // behind the last: blackjacks under an ace by line of insurance

struct Tables {
    const u16 *next, *enter, *split_deal;
    const short *pay, *stake;
    const u8 *needs_dealer, *value_of, *cards;
    const u8 *card_of, *lines_of_three, *third_is_hole, *lines_of_four, *column_of, *insured;
    const short *machine_start, *machine_take;
    const u8 *machine_line;
    int cut, rounds_per_shoe, burn;
};

#if INFINITE
#define END_ROUND stopped = --rounds == 0;
#else
#define END_ROUND                                                                       \
    {                                                                                   \
        stopped = --rounds == 0;                                                        \
        if (end != CARDS || place >= given.cut || served >= given.rounds_per_shoe) {    \
            begin = place = 0;                                                          \
            end = CARDS;                                                                \
            served = 0;                                                                 \
            if (!stopped) {                                                             \
                begun++;                                                                \
                BURN                                                                    \
            }                                                                           \
        }                                                                               \
        begin = place;                                                                  \
        served++;                                                                       \
    }
#endif

// Take cards until the hand has ended, the dealer's or the player's.
#define FOLLOW(node)                                               \
    while (node < ENDS) {                                          \
        u32 kind;                                                  \
        TAKE_KIND(kind)                                            \
        node = short_at(next_at + 2 * (node + kind));              \
    }

#if SECOND
// The side bets that the dealer's second card decides when all have played, by the codes of the deal and of that card.
__device__ void count_at_second(const Tables &given, u32 *lines, u32 dealt, u32 second) {
    u32 card_one = given.card_of[dealt >> 24], card_up = given.card_of[dealt >> 16 & 255];
    u32 card_two = given.card_of[dealt >> 8 & 255], card_second = given.card_of[second];
    for (int bet = 0; bet < SIDES_OF_THREE; bet++) {
        if (!given.third_is_hole[bet]) continue;
        u32 line = given.lines_of_three[((bet * 52 + card_one) * 52 + card_two) * 52 + card_second];
        atomicAdd(&lines[bet * LINES + line], 1u);
    }
#if SIDES_OF_FOUR
    int four = place_of_four(card_one, card_two, card_up, card_second);
    for (int bet = 0; bet < SIDES_OF_FOUR; bet++)
        atomicAdd(&lines[(SIDES_OF_THREE + bet) * LINES + given.lines_of_four[bet * 341055 + four]], 1u);
#endif
    for (int bet = SIDES_OF_THREE + SIDES_OF_FOUR; bet < SIDES; bet++) {
        int state = given.machine_start[((bet - SIDES_OF_THREE - SIDES_OF_FOUR) * 52 + card_one) * 52 + card_two];
        state = given.machine_take[(state * MACHINE_PLACES + UP_PLACE) * 52 + card_up];
        state = given.machine_take[(state * MACHINE_PLACES + HOLE_PLACE) * 52 + card_second];
        atomicAdd(&lines[bet * LINES + given.machine_line[state]], 1u);
    }
}
#endif

extern "C" __global__ void __launch_bounds__(THREADS) play(
    Tables given, u64 key, s64 first_stream, s64 streams, int rounds_each, int rounds_last,
    u64 *terminals, u64 *split_nets, u64 *counters, u64 *side_lines) {
    extern __shared__ u32 shared[];
    u32 *reached = shared;                          // [up, terminal]
    u32 *split_won = reached + UPS * RESULT_KINDS;  // [up, units + middle]
    u32 *lines = split_won + UPS * RESULTS;         // [side bet, line]
    u32 *insured = lines + SIDES * LINES;  // [line of insurance]
    u16 *next = (u16 *)(insured + INSURED_LINES + 1);
    u16 *enter = next + ROWS * KINDS;
    u8 *value_of = (u8 *)(enter + (HAND_ENDS + 1) * UPS * KINDS);
    u8 *line_of = value_of + 32;  // [suit of the ace up, code of the hole card]: the line of insurance
    u8 *cards = line_of + SUITS * CODES;
    for (int i = threadIdx.x; i < (u8 *)next - (u8 *)shared; i += THREADS) ((u8 *)shared)[i] = 0;
    for (int i = threadIdx.x; i < ROWS * KINDS; i += THREADS) next[i] = given.next[i];
    for (int i = threadIdx.x; i < (HAND_ENDS + 1) * UPS * KINDS; i += THREADS) enter[i] = given.enter[i];
    for (int i = threadIdx.x; i < KINDS; i += THREADS) value_of[i] = given.value_of[i];
    for (int i = threadIdx.x; i < SUITS * CODES; i += THREADS) line_of[i] = given.insured[i];
    u32 base = (u32)__cvta_generic_to_shared(shared);
    asm volatile("mov.b32 %0, %0;" : "+r"(base));  // kept, not worked out again at every access
    const u32 reached_at = base, next_at = base + (u32)((u8 *)next - (u8 *)shared);
    const u32 enter_at = base + (u32)((u8 *)enter - (u8 *)shared), value_at = base + (u32)(value_of - (u8 *)shared);
    const u32 insured_at = base + (u32)((u8 *)insured - (u8 *)shared), line_at = base + (u32)(line_of - (u8 *)shared);
    const u32 cards_at = base + (u32)(cards - (u8 *)shared);
#if INFINITE
    for (int i = threadIdx.x; i < CARDS; i += THREADS) cards[i] = given.cards[i], cards[CARDS + i] = given.cards[i] & KIND;
#else
    const u32 shoe_at = (cards_at + 3 & ~3u) + threadIdx.x * 4;
    int place = 0, end = CARDS, begin = 0, served = 1;
#endif
    __syncthreads();

    u32 begun = 0;
    u64 split_staked = 0;
    Stream stream;
    const s64 step = (s64)gridDim.x * THREADS;
    s64 index = (s64)blockIdx.x * THREADS + threadIdx.x - step;
    int rounds = 0;
    u32 dealt = 0, up = 0, hole_row = 0;  // the four cards of the deal; where the dealer's start is found
    bool stopped = true;                  // the stream is at its end, or a split spot waits to be served
    while (true) {
        if (rounds == 0 && index < streams) {  // the next stream
            index += step;
            if (index < streams) {
                rounds = index == streams - 1 ? rounds_last : rounds_each;
                stopped = false;
                stream.seed(key, (u64)(first_stream + index));
#if !INFINITE
                for (int i = 0; i < CARDS; i++) put_byte(AT(i), given.cards[i]);
                place = 0;
                end = CARDS;
                served = 1;
                begun++;
                BURN
                begin = place;
#endif
            }
        }
        u32 alive = __ballot_sync(~0u, rounds > 0);
        if (!alive) break;
        bool stuck = stopped && rounds > 0;
        u32 to_serve = __ballot_sync(~0u, stuck);
        if (stuck && (__popc(to_serve) >= GATHERED || to_serve == alive)) {
            u32 first = dealt >> 24 & KIND, second = dealt >> 8 & KIND, node = SPLIT;
            u32 played = 0, ends = 0, needed = 0, hands = 1, waiting = 0;
            u64 wait_cards = 0;  // first and second card of each hand that waits, 16 bits a hand
#if COLUMNS == UP_CARDS
            const u32 column = up;
#else
            const u32 column = given.column_of[hole_row];  // by both of the dealer's cards
#endif
            while (true) {
                while (node == SPLIT) {  // both hands get their second cards; the right one waits
                    u32 left, right;
                    TAKE(left)
                    TAKE(right)
                    hands++;
                    wait_cards |= (u64)(second << 8 | (right & KIND)) << (16 * waiting++);
                    second = left & KIND;
                    node = given.split_deal[(((hands < MAX_HANDS) * KINDS + first) * KINDS + second) * COLUMNS + column];
                }
                FOLLOW(node)
                u32 ended = node - ENDS;
                ends |= ended << (8 * played++);
                needed |= given.needs_dealer[ended];
                if (!waiting) break;
                u32 hand = (u32)(wait_cards >> (16 * --waiting)) & 0xFFFF;
                wait_cards &= (1ULL << (16 * waiting)) - 1;
                first = hand >> 8;
                second = hand & KIND;
                node = given.split_deal[(((hands < MAX_HANDS) * KINDS + first) * KINDS + second) * COLUMNS + column];
            }
#if ORIGINAL
            needed |= up == ACE || up == TEN;  // a blackjack may still give the added wagers back
#endif
            node = TERMINALS + RESULT_KINDS;
#if SECOND
            u32 late;
            TAKE(late)
            count_at_second(given, lines, dealt, late);
#endif
            if (needed) {
                node = short_at(enter_at + 2 * (HAND_ENDS * UPS * KINDS + hole_row));
#if SECOND
                node = short_at(next_at + 2 * (node + (late & KIND)));
#endif
                FOLLOW(node)
            }
            u32 final = node - TERMINALS - RESULT_KINDS;
            int won = 0, staked = 0;
            for (u32 hand = 0; hand < played; hand++) {
                u32 ended = ends >> (8 * hand) & 255;
                won += given.pay[ended * FINALS + final];
                staked += given.stake[ended];
            }
#if ORIGINAL
            if (final == DEALERS_BLACKJACK) won = given.pay[(ends & 255) * FINALS + final];  // of the first hand
#endif
            atomicAdd(&split_won[up * RESULTS + RESULTS / 2 + won], 1u);
            split_staked += staked;
            END_ROUND
        }
        for (int turn = 0; turn < TURNS; turn++) {
            if (stopped) continue;
            u32 one, up_code, two, hole;
            TAKE(one)
            TAKE(up_code)
            TAKE(two)
#if HOLE
            TAKE(hole)
#else
            hole = 0;
#endif
            up = byte_at(value_at + (up_code & KIND));
            dealt = one << 24 | up_code << 16 | two << 8 | hole;
            hole_row = up * KINDS + (hole & KIND);
            u32 node = short_at(next_at + 2 * (one & KIND));
            node = short_at(next_at + 2 * (node + (up_code & KIND)));
            node = short_at(next_at + 2 * (node + (two & KIND)));
#if HOLE
            node = short_at(next_at + 2 * (node + (hole & KIND)));
#endif
#if SIDES
            u32 card_one = given.card_of[one], card_up = given.card_of[up_code];
            u32 card_two = given.card_of[two], card_hole = given.card_of[hole];
            for (int bet = 0; bet < SIDES_OF_THREE; bet++) {
#if SECOND
                if (given.third_is_hole[bet]) continue;  // counted when that card comes
#endif
                u32 third = given.third_is_hole[bet] ? card_hole : card_up;
                u32 line = given.lines_of_three[((bet * 52 + card_one) * 52 + card_two) * 52 + third];
                atomicAdd(&lines[bet * LINES + line], 1u);
            }
#if SIDES_OF_FOUR && !SECOND
            int four = place_of_four(card_one, card_two, card_up, card_hole);
            for (int bet = 0; bet < SIDES_OF_FOUR; bet++)
                atomicAdd(&lines[(SIDES_OF_THREE + bet) * LINES + given.lines_of_four[bet * 341055 + four]], 1u);
#endif
#if !SECOND
            for (int bet = SIDES_OF_THREE + SIDES_OF_FOUR; bet < SIDES; bet++) {  // by a machine, card by card
                int state = given.machine_start[((bet - SIDES_OF_THREE - SIDES_OF_FOUR) * 52 + card_one) * 52 + card_two];
                state = given.machine_take[(state * MACHINE_PLACES + UP_PLACE) * 52 + card_up];
                state = given.machine_take[(state * MACHINE_PLACES + HOLE_PLACE) * 52 + card_hole];
                atomicAdd(&lines[bet * LINES + given.machine_line[state]], 1u);
            }
#endif
#endif
            FOLLOW(node)
            if (node == SPLIT) {
                stopped = true;
            } else {
                if (node < TERMINALS) {
                    node = short_at(enter_at + 2 * ((node - ENDS) * (UPS * KINDS) + hole_row));
#if SECOND
                    u32 late;
                    TAKE(late)
                    count_at_second(given, lines, dealt, late);
                    if (node < ENDS) node = short_at(next_at + 2 * (node + (late & KIND)));
#endif
                    FOLLOW(node)
                }
                count_at(reached_at + 4 * (up * RESULT_KINDS + node - TERMINALS));
#if !INSURED_ALIKE
                if (node >= FIRST_INSURED)  // the ace's suit and the hole card's code, as they stand in `dealt`
                    count_at(insured_at + 4 * byte_at(line_at + (dealt >> 14 & 3 * CODES) + (dealt & CODES - 1)));
#endif
                END_ROUND
            }
        }
    }
    atomicAdd(&counters[SHOES], (u64)begun);
    atomicAdd(&counters[SPLIT_STAKED], split_staked);
    __syncthreads();
    for (int i = threadIdx.x; i < UPS * RESULT_KINDS; i += THREADS)
        if (reached[i]) atomicAdd(&terminals[i], (u64)reached[i]);
    for (int i = threadIdx.x; i < UPS * RESULTS; i += THREADS)
        if (split_won[i]) atomicAdd(&split_nets[i], (u64)split_won[i]);
    for (int i = threadIdx.x; i < SIDES * LINES; i += THREADS)
        if (lines[i]) atomicAdd(&side_lines[i], (u64)lines[i]);
    for (int i = threadIdx.x; i <= INSURED_LINES; i += THREADS)
        if (insured[i]) atomicAdd(&counters[INSURED + i], (u64)insured[i]);
}
