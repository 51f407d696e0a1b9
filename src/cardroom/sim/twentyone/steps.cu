// Rounds of the blackjack family decision by decision on a GPU: a thread takes one step of one table.
//
// The same as `lane_round.py` and `steps.py`, function by function, over the same tables and streams, so that cards,
// masks and cents are the same; a test compiles this file for the CPU and holds it to them. All names in capitals are
// macros: the columns, phases and actions of `lanes.py`, and the sizes of one game's tables (`steps_cuda.py`).
// A table's row lies with a stride of all tables, so that neighbouring threads read neighbouring numbers.

typedef unsigned char u8;
typedef signed char s8;
typedef short s16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long s64;

enum { DECK = 52, SUITS = 4, RANKS = 13, UP_VALUES = 10, SUPER_CARDS = 3, TEN_VALUE = 9, ACE_MORE = 10, BLACKJACK_TOTAL = 21 };

struct Tables {
    const s16 *next, *unpaired, *split_hand, *doubled, *machine_start, *machine_take;
    const u8 *may, *settled, *super_bonus, *sides, *pair, *value;
    const u8 *lines_of_three, *third_is_hole, *lines_of_four, *machine_line, *cards;
    const int *pay, *rescue, *amounts, *insured, *side_pay;
    const s8 *dealer_start, *dealer_take, *side_when;
    double one_wager, penalty;
    int cut, rounds_per_shoe, burn;
};

struct Lanes {
    int *rows, *marks;
    u32 *streams;
    u8 *shoes;
    int lanes;
};

struct Shown {
    s64 *numbers, *nets;
    double *rewards;
    s16 *seen;
    s8 *mask;
    u8 *over, *illegal, *ended;
};

// The numbers of one table.
struct Row {
    int *first;
    int stride;
    __device__ __forceinline__ int &operator[](int column) const { return first[(s64)column * stride]; }
};

// The stream and the shoe of one table while its step lasts.
struct Shoe {
    u32 a, b, c, d;
    int next, end, round, dead, served;
    u8 *cards;

    __device__ __forceinline__ u32 word() {  // xoshiro128++
        u32 both = a + d, word = (both << 7 | both >> 25) + a, shifted = b << 9;
        c ^= a;
        d ^= b;
        b ^= c;
        a ^= d;
        c ^= shifted;
        d = d << 11 | d >> 21;
        return word;
    }

    __device__ int take(const Tables &tables) {
#if INFINITE
        return tables.cards[__umulhi(word(), SHOE)];
#else
        if (next >= end) {  // deal on from the discards, or the round is dead (21-1.13)
            if (round == 0) dead = 1;
            end = round;
            round = 0;
            if (dead) return 0;
            next = 0;
        }
        int here = next++, there = here + (int)__umulhi(word(), (u32)(end - here));
        u8 card = cards[there];
        cards[there] = cards[here];
        cards[here] = card;
        return card;
#endif
    }

    __device__ __forceinline__ int draw(const Tables &tables) {
        int card = take(tables);
        return dead ? -1 : card;
    }
};

struct Lane {
    Row row;
    Shoe shoe;

    __device__ Lane(const Lanes &all, int lane) {
        row.first = all.rows + lane;
        row.stride = all.lanes;
        const u32 *stream = all.streams + lane;
        const int *marks = all.marks + lane;
        s64 stride = all.lanes;
        shoe.a = stream[0];
        shoe.b = stream[stride];
        shoe.c = stream[2 * stride];
        shoe.d = stream[3 * stride];
        shoe.next = marks[NEXT * stride];
        shoe.end = marks[END * stride];
        shoe.round = marks[ROUND * stride];
        shoe.dead = marks[DEAD * stride];
        shoe.served = marks[SERVED * stride];
        shoe.cards = all.shoes + (INFINITE ? 0 : (s64)lane * SHOE);
    }

    __device__ void keep(const Lanes &all, int lane) const {
        u32 *stream = all.streams + lane;
        int *marks = all.marks + lane;
        s64 stride = all.lanes;
        stream[0] = shoe.a;
        stream[stride] = shoe.b;
        stream[2 * stride] = shoe.c;
        stream[3 * stride] = shoe.d;
        marks[NEXT * stride] = shoe.next;
        marks[END * stride] = shoe.end;
        marks[ROUND * stride] = shoe.round;
        marks[DEAD * stride] = shoe.dead;
        marks[SERVED * stride] = shoe.served;
    }
};

