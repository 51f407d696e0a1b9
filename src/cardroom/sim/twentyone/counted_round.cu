// What the kernels of counters share, as `counted_round.py` does for the CPU: counts, the hands of a spot, side bets.
//
// Comes after `cards.cu` and before a kernel, which says `SEE(code)`, what a card does to the count, `TAKE_SEEN(kind)`, a
// card that is taken and seen, and `ROW_NOW`, the row of decisions by the count. See `counted_flat.py` for the tables and
// the order of nodes:
//
//   [0, ENDS) the place of a row in `next` · [ENDS, SETTLED) a hand has ended and waits for the dealer · [SETTLED,
//   FINAL) a hand has ended, whatever the dealer has · [FINAL, DECIDES) the dealer's final · [DECIDES, …) the count
//   decides · SPLIT
//
// HOLE says that the dealer has a hole card, LOOKS that a dealer's blackjack is known before anybody plays, SEES_BOTH
// that both of the dealer's cards are, ORIGINAL that one that is not known takes the original wagers only (21-1.26).

enum { FINALS = 8, UPS = 10, BLACKJACK = 6, RESULTS = RESULT_KINDS + 1 };
enum { ACE = 0, TEN = 9, HIDDEN = HOLE && !SEES_BOTH };  // HIDDEN: cards that are seen when all have played
enum { SHOES, RAN_OUT };
enum { PLAYED, WON, WON_SQUARED, STAKED, MONEY, MONEY_SQUARED, INSURED, SUMS };
enum { FLOOR, NEAREST, TRUNCATE };
enum { MACHINES_FROM = SIDES_OF_THREE + SIDES_OF_FOUR, MOST_DRAWN = 24 };

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
__device__ __forceinline__ int place_of_count(int running, double inverse, const int rounding) {
    int count;
    if (rounding == TRUNCATE && running < 0)
        count = -__double2int_rd(__dmul_rn(0.25 - running, inverse));
    else if (rounding == NEAREST)
        count = __double2int_rd(__dadd_rn(__dmul_rn(running + 0.25, inverse), 0.5));
    else
        count = __double2int_rd(__dmul_rn(running + 0.25, inverse));
    return min(max(count, LOWEST), HIGHEST) - LOWEST;
}

#define DRAW(node)                                        \
    while (node < ENDS) {                                 \
        u32 kind;                                         \
        TAKE_SEEN(kind)                                   \
        node = short_at(next_at + 2 * (node + kind));     \
    }

// Take cards until the hand has ended or is split.
#if DECISIONS
#define FOLLOW(node)                                                  \
    while (true) {                                                    \
        DRAW(node)                                                    \
        if (node < DECIDES || node == SPLIT) break;                   \
        node = given.decided[(node - DECIDES) * BANDS + (ROW_NOW)];   \
    }
#else
#define FOLLOW(node) DRAW(node)
#endif

// Play the hands of a spot, from its cards `first` and `second` and their `node`: the end of each, 8 bits a hand, to
// `ends_here`, and how many to `played`. `who` is 0 for somebody who does not count.
#define AGAIN(who)                                                                                                  \
    given.split_deal[((((who) * 2 + (hands < MAX_HANDS)) * KINDS + first) * KINDS + second) * COLUMNS + column]
#define PLAY_SPOT(who)                                                                      \
    {                                                                                       \
        u32 hands = 1, waiting = 0;                                                         \
        u64 wait_cards = 0; /* first and second card of each hand that waits, 16 bits */    \
        while (true) {                                                                      \
            FOLLOW(node)                                                                    \
            while (node == SPLIT) { /* both get their second cards; the right one waits */  \
                u32 left, right;                                                            \
                TAKE_SEEN(left)                                                             \
                TAKE_SEEN(right)                                                            \
                hands++;                                                                    \
                wait_cards |= (u64)(second << 8 | right) << (16 * waiting++);               \
                second = left;                                                              \
                node = AGAIN(who);                                                          \
                FOLLOW(node)                                                                \
            }                                                                               \
            ends_here |= (node - ENDS) << (8 * played++);                                   \
            needed |= node < SETTLED;                                                       \
            if (!waiting) break;                                                            \
            const u32 hand = (u32)(wait_cards >> (16 * --waiting)) & 0xFFFF;                \
            wait_cards &= (1ULL << (16 * waiting)) - 1;                                     \
            first = hand >> 8;                                                              \
            second = hand & KIND;                                                           \
            node = AGAIN(who);                                                              \
        }                                                                                   \
    }

// The hole card where it is drawn after the players, under an ace: a card like any other that the dealer draws.
#define TAKE_LATE_HOLE                                             \
    {                                                              \
        TAKE(hole)                                                 \
        SEE(hole)                                                  \
        dealer = short_at(next_at + 2 * (dealer + (hole & KIND))); \
        NOTE_DRAWN(hole)                                           \
    }

// The dealer's cards to the end of the hand; bets on all of it are followed through those that are noted.
#if PLAYS_DEALER
#define NOTE_DRAWN(code) drawn[draws++] = code;
#define DRAW_DEALER                                                    \
    while (dealer < ENDS) {                                            \
        u32 code;                                                      \
        TAKE(code)                                                     \
        SEE(code)                                                      \
        NOTE_DRAWN(code)                                               \
        dealer = short_at(next_at + 2 * (dealer + (code & KIND)));     \
    }
#else
#define NOTE_DRAWN(code)
#define DRAW_DEALER DRAW(dealer)
#endif

#if SIDES
struct Seen { int one, two, up, hole; };  // the player's first two cards, the up card and the hole card

// The line of a side bet, by cards that were dealt and, where it is on the dealer's whole hand, drawn.
template <class Given>
__device__ __forceinline__ int side_line(const Given &given, int bet, const Seen &seen, const u8 *drawn, int draws) {
    if (bet < SIDES_OF_THREE) {
        const int third = given.third_is_hole[bet] ? seen.hole : seen.up;
        return given.lines_of_three[((bet * 52 + seen.one) * 52 + seen.two) * 52 + third];
    }
#if SIDES_OF_FOUR
    if (bet < MACHINES_FROM) {
        const int four = place_of_four(seen.one, seen.two, seen.up, seen.hole);
        return given.lines_of_four[(bet - SIDES_OF_THREE) * 341055 + four];
    }
#endif
    int state = given.machine_start[((bet - MACHINES_FROM) * 52 + seen.one) * 52 + seen.two];  // card by card
    state = given.machine_take[(state * MACHINE_PLACES + UP_PLACE) * 52 + seen.up];
    state = given.machine_take[(state * MACHINE_PLACES + HOLE_PLACE) * 52 + seen.hole];
#if PLAYS_DEALER
    for (int card = 0; card < draws; card++)
        state = given.machine_take[(state * MACHINE_PLACES + DRAW_PLACE) * 52 + given.card_of[drawn[card]]];
#endif
    return given.machine_line[state];
}
#endif