__device__ __forceinline__ int spot_at(int spot) {
    return SPOTS + spot * (SIDE_STATES + MACHINES + MAX_HANDS * HAND_FIELDS);
}
__device__ __forceinline__ int hand_at(int spot, int hand) {
    return spot_at(spot) + SIDE_STATES + MACHINES + hand * HAND_FIELDS;
}
__device__ __forceinline__ int pay_of(const Tables &tables, int bet, int state, int final) {
    return tables.pay[(bet * STATES + state) * FINALS + final];
}
__device__ __forceinline__ bool is_blackjack(const Row &row, int at) {
    return row[at + CARDS] == 2 && row[at + ACE] == 1 && row[at + POINTS] == ACE_MORE + 1;
}
__device__ __forceinline__ int options_of(const Row &row, int spot, int at, const Tables &tables) {
    int state = row[at + STATE];
    if (row[spot_at(spot) + HANDS] >= MAX_HANDS) state = tables.unpaired[state];
    return tables.may[state];
}

__device__ bool give(Lane &lane, int at, const Tables &tables) {
    int card = lane.shoe.draw(tables);
    if (card < 0) return false;
    Row &row = lane.row;
    int value = tables.value[card], cards = row[at + CARDS];
    row[at + STATE] = tables.next[row[at + STATE] * DECK + card];
    row[at + POINTS] += value + 1;
    if (value == 0) row[at + ACE] = 1;
    if (cards < 2) row[at + FIRST + cards] = card;
    row[at + CARDS] = cards + 1;
    row[SEEN + value] += 1;
    return true;
}

__device__ void settle_at_once(Row &row, int at, const Tables &tables) {
    int state = row[at + STATE], bet = row[BET];
    if (tables.settled[state]) {
        row[NET] += pay_of(tables, bet, state, 0);
        row[at + STATUS] = CLOSED;
    }
    if (row[at + CARDS] == SUPER_CARDS && tables.super_bonus[state * UP_VALUES + tables.value[row[UP_CARD]]])
        row[NET] += tables.amounts[bet * AMOUNTS + SUPER_BONUS];
}

#if SIDES
__device__ int place_of_any_four(int a, int b, int c, int d) {
    int low = min(a, b), x = max(a, b), y = min(c, d), high = max(c, d), t;
    t = min(low, y); y = max(low, y); low = t;
    t = min(x, high); high = max(x, high); x = t;
    t = min(x, y); y = max(x, y); x = t;
    x += 1; y += 2; high += 3;
    return low + x * (x - 1) / 2 + y * (y - 1) * (y - 2) / 6 + (int)((s64)high * (high - 1) * (high - 2) * (high - 3) / 24);
}
#endif

__device__ void settle_sides(Row &row, const Tables &tables, int earliest, int latest) {
#if SIDES
    for (int side = 0; side < SIDES; side++) {
        int when = tables.side_when[side];
        if (!tables.sides[row[BET] * SIDES + side] || when < earliest || when > latest) continue;
        for (int spot = 0; spot < SPOT_COUNT; spot++) {
            int at = spot_at(spot), first = row[at + FIRST_TWO], second = row[at + FIRST_TWO + 1], line;
            if (side < SIDES_OF_THREE) {
                int third = tables.third_is_hole[side] ? row[HOLE_CARD] : row[UP_CARD];
                line = tables.lines_of_three[((side * DECK + first) * DECK + second) * DECK + third];
            } else if (side < SIDES_OF_THREE + SIDES_OF_FOUR) {
                int place = place_of_any_four(first, second, row[UP_CARD], row[HOLE_CARD]);
                line = tables.lines_of_four[(side - SIDES_OF_THREE) * FOUR_PLACES + place];
            } else {
                line = tables.machine_line[row[at + SIDE_STATES + side - SIDES_OF_THREE - SIDES_OF_FOUR]];
            }
            row[NET] += tables.side_pay[side * LINES + line];
        }
    }
#endif
}

__device__ int void_round(Row &row, const Tables &tables, bool hole_is_seen) {
    if (!hole_is_seen) {
        if (row[HOLE_CARD] >= 0)
            row[SEEN + tables.value[row[HOLE_CARD]]] += 1;
        else if (row[UP_CARD] >= 0)
            row[SEEN + tables.value[row[UP_CARD]]] += 1;
    }
    return END_ROUND;
}

__device__ int begin_lane(Lane &lane, const Tables &tables) {
    Row &row = lane.row;
    Shoe &shoe = lane.shoe;
    int fresh = 0;
#if !INFINITE
    bool out = shoe.end != SHOE || shoe.next >= tables.cut;
    if (shoe.served == 0 || out || shoe.served >= tables.rounds_per_shoe) {
        fresh = 1;
        shoe.next = 0;
        shoe.end = SHOE;
        shoe.served = 0;
        for (int burned = 0; burned < tables.burn; burned++) shoe.take(tables);
    }
    shoe.round = shoe.next;
    shoe.dead = 0;
    shoe.served++;
#endif
    for (int value = 0; value < VALUES; value++) {
        row[BEFORE + value] = fresh || INFINITE ? 0 : row[BEFORE + value] + row[SEEN + value];
        row[SEEN + value] = 0;
    }
    for (int column = 0; column < BEFORE; column++) row[column] = 0;
    for (int column = SPOTS; column < COLUMNS; column++) row[column] = 0;
    row[START] = shoe.next;
    row[NEW_SHOE] = fresh;
    row[UP_CARD] = -1;
    row[HOLE_CARD] = -1;
    for (int spot = 0; spot < SPOT_COUNT; spot++) row[spot_at(spot) + HANDS] = 1;
    if (ASKS_BET) {
        row[PHASE] = BET_PHASE;
        return WAIT;
    }
    return DEAL;
}

__device__ bool ask_insurance(Row &row, int spot, const Tables &tables) {
    for (; spot < SPOT_COUNT; spot++) {
        bool live = row[hand_at(spot, 0) + STATUS] == LIVE;
        if (tables.amounts[row[BET] * AMOUNTS + INSURANCE] > 0 && (live || INSURES_PAID_BLACKJACK)) {
            row[PHASE] = INSURANCE_PHASE;
            row[SPOT] = spot;
            row[HAND] = 0;
            return true;
        }
    }
    return false;
}

__device__ int deal_lane(Lane &lane, const Tables &tables) {
    Row &row = lane.row;
    for (int turn = 0; turn < 2; turn++) {
        for (int spot = 0; spot < SPOT_COUNT; spot++)
            if (!give(lane, hand_at(spot, 0), tables)) return void_round(row, tables, false);
        int card = lane.shoe.draw(tables);
        if (card < 0) return void_round(row, tables, false);
        row[UP_CARD + turn] = card;
    }
    int up_card = row[UP_CARD], hole_card = row[HOLE_CARD], up = tables.value[up_card];
    row[SEEN + up] += 1;
    row[DEALER] = tables.dealer_start[up * DECK + hole_card];
    for (int spot = 0; spot < SPOT_COUNT; spot++) {
        int at = spot_at(spot), hand = hand_at(spot, 0);
        int first = row[hand + FIRST], second = row[hand + SECOND];
        row[at + FIRST_TWO] = first;
        row[at + FIRST_TWO + 1] = second;
        for (int bet = 0; bet < MACHINES; bet++) {
            int state = tables.machine_start[(bet * DECK + first) * DECK + second];
            state = tables.machine_take[(state * MACHINE_ROLES + UP) * DECK + up_card];
            row[at + SIDE_STATES + bet] = tables.machine_take[(state * MACHINE_ROLES + HOLE) * DECK + hole_card];
        }
        if (BLACKJACK_ALWAYS_WINS && is_blackjack(row, hand)) {
            row[NET] += pay_of(tables, row[BET], row[hand + STATE], 0);
            row[hand + STATUS] = CLOSED;
        }
    }
    settle_sides(row, tables, AT_UP_CARD, AT_UP_CARD);
    return up == 0 && INSURANCE_OFFERED && ask_insurance(row, 0, tables) ? WAIT : LOOK;
}

__device__ int look_under(Row &row, const Tables &tables) {
    int bet = row[BET], up = tables.value[row[UP_CARD]];
    bool undecided = false;
    for (int spot = 0; spot < SPOT_COUNT; spot++)
        undecided |= row[hand_at(spot, 0) + STATUS] != CLOSED || row[spot_at(spot) + INSURED] > 0;
    if (undecided && (up == 0 || up == TEN_VALUE)) {
        bool blackjack = row[DEALER] == -1 - DEALER_BLACKJACK;
        const int *insured = tables.insured + (bet * SUITS + row[UP_CARD] / RANKS) * DECK;
        for (int spot = 0; spot < SPOT_COUNT; spot++) {
            int hand = hand_at(spot, 0);
            if (row[spot_at(spot) + INSURED] > 0) row[NET] += insured[row[HOLE_CARD]];
            if (blackjack && row[hand + STATUS] != CLOSED) {
                row[NET] += pay_of(tables, bet, row[hand + STATE], DEALER_BLACKJACK);
                row[hand + STATUS] = CLOSED;
            }
        }
        if (blackjack) {
            row[SEEN + tables.value[row[HOLE_CARD]]] += 1;
            settle_sides(row, tables, AT_HOLE_CARD, AT_DEALERS_END);
            return END_ROUND;
        }
    }
    for (int spot = 0; spot < SPOT_COUNT; spot++) {
        int hand = hand_at(spot, 0);
        if (row[hand + STATUS] == LIVE && is_blackjack(row, hand)) {
            row[NET] += pay_of(tables, bet, row[hand + STATE], 0);
            row[hand + STATUS] = CLOSED;
        }
    }
    return PLAY_ON;
}

__device__ int play_on(Row &row, const Tables &tables) {
    int spot = row[SPOT], hand = row[HAND];
    if (row[PHASE] != PLAY_PHASE) spot = hand = 0;
    for (; spot < SPOT_COUNT; spot++, hand = 0)
        for (; hand < row[spot_at(spot) + HANDS]; hand++) {
            int at = hand_at(spot, hand);
            if (row[at + STATUS] != LIVE) continue;
            if (options_of(row, spot, at, tables)) {
                row[PHASE] = PLAY_PHASE;
                row[SPOT] = spot;
                row[HAND] = hand;
                return WAIT;
            }
            row[at + STATUS] = STOOD;
        }
    return DEALER_PLAYS;
}

__device__ int play_dealer(Lane &lane, const Tables &tables) {
    Row &row = lane.row;
    row[SEEN + tables.value[row[HOLE_CARD]]] += 1;
    settle_sides(row, tables, AT_HOLE_CARD, AT_HOLE_CARD);
    int bet = row[BET], dealer = row[DEALER];
    bool waits = false;
#if SIDES
    for (int side = 0; side < SIDES; side++)
        waits |= tables.sides[bet * SIDES + side] && tables.side_when[side] == AT_DEALERS_END;
#endif
    for (int spot = 0; spot < SPOT_COUNT; spot++)
        for (int hand = 0; hand < row[spot_at(spot) + HANDS]; hand++)
            waits |= row[hand_at(spot, hand) + STATUS] == STOOD;
    while (waits && dealer >= 0) {
        int card = lane.shoe.draw(tables);
        if (card < 0) {
            row[DEALER] = dealer;
            return void_round(row, tables, true);
        }
        row[SEEN + tables.value[card]] += 1;
        dealer = tables.dealer_take[dealer * DECK + card];
        for (int spot = 0; spot < SPOT_COUNT; spot++)
            for (int side = 0; side < MACHINES; side++) {
                int at = spot_at(spot) + SIDE_STATES + side;
                row[at] = tables.machine_take[(row[at] * MACHINE_ROLES + DRAW) * DECK + card];
            }
    }
    row[DEALER] = dealer;
    for (int spot = 0; spot < SPOT_COUNT; spot++)
        for (int hand = 0; hand < row[spot_at(spot) + HANDS]; hand++) {
            int at = hand_at(spot, hand);
            if (row[at + STATUS] == STOOD) {
                row[NET] += pay_of(tables, bet, row[at + STATE], -1 - dealer);
                row[at + STATUS] = CLOSED;
            }
        }
    settle_sides(row, tables, AT_DEALERS_END, AT_DEALERS_END);
    return END_ROUND;
}

__device__ void start_split_hand(Row &row, int at, int card, const Tables &tables) {
    int value = tables.value[card];
    row[at + STATE] = tables.split_hand[card];
    row[at + POINTS] = value + 1;
    row[at + ACE] = value == 0;
    row[at + CARDS] = 1;
    row[at + FIRST] = card;
    row[at + SECOND] = 0;
    row[at + DOUBLES] = 0;
    row[at + STATUS] = LIVE;
}

__device__ bool split_hand(Lane &lane, int spot, int hand, const Tables &tables) {
    Row &row = lane.row;
    int hands = row[spot_at(spot) + HANDS], at = hand_at(spot, hand);
    for (int column = hand_at(spot, hands) - 1; column >= at + HAND_FIELDS; column--)
        row[column + HAND_FIELDS] = row[column];
    row[spot_at(spot) + HANDS] = hands + 1;
    int second = row[at + SECOND];
    start_split_hand(row, at, row[at + FIRST], tables);
    start_split_hand(row, at + HAND_FIELDS, second, tables);
    for (int half = 0; half < 2; half++) {
        if (!give(lane, at + half * HAND_FIELDS, tables)) return false;
        settle_at_once(row, at + half * HAND_FIELDS, tables);
    }
    return true;
}

__device__ int play(Lane &lane, int action, const Tables &tables) {
    Row &row = lane.row;
    int spot = row[SPOT], hand = row[HAND], bet = row[BET], at = hand_at(spot, hand);
    if (action == STAND) {
        row[at + STATUS] = STOOD;
    } else if (action == GIVE_UP) {
        row[NET] += tables.amounts[bet * AMOUNTS + SURRENDER];
        row[at + STATUS] = CLOSED;
    } else if (action == RESCUE) {
        row[NET] += tables.rescue[bet * STATES + row[at + STATE]];
        row[at + STATUS] = CLOSED;
    } else if (action == SPLIT) {
        if (!split_hand(lane, spot, hand, tables)) return void_round(row, tables, false);
    } else {
        if (action == DOUBLE) {
            row[at + STATE] = tables.doubled[row[at + STATE]];
            row[at + DOUBLES] += 1;
        }
        if (!give(lane, at, tables)) return void_round(row, tables, false);
        settle_at_once(row, at, tables);
    }
    return PLAY_ON;
}

__device__ int decide_lane(Lane &lane, int action, const Tables &tables) {
    Row &row = lane.row;
    int phase = row[PHASE];
    if (phase == PLAY_PHASE) return play(lane, action, tables);
    if (phase == INSURANCE_PHASE) {
        int spot = row[SPOT];
        if (action == INSURE) {
            row[spot_at(spot) + INSURED] = tables.amounts[row[BET] * AMOUNTS + INSURANCE];
        } else if (action == EVEN_MONEY) {
            row[NET] += tables.amounts[row[BET] * AMOUNTS + EVEN_MONEY_PAYS];
            row[hand_at(spot, 0) + STATUS] = CLOSED;
        }
        return ask_insurance(row, spot + 1, tables) ? WAIT : LOOK;
    }
    if (phase == BET_PHASE) {
        row[BET] = action - FIRST_BET;
        return DEAL;
    }
    return END_ROUND;
}

// Up to the next decision or the end of the round; whether it ended.
__device__ bool go_on(Lane &lane, int what, const Tables &tables) {
    if (what == BEGIN) what = begin_lane(lane, tables);
    if (what == DEAL) what = deal_lane(lane, tables);
    if (what == LOOK) what = look_under(lane.row, tables);
    if (what == PLAY_ON) what = play_on(lane.row, tables);
    if (what == DEALER_PLAYS) what = play_dealer(lane, tables);
    return what == END_ROUND;
}

__device__ bool shoe_is_over(const Shoe &shoe, const Tables &tables) {
    return shoe.end != SHOE || shoe.next >= tables.cut || shoe.served >= tables.rounds_per_shoe;
}

__device__ void begin_episode(Lane &lane) {
    if (WHOLE_SHOE) lane.shoe.served = 0;
}

// Write down what is seen of a table, and keep what is allowed as bits, all bets as one.
__device__ void show(Lane &lane, int number, int lanes, const Tables &tables, const Shown &shown) {
    Row &row = lane.row;
    int spot = row[SPOT], hand = row[HAND], at = hand_at(spot, hand), hands = row[spot_at(spot) + HANDS];
    int points = row[at + POINTS], cards = row[at + CARDS], state = row[at + STATE], up_card = row[UP_CARD];
    bool soft = row[at + ACE] == 1 && points + ACE_MORE <= BLACKJACK_TOTAL;
    if (hands >= MAX_HANDS) state = tables.unpaired[state];
    s64 *to = shown.numbers + number;
    s64 stride = lanes;
    to[0] = row[BET];
    to[stride] = cards;
    to[2 * stride] = row[at + DOUBLES];
    to[3 * stride] = hands > 1;
    to[4 * stride] = hand;
    to[5 * stride] = hands;
    to[6 * stride] = row[NEW_SHOE];
    to[7 * stride] = cards == 2 ? tables.pair[row[at + FIRST] * DECK + row[at + SECOND]] : 0;
    to[8 * stride] = soft;
    to[9 * stride] = spot;
    to[10 * stride] = state;
    to[11 * stride] = soft ? points + ACE_MORE : points;
    to[12 * stride] = up_card >= 0 ? tables.value[up_card] + 1 : 0;
    bool ran_out = !INFINITE && lane.shoe.end != SHOE;
    for (int value = 0; value < VALUES; value++)
        shown.seen[(s64)number * VALUES + value] = row[SEEN + value] + (ran_out ? 0 : row[BEFORE + value]);
    int options = 0, phase = row[PHASE];
    if (!row[DONE]) {
        if (phase == PLAY_PHASE) {
            options = tables.may[state];
        } else if (phase == INSURANCE_PHASE) {
            options = 1 << STAND | 1 << INSURE;
            if (EVEN_MONEY_OFFERED && row[at + STATUS] == LIVE && is_blackjack(row, at)) options |= 1 << EVEN_MONEY;
        } else if (phase == SHOWN_PHASE) {
            options = 1 << STAND;
        } else if (phase == BET_PHASE) {
            options = 1 << FIRST_BET;
        }
    }
    row[ALLOWED] = options;
    for (int action = 0; action < ACTIONS; action++)
        shown.mask[(s64)number * ACTIONS + action] = options >> (action < FIRST_BET ? action : FIRST_BET) & 1;
}

__device__ __forceinline__ bool is_allowed(const Row &row, s64 action) {
    if (action < 0 || action >= ACTIONS) return false;
    return row[ALLOWED] >> (action < FIRST_BET ? (int)action : FIRST_BET) & 1;
}

// Begin an episode on the tables that `which` names.
extern "C" __global__ void begin_lanes(Tables tables, Lanes lanes, Shown shown, const u8 *which) {
    int number = blockIdx.x * blockDim.x + threadIdx.x;
    if (number >= lanes.lanes || !which[number]) return;
    Lane lane(lanes, number);
    begin_episode(lane);
    if (go_on(lane, BEGIN, tables)) lane.row[PHASE] = SHOWN_PHASE;
    shown.rewards[number] = 0.0;
    shown.over[number] = shown.illegal[number] = shown.ended[number] = 0;
    shown.nets[number] = 0;
    show(lane, number, lanes.lanes, tables, shown);
    lane.keep(lanes, number);
}

// The first table whose action is not allowed, into `first`; with `resets`, a table that is over takes any action.
extern "C" __global__ void find_illegal(Lanes lanes, const s64 *actions, int resets, int *first) {
    int number = blockIdx.x * blockDim.x + threadIdx.x;
    if (number >= lanes.lanes) return;
    Row row = {lanes.rows + number, lanes.lanes};
    if (resets && row[DONE] && actions[number] >= 0 && actions[number] < ACTIONS) return;
    if (!is_allowed(row, actions[number])) atomicMin(first, number);
}

// Take one step on every table, as `step_lanes` of the CPU: an action that is not allowed ends the episode, or with
// `costs` changes nothing; with `begins_again` a table that is over begins its next episode in place of the step.
extern "C" __global__ void step_lanes(
    Tables tables, Lanes lanes, Shown shown, const s64 *actions, int costs, int begins_again) {
    int number = blockIdx.x * blockDim.x + threadIdx.x;
    if (number >= lanes.lanes) return;
    Lane lane(lanes, number);
    Row &row = lane.row;
    double reward = 0.0;
    s64 net = 0;
    u8 illegal = 0, ended = 0;
    bool stays = false;
    int what = WAIT;
    if (row[DONE]) {
        stays = !begins_again;
        if (begins_again) {
            begin_episode(lane);
            shown.over[number] = 0;
            what = BEGIN;
        }
    } else if (!is_allowed(row, actions[number])) {
        reward = tables.penalty;
        illegal = 1;
        stays = costs;
        if (!costs) {
            row[DONE] = 1;
            shown.over[number] = 1;
        }
    } else {
        what = decide_lane(lane, (int)actions[number], tables);
    }
    while (!stays) {
        bool begun = what == BEGIN;
        if (!go_on(lane, what, tables)) break;
        if (begun) {
            row[PHASE] = SHOWN_PHASE;
            break;
        }
        ended = 1;
        net = row[NET];
        reward = net / tables.one_wager;
        if (!WHOLE_SHOE || shoe_is_over(lane.shoe, tables)) {
            row[PHASE] = OVER_PHASE;
            row[DONE] = 1;
            shown.over[number] = 1;
            break;
        }
        what = BEGIN;
    }
    shown.rewards[number] = reward;
    shown.nets[number] = net;
    shown.illegal[number] = illegal;
    shown.ended[number] = ended;
    if (stays) return;
    show(lane, number, lanes.lanes, tables, shown);
    lane.keep(lanes, number);
}
