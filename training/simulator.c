/*
 * Marriage in C, for the thousands of games that training and judging a player need.
 *
 * It plays what `marriage` plays under the rules of the presets `pagat`, `murder` and `kidnap`: groups of three, no man cards and
 * no master card, any discard free to an unseen player, one stock for all or a stock for every seat. `tests/training/test_simulator.py` plays the same
 * deals here and on the engine, and compares every move.
 *
 * A face is a number from 0 to 51, `suit * 13 + rank`. A mask is a set of faces with sixteen bits for each suit.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t Mask;

enum { FACES = 52, SUITS = 4, RANKS = 13, DECK = 156, DEALT = 21, MOST_SEATS = 5, NOBODY = 255 };
enum { UNSEEN = 0, BY_GROUPS = 1, BY_DUBLEES = 2 };
enum { DISCARD_FEATURES = 56, TAKE_FEATURES = 40, MOST_OPTIONS = 32, HIDDEN = 64 };
enum { MOST_TURNS = 600, FAR = 20 };

#define FIRST_RANK 0x0001000100010001ULL
#define EVERY_FACE 0x1FFF1FFF1FFF1FFFULL
#define ONE_SUIT 0x1FFFULL

static Mask BIT[FACES];   /* the mask of a face */
static int FACE[64];      /* the face of a bit */
static Mask BESIDE[FACES]; /* faces that may share a group of at most five with a face: what `discards` calls neighbours */
static Mask WILD[FACES];  /* the wild faces of a tiplu */
static int ABOVE[FACES], BELOW[FACES]; /* poplu and jhiplu */

static inline int size_of(Mask mask) { return __builtin_popcountll(mask); }
static inline int lowest(Mask mask) { return __builtin_ctzll(mask); }
static inline int least(int a, int b) { return a < b ? a : b; }
static inline int most_of(int a, int b) { return a > b ? a : b; }

/* The faces of a suit that are `reach` ranks or fewer from a rank; the ace lies at both ends. */
static Mask beside_in_suit(int face, int reach)
{
    int suit = face / RANKS, rank = face % RANKS;
    Mask found = 0;
    for (int place = 0; place <= RANKS; place++) {
        int near = abs(place - rank) <= reach || (rank == 0 && abs(place - RANKS) <= reach);
        if (near) found |= BIT[suit * RANKS + place % RANKS];
    }
    return found;
}

static void prepare(void)
{
    static int done = 0;
    if (done) return;
    for (int face = 0; face < FACES; face++) {
        int bit = face / RANKS * 16 + face % RANKS;
        BIT[face] = 1ULL << bit;
        FACE[bit] = face;
    }
    for (int face = 0; face < FACES; face++) {
        int suit = face / RANKS, rank = face % RANKS;
        Mask same_rank = FIRST_RANK << rank;
        ABOVE[face] = suit * RANKS + (rank + 1) % RANKS;
        BELOW[face] = suit * RANKS + (rank + RANKS - 1) % RANKS;
        WILD[face] = same_rank | BIT[ABOVE[face]] | BIT[BELOW[face]];
        BESIDE[face] = beside_in_suit(face, 4) | same_rank;
    }
    done = 1;
}

/* ------------------------------------------------------------------ random numbers: splitmix64 */

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

static double uniform(uint64_t *state) { return (double)(next_random(state) >> 11) / 9007199254740992.0; }

static void shuffle(uint8_t *cards, int count, uint64_t *state)
{
    for (int last = count - 1; last > 0; last--) {
        int other = (int)((next_random(state) >> 11) % (uint64_t)(last + 1));
        uint8_t card = cards[last];
        cards[last] = cards[other];
        cards[other] = card;
    }
}

/* ------------------------------------------------------------------ cards held, and the distance to groups */

typedef struct { Mask one, two, three; } Cards; /* the faces held at least once, twice, three times */

static inline Cards with(Cards held, Mask faces)
{
    held.three |= held.two & faces;
    held.two |= held.one & faces;
    held.one |= faces;
    return held;
}

static inline Cards less(Cards held, Mask faces)
{
    Cards rest = {(held.one & ~faces) | (held.two & faces), (held.two & ~faces) | (held.three & faces), held.three & ~faces};
    return rest;
}

static inline Cards without_all(Cards held, Mask faces)
{
    Cards rest = {held.one & ~faces, held.two & ~faces, held.three & ~faces};
    return rest;
}

static inline int count_in(Cards held, Mask faces)
{
    return size_of(held.one & faces) + size_of(held.two & faces) + size_of(held.three & faces);
}

static inline int count_of(Cards held) { return count_in(held, ~0ULL); }

static Cards cards_of(const uint8_t *copies)
{
    Cards held = {0, 0, 0};
    for (int face = 0; face < FACES; face++) {
        if (copies[face] > 0) held.one |= BIT[face];
        if (copies[face] > 1) held.two |= BIT[face];
        if (copies[face] > 2) held.three |= BIT[face];
    }
    return held;
}

typedef struct { Mask faces; int tunnela, pure; } Whole;

/* One search for the fewest holes: see `marriage/solver/three.py`, whose terms these are. */
typedef struct {
    Mask live;      /* the faces that may still come */
    int stand_ins;  /* whether a wild card may fill an empty place of a group that is not primary */
    int best;       /* the fewest holes so far */
    int enough;     /* the search ends at this number */
    int count;
    Whole wholes[96];
} Search;

static Mask runs_in(Mask faces) /* the lowest faces of the runs of three; a run with the ace high begins with the queen */
{
    Mask wide = faces | ((faces & FIRST_RANK) << RANKS);
    return wide & (wide >> 1) & (wide >> 2) & 0x0FFF0FFF0FFF0FFFULL;
}

static Mask run_from(Mask low)
{
    return (lowest(low) & 15) == 11 ? low | low << 1 | low >> 11 : low | low << 1 | low << 2;
}

static int list_pure(Cards held, Whole *found)
{
    int count = 0;
    for (Mask left = runs_in(held.one); left; left &= left - 1) found[count++] = (Whole){run_from(left & -left), 0, 1};
    for (Mask left = held.three; left; left &= left - 1) found[count++] = (Whole){left & -left, 1, 1};
    return count;
}

static int list_trials(Cards held, Whole *found)
{
    int count = 0;
    for (int rank = 0; rank < RANKS; rank++) {
        Mask there = held.one & (FIRST_RANK << rank);
        if (size_of(there) == 3) found[count++] = (Whole){there, 0, 0};
        if (size_of(there) == 4)
            for (Mask left = there; left; left &= left - 1) found[count++] = (Whole){there ^ (left & -left), 0, 0};
    }
    return count;
}

static inline int holds(Cards held, const Whole *whole)
{
    return whole->tunnela ? (held.three & whole->faces) != 0 : (held.one & whole->faces) == whole->faces;
}

static inline Cards laid_from(Cards held, const Whole *whole)
{
    return whole->tunnela ? without_all(held, whole->faces) : less(held, whole->faces);
}

/* The other face of a run that holds `low`, and the faces that complete the two; 0 if there is no such pair. */
static Mask partner(Mask low, int kind, Mask *completing)
{
    int rank = lowest(low) & 15;
    switch (kind) {
    case 0: /* the next rank */
        if (rank > 11) return 0;
        *completing = (rank > 0 ? low >> 1 : 0) | (rank < 11 ? low << 2 : low >> 11);
        return low << 1;
    case 1: /* the next but one */
        if (rank > 10) return 0;
        *completing = low << 1;
        return low << 2;
    case 2: /* the queen below a high ace */
        if (rank) return 0;
        *completing = low << 12;
        return low << 11;
    default: /* the king below a high ace */
        if (rank) return 0;
        *completing = low << 11;
        return low << 12;
    }
}

static void lay_pairs(Search *search, Cards held, int primary, int general, int lack, int fixed);

static void pair_in_suit(Search *search, Cards held, Mask low, int primary, int general, int lack, int fixed)
{
    for (int kind = 0; kind < 4 && search->best > search->enough; kind++) {
        Mask completing = 0, other = partner(low, kind, &completing);
        if (!(held.one & other)) continue;
        int comes = (search->live & completing) != 0;
        Cards rest = less(held, low | other);
        if (primary && comes) lay_pairs(search, rest, primary - 1, general, lack, fixed + 1);
        if (general && lack > 0 && (search->stand_ins || comes)) lay_pairs(search, rest, primary, general - 1, lack - 1, fixed);
    }
}

static void pair_of_face(Search *search, Cards held, Mask low, int primary, int general, int lack, int fixed)
{
    if (!(held.two & low & search->live)) return;
    Cards rest = less(less(held, low), low);
    if (primary) lay_pairs(search, rest, primary - 1, general, lack, fixed + 1);
    if (general && lack > 1) lay_pairs(search, rest, primary, general - 1, lack - 2, fixed + 1);
}

static void pair_in_rank(Search *search, Cards held, Mask low, int primary, int general, int lack, int fixed)
{
    Mask rank = FIRST_RANK << (lowest(low) & 15);
    if (!general || lack <= 0) return;
    for (Mask left = held.one & rank & ~(low | (low - 1)); left; left &= left - 1) {
        Mask other = left & -left;
        if (!search->stand_ins && !(search->live & rank & ~low & ~other)) continue;
        lay_pairs(search, less(held, low | other), primary, general - 1, lack - 1, fixed);
    }
}

/*
 * Fill open groups with pairs. Each is assumed to hold one card, so it has two holes. `lack` is how many more holes the groups
 * that are not primary have than wild cards are left; `fixed` are the holes that only a natural card fills.
 */
static void lay_pairs(Search *search, Cards held, int primary, int general, int lack, int fixed)
{
    int short_of = most_of(lack, 0), holes = fixed + 2 * primary + short_of;
    int gain = primary + least(general, short_of);
    if (holes < search->best) search->best = holes;
    while (search->best > search->enough && held.one && holes - least(gain, count_of(held) / 2) < search->best) {
        Mask low = held.one & -held.one;
        pair_in_suit(search, held, low, primary, general, lack, fixed);
        if (search->best > search->enough) pair_of_face(search, held, low, primary, general, lack, fixed);
        if (search->best > search->enough) pair_in_rank(search, held, low, primary, general, lack, fixed);
        held = without_all(held, low);
    }
}

/* Lay whole groups from a place of the list on; a pure one goes to the primary groups while one of those is open. */
static void lay_wholes(Search *search, int start, Cards held, int primary, int general, int lack)
{
    int bound = primary + most_of(lack - general, 0);
    if (bound < search->best) {
        int enough = search->enough;
        search->enough = most_of(enough, bound);
        lay_pairs(search, held, primary, general, lack, 0);
        search->enough = enough;
    }
    for (int place = start; place < search->count && search->best > search->enough && (primary || general); place++) {
        const Whole *whole = &search->wholes[place];
        if (!holds(held, whole)) continue;
        if (whole->pure && primary) lay_wholes(search, place, laid_from(held, whole), primary - 1, general, lack);
        else if (general && !(whole->pure && primary))
            lay_wholes(search, place, laid_from(held, whole), primary, general - 1, lack - 2);
    }
}

/* The fewest holes, exact up to `most` and `most` + 1 above; the search ends as soon as it finds `enough`. */
static int least_holes(Cards held, int primary, int general, int spare, Mask live, int stand_ins, int most, int enough)
{
    Search search = {.live = live, .stand_ins = stand_ins, .best = most + 1, .enough = enough};
    search.count = list_pure(held, search.wholes);
    if (general) search.count += list_trials(held, search.wholes + search.count);
    lay_wholes(&search, 0, held, primary, general, 2 * general - spare);
    return search.best;
}

/* ------------------------------------------------------------------ the distance to a show, suit by suit */

enum { CACHED = 1 << 15 };
typedef struct { uint8_t of[4]; } Gains; /* the holes that a suit saves in 0, 1, 2 or 3 primary groups */

static Gains suit_gains(Cards held, Mask live, int suit)
{
    static uint64_t cache[CACHED];
    int shift = 16 * suit;
    Mask one = held.one >> shift & ONE_SUIT, two = held.two >> shift & ONE_SUIT, three = held.three >> shift & ONE_SUIT;
    Mask coming = live >> shift & ONE_SUIT;
    Gains gains = {{0, 0, 0, 0}};
    if (!one) return gains;
    uint64_t key = one | two << 13 | three << 26 | coming << 39;
    uint64_t *entry = &cache[key * 0x9E3779B97F4A7C15ULL >> 49];
    if (*entry >> 12 != key || !*entry) {
        uint64_t packed = 0;
        for (int groups = 1; groups <= 3; groups++) {
            Cards cards = {one, two, three};
            int saved = 2 * groups - least_holes(cards, groups, 0, 0, coming, 0, 2 * groups, 0);
            packed |= (uint64_t)saved << 4 * (groups - 1);
        }
        *entry = key << 12 | packed;
    }
    for (int groups = 1; groups <= 3; groups++) gains.of[groups] = *entry >> 4 * (groups - 1) & 15;
    return gains;
}

static Gains joined(Gains first, Gains second)
{
    Gains both = {{0, 0, 0, 0}};
    for (int total = 1; total <= 3; total++)
        for (int own = 0; own <= total; own++)
            both.of[total] = (uint8_t)most_of(both.of[total], first.of[own] + second.of[total - own]);
    return both;
}

static int show_distance(Cards held, int primary, Mask live)
{
    Gains gains = suit_gains(held, live, 0);
    for (int suit = 1; suit < SUITS; suit++) gains = joined(gains, suit_gains(held, live, suit));
    return 2 * primary - gains.of[primary];
}

/* The faces at most two ranks from a held one in its suit, and with `ranks` also those of the same rank. */
static Mask around(Mask faces, int ranks)
{
    Mask near = faces | ((faces << 1 | faces << 2 | faces >> 1 | faces >> 2) & EVERY_FACE);
    near |= (faces >> 12 & FIRST_RANK) | (faces >> 11 & FIRST_RANK);
    near |= (faces & FIRST_RANK) << 12 | (faces & FIRST_RANK) << 11;
    if (ranks) near |= ((faces | faces >> 16 | faces >> 32 | faces >> 48) & ONE_SUIT) * FIRST_RANK;
    return near & EVERY_FACE;
}

/* The faces that would bring the show, `distance` cards away, nearer. */
static Mask show_outs(Cards held, int primary, Mask live, int distance)
{
    Mask outs = 0;
    Gains of[SUITS], none = {{0, 0, 0, 0}};
    for (int suit = 0; suit < SUITS; suit++) of[suit] = suit_gains(held, live, suit);
    for (int suit = 0; suit < SUITS; suit++) {
        Gains others = none;
        for (int other = 0; other < SUITS; other++)
            if (other != suit) others = joined(others, of[other]);
        Mask near = live & around(held.one, 0) & (ONE_SUIT << 16 * suit);
        for (; near; near &= near - 1) {
            Mask face = near & -near;
            Gains gains = joined(others, suit_gains(with(held, face), live, suit));
            if (2 * primary - gains.of[primary] < distance) outs |= face;
        }
    }
    return outs;
}

/* ------------------------------------------------------------------ points */

static int row(const int *values, int known, int count)
{
    int listed = least(count, known);
    return count > 0 ? values[listed - 1] + (count - listed) * values[0] : 0;
}

static const int TIPLU_ROW[] = {3, 7}, MAAL_ROW[] = {2, 5, 10}, MARRIAGE_ROW[] = {10, 30};
static const int TUNNELA_ROW[] = {5, 10, 15}, JOKER_ROW[] = {10, 20, 30}, MAAL_TUNNELA_ROW[] = {20, 40};

/* The points of so many jhiplu, tiplu and poplu, in as many marriages as is best. */
static int card_points(int jhiplu, int tiplu, int poplu)
{
    int best = 0;
    for (int marriages = least(jhiplu, least(tiplu, poplu)); marriages >= 0; marriages--) {
        int points = row(MARRIAGE_ROW, 2, marriages) + row(TIPLU_ROW, 2, tiplu - marriages);
        points += row(MAAL_ROW, 3, jhiplu - marriages) + row(MAAL_ROW, 3, poplu - marriages);
        best = most_of(best, points);
    }
    return best;
}

static int hand_points(const uint8_t *all, int tiplu, const uint8_t *exposed, int count)
{
    int best = 0;
    for (int chosen = 0; chosen < 1 << count; chosen++) {
        int below = all[BELOW[tiplu]], itself = all[tiplu], above = all[ABOVE[tiplu]];
        int plain = 0, jokers = 0, maal = 0;
        for (int place = 0; place < count; place++) {
            int face = exposed[place];
            if (!(chosen >> place & 1)) continue;
            if (face == ABOVE[tiplu]) above -= 3, maal++;
            else if (face == BELOW[tiplu]) below -= 3, maal++;
            else if (face % RANKS == tiplu % RANKS) itself -= face == tiplu ? 3 : 0, jokers++;
            else plain++;
        }
        int points = row(TUNNELA_ROW, 3, plain) + row(JOKER_ROW, 3, jokers) + row(MAAL_TUNNELA_ROW, 2, maal);
        best = most_of(best, points + card_points(below, itself, above));
    }
    return best;
}

/* ------------------------------------------------------------------ the game */

typedef struct {
    int32_t seats, murder, kidnap, seen_pay, unseen_pay, dublee_bonus, reshuffles;
    int32_t one_stock; /* an ordinary deal: all seats draw from the stock of seat 0 */
} Rules;

typedef struct {
    uint8_t held[FACES]; /* in hand: neither laid nor exposed */
    uint8_t all[FACES];
    uint8_t exposed[7];
    int8_t exposed_count, shown;
    int16_t count; /* of the cards in hand */
    Mask pairs_laid;
    uint8_t laid[9];
    int8_t laid_count;
    int16_t net, turns, takes;
} Seat;

typedef struct {
    Rules rules;
    Seat seat[MOST_SEATS];
    uint8_t stock[MOST_SEATS][DECK];
    uint8_t next[MOST_SEATS], end[MOST_SEATS];
    uint8_t pile[DECK], thrower[DECK];
    uint8_t aside[MOST_SEATS];
    int16_t pile_count, aside_count;
    int16_t tiplu;
    int8_t turned, turn, taken, over, winner, shown_now; /* `taken` is -1 after a draw */
    int16_t reshuffles;
    uint64_t chance;
} Game;

typedef struct { int32_t hidden; const float *first, *bias, *second, *skip; } Net;

typedef struct {
    int32_t master;   /* collects dublees sooner, and takes for the show alone */
    double wider;     /* how much wider a wait has to become to take a card for it; 1 for never */
    Net discard, take; /* nets without hidden units and weights are not used */
} Player;

static void deal(Game *game, const Rules *rules, const uint8_t *deck, int dealer, uint64_t chance)
{
    int seats = rules->seats, at = 0;
    memset(game, 0, sizeof *game);
    game->rules = *rules;
    game->chance = chance;
    for (int place = 1; place <= seats; place++) {
        Seat *seat = &game->seat[(dealer + place) % seats];
        for (int card = 0; card < DEALT; card++) seat->held[deck[at++]]++;
        memcpy(seat->all, seat->held, FACES);
        seat->count = DEALT;
    }
    game->thrower[0] = NOBODY;
    game->pile[game->pile_count++] = deck[at++];
    game->tiplu = deck[at++];
    int each = rules->one_stock ? 0 : (DECK - at) / seats;
    while (rules->one_stock && at < DECK) game->stock[0][game->end[0]++] = deck[at++];
    for (int card = 0; card < each * seats; card++) {
        int seat = (dealer + 1 + card) % seats;
        game->stock[seat][game->end[seat]++] = deck[at++];
    }
    while (at < DECK) game->aside[game->aside_count++] = deck[at++];
    game->turn = (int8_t)((dealer + 1) % seats);
    game->taken = -1;
    game->winner = -1;
}

static void expose(Seat *seat, int face)
{
    seat->exposed[seat->exposed_count++] = (uint8_t)face;
    seat->count -= seat->held[face];
    seat->held[face] = 0;
}

static void expose_all(Seat *seat)
{
    for (int face = 0; face < FACES; face++)
        if (seat->held[face] == 3) expose(seat, face);
}

static void expose_tunnelas(Game *game)
{
    for (int place = 0; place < game->rules.seats; place++) expose_all(&game->seat[place]);
}

static int is_exposed(const Seat *seat, int face)
{
    for (int place = 0; place < seat->exposed_count; place++)
        if (seat->exposed[place] == face) return 1;
    return 0;
}

static int open_primary(const Seat *seat) { return seat->shown ? 0 : most_of(0, 3 - seat->exposed_count); }

/* The groups of a finish that are still open; after a show, tunnelas that lie open beside the groups shown take places too. */
static int open_general(const Seat *seat)
{
    return seat->shown == BY_GROUPS ? seat->count / 3 : 4 - most_of(0, seat->exposed_count - 3);
}

static int pair_count(const Seat *seat)
{
    int pairs = 0;
    for (int face = 0; face < FACES; face++) pairs += seat->all[face] >= 2;
    return pairs;
}

static void gain(Seat *seat, int face) { seat->held[face]++, seat->all[face]++, seat->count++; }
static void lose(Seat *seat, int face) { seat->held[face]--, seat->all[face]--, seat->count--; }

static void settle(Game *game, int winner, int by_dublees)
{
    int seats = game->rules.seats, points[MOST_SEATS], total = 0, kidnapped = 0;
    game->over = 1;
    game->winner = (int8_t)winner;
    for (int place = 0; place < seats; place++) {
        const Seat *seat = &game->seat[place];
        points[place] = hand_points(seat->all, game->tiplu, seat->exposed, seat->shown ? seat->exposed_count : 0);
        if (!seat->shown && game->rules.kidnap) kidnapped += points[place];
        if (!seat->shown && (game->rules.murder || game->rules.kidnap)) points[place] = 0;
    }
    points[winner] += kidnapped;
    for (int place = 0; place < seats; place++) total += points[place];
    for (int place = 0; place < seats; place++) game->seat[place].net += (int16_t)(seats * points[place] - total);
    for (int place = 0; place < seats; place++) {
        if (place == winner) continue;
        int pays = game->seat[place].shown ? game->rules.seen_pay : game->rules.unseen_pay;
        if (by_dublees) pays += game->rules.dublee_bonus;
        game->seat[place].net -= (int16_t)pays;
        game->seat[winner].net += (int16_t)pays;
    }
}

/* What a seat may know: the copies of each face that it cannot see. */
typedef struct { uint8_t left[FACES]; Mask live; int unseen; } Known;

static Known known_to(const Game *game, int viewer)
{
    Known known = {.live = 0, .unseen = 0};
    int gone[FACES];
    for (int face = 0; face < FACES; face++) gone[face] = game->seat[viewer].all[face];
    for (int place = 0; place < game->pile_count; place++) gone[game->pile[place]]++;
    for (int place = 0; place < game->rules.seats; place++) {
        const Seat *seat = &game->seat[place];
        if (place == viewer || !(seat->shown || seat->exposed_count)) continue;
        for (int face = 0; face < FACES; face++) gone[face] += seat->all[face] - seat->held[face];
    }
    if (game->seat[viewer].shown) gone[game->tiplu]++;
    for (int face = 0; face < FACES; face++) {
        known.left[face] = (uint8_t)(3 - gone[face]);
        known.unseen += known.left[face];
        if (known.left[face]) known.live |= BIT[face];
    }
    return known;
}

static int copies_in(Mask faces, const Known *known)
{
    int copies = 0;
    for (; faces; faces &= faces - 1) copies += known->left[FACE[lowest(faces)]];
    return copies;
}

/* The distance to a finish before a show: nothing is wild. */
static int unseen_finish(const Seat *seat, Cards held, Mask live, int most, int enough)
{
    return least_holes(held, open_primary(seat), open_general(seat), 0, live, 0, most, enough);
}

/* The distance to a finish after a show. */
static int seen_finish(const Seat *seat, Cards held, int tiplu, Mask live, int most, int enough)
{
    int wild = count_in(held, WILD[tiplu]);
    return least_holes(without_all(held, WILD[tiplu]), 0, open_general(seat), wild, live, 1, most, enough);
}

/* The faces that would bring the finish, `distance` cards away, nearer; after a show. */
static Mask finish_outs(const Seat *seat, Cards held, int tiplu, Mask live, int distance, Mask among)
{
    Mask outs = 0, wild = WILD[tiplu], target = live & among;
    int enough = distance - 1;
    if (target & wild) {
        Cards natural = without_all(held, wild);
        int spare = count_in(held, wild) + 1;
        if (least_holes(natural, 0, open_general(seat), spare, live, 1, enough, enough) <= enough) outs |= target & wild;
    }
    for (Mask left = target & ~wild & around(held.one & ~wild, 1); left; left &= left - 1) {
        Mask face = left & -left;
        if (seen_finish(seat, with(held, face), tiplu, live, enough, enough) <= enough) outs |= face;
    }
    return outs;
}

/* ------------------------------------------------------------------ greedy+outs and the master */

static int collects_dublees(const Seat *seat, Cards held, Mask live, const Player *player)
{
    static const int8_t GREEDY[] = {DEALT, DEALT, 6}, MASTER[] = {7, 6, 5};
    int pairs = pair_count(seat);
    if (pairs < (player->master ? 5 : 6)) return 0;
    int lacking = least(show_distance(held, open_primary(seat), live), 2);
    return pairs >= (player->master ? MASTER : GREEDY)[lacking];
}

/* The faces that may be thrown: not the one just taken, unless there is no other. */
static int throwable(const Game *game, const Seat *seat, int *faces)
{
    int count = 0;
    for (int face = 0; face < FACES; face++)
        if (seat->held[face] && face != game->taken) faces[count++] = face;
    if (!count) faces[count++] = game->taken;
    return count;
}

static int dublee_discard(const Game *game, int place, const Known *known)
{
    const Seat *seat = &game->seat[place];
    int faces[FACES], count = throwable(game, seat, faces), best = faces[0];
    int wanted = seat->shown ? 8 : 7;
    long best_key = -1;
    int worth = seat->shown ? hand_points(seat->all, game->tiplu, seat->exposed, seat->exposed_count) : 0;
    for (int option = 0; option < count; option++) {
        uint8_t rest[FACES];
        int pairs = 0, outs = 0, lost = 0, thrown = faces[option];
        memcpy(rest, seat->all, FACES);
        rest[thrown]--;
        for (int face = 0; face < FACES; face++) {
            pairs += rest[face] >= 2;
            if (rest[face] == 1) outs += known->left[face];
        }
        if (seat->shown && (thrown == game->tiplu || thrown == ABOVE[game->tiplu] || thrown == BELOW[game->tiplu]))
            lost = worth - hand_points(rest, game->tiplu, seat->exposed, seat->exposed_count);
        long key = (((long)most_of(0, wanted - pairs) * 1000 + lost) * 400 + 399 - outs) * 64 + thrown;
        if (best_key < 0 || key < best_key) best_key = key, best = thrown;
    }
    return best;
}

static int group_discard(const Game *game, int place, const Known *known)
{
    const Seat *seat = &game->seat[place];
    int faces[FACES], distance[FACES], count = throwable(game, seat, faces), nearest = 99, best = faces[0];
    Cards held = cards_of(seat->held);
    Mask live = known->live, wild = seat->shown ? WILD[game->tiplu] : 0, useful = ~0ULL;
    for (int option = 0; option < count; option++) {
        Cards rest = less(held, BIT[faces[option]]);
        distance[option] = seat->shown ? seen_finish(seat, rest, game->tiplu, live, FAR, 0)
                                       : show_distance(rest, open_primary(seat), live);
        nearest = least(nearest, distance[option]);
    }
    int finish = seat->shown ? 0 : unseen_finish(seat, held, live, FAR, 0);
    if (seat->shown && nearest) useful = finish_outs(seat, held, game->tiplu, live, nearest, ~0ULL);
    long best_key = -1;
    for (int option = 0; option < count; option++) {
        if (distance[option] > nearest) continue;
        int face = faces[option], outs = 0, further = 0;
        Cards rest = less(held, BIT[face]);
        if (!seat->shown) further = unseen_finish(seat, rest, live, finish, finish) > finish;
        if (nearest)
            outs = copies_in(seat->shown ? finish_outs(seat, rest, game->tiplu, live, nearest, useful)
                                         : show_outs(rest, open_primary(seat), live, nearest), known);
        int keep = (wild & BIT[face]) != 0, near = count_in(held, BESIDE[face]);
        long key = ((((long)further * 2 + keep) * 400 + 399 - outs) * 64 + near) * 64 + face;
        if (best_key < 0 || key < best_key) best_key = key, best = face;
    }
    return best;
}

static int base_discard(const Game *game, int place, const Known *known, const Player *player)
{
    const Seat *seat = &game->seat[place];
    int dublees = seat->shown == BY_DUBLEES;
    if (!seat->shown) dublees = collects_dublees(seat, cards_of(seat->held), known->live, player);
    return dublees ? dublee_discard(game, place, known) : group_discard(game, place, known);
}

static int may_take(const Game *game, int place)
{
    const Seat *seat = &game->seat[place];
    if (!game->pile_count) return 0;
    int top = game->pile[game->pile_count - 1];
    if (seat->shown == BY_DUBLEES) return seat->held[top] && !(seat->pairs_laid & BIT[top]) && seat->count > 1;
    return seat->shown == UNSEEN || !(WILD[game->tiplu] & BIT[top]);
}

/* Whether, one card from the finish, many more unseen cards finish after taking the top of the pile. */
static int widens(const Game *game, const Seat *seat, Cards after, Mask top, const Known *known, double wider)
{
    int thrown_back = 0, widest = 0;
    for (Mask left = after.one; left; left &= left - 1) {
        Mask face = left & -left;
        Cards rest = less(after, face);
        if (face != top && seen_finish(seat, rest, game->tiplu, known->live, 1, 1) > 1) continue;
        int outs = copies_in(finish_outs(seat, rest, game->tiplu, known->live, 1, ~0ULL), known);
        if (face == top) thrown_back = outs;
        else widest = most_of(widest, outs);
    }
    return widest - thrown_back >= wider * known->unseen;
}

static int base_take(const Game *game, int place, const Known *known, const Player *player)
{
    const Seat *seat = &game->seat[place];
    int top = game->pile[game->pile_count - 1];
    Cards before = cards_of(seat->held), after = with(before, BIT[top]);
    Mask live = known->live;
    if (seat->shown == BY_DUBLEES) return 1;
    if (seat->shown) {
        int now = seen_finish(seat, before, game->tiplu, live, FAR, 0);
        if (now && seen_finish(seat, after, game->tiplu, live, now - 1, now - 1) < now) return 1;
        return now == 1 && player->wider < 1 && widens(game, seat, after, BIT[top], known, player->wider);
    }
    if (collects_dublees(seat, before, live, player)) return seat->all[top] == 1;
    int now = show_distance(before, open_primary(seat), live);
    if (show_distance(after, open_primary(seat), live) < now) return 1;
    if (now && player->master) return 0;
    int finish = unseen_finish(seat, before, live, FAR, 0);
    return finish && unseen_finish(seat, after, live, finish - 1, finish - 1) < finish;
}

/* ------------------------------------------------------------------ shows and finishes */

enum { MOST_SHOWS = 600, COMPARED = 16 };
typedef struct { Cards rest; Whole group[3]; int rough; } Choice;

static int list_shows(const Whole *wholes, int count, int start, Cards held, int wanted, Choice *so_far, Choice *found, int known)
{
    if (!wanted) {
        for (int place = 0; place < known; place++)
            if (!memcmp(&found[place].rest, &held, sizeof held)) return known;
        if (known == MOST_SHOWS) return known;
        found[known] = *so_far;
        found[known].rest = held;
        return known + 1;
    }
    for (int place = start; place < count; place++) {
        if (!holds(held, &wholes[place])) continue;
        so_far->group[wanted - 1] = wholes[place];
        known = list_shows(wholes, count, place, laid_from(held, &wholes[place]), wanted - 1, so_far, found, known);
    }
    return known;
}

/* Pure groups in the order of `marriage.solver.layouts`: tunnelas, runs, and runs with a high ace. Ties depend on it. */
static int pure_in_order(Cards held, Whole *wholes)
{
    Whole listed[96];
    int count = list_pure(held, listed), placed = 0;
    for (int kind = 0; kind < 3; kind++)
        for (int place = 0; place < count; place++) {
            int high_ace = !listed[place].tunnela && (listed[place].faces & FIRST_RANK) && (listed[place].faces & FIRST_RANK << 12);
            if ((listed[place].tunnela ? 0 : high_ace ? 2 : 1) == kind) wholes[placed++] = listed[place];
        }
    return placed;
}

static long expected_distance(const Seat *seat, Cards rest, const Known *known)
{
    long total = 0;
    for (int tiplu = 0; tiplu < FACES; tiplu++) {
        if (!known->left[tiplu]) continue;
        Mask live = known->left[tiplu] > 1 ? known->live : known->live & ~BIT[tiplu];
        total += known->left[tiplu] * seen_finish(seat, rest, tiplu, live, FAR, 0);
    }
    return total;
}

/* The groups that leave the smallest expected distance to a finish; 0 if there is no show by groups. */
static int plan_show(const Seat *seat, const Known *known, Choice *chosen)
{
    static Choice found[MOST_SHOWS];
    Whole wholes[96];
    Cards held = cards_of(seat->held);
    int count = pure_in_order(held, wholes), general = open_general(seat), best = 0, placed = 0;
    if (seat->count <= 3 * open_primary(seat)) return 0;
    int shows = list_shows(wholes, count, 0, held, open_primary(seat), chosen, found, 0);
    if (!shows) return 0;
    if (shows > 1) {
        int order[COMPARED];
        for (int place = 0; place < shows; place++)
            found[place].rough = least_holes(found[place].rest, 0, general, 0, known->live, 0, FAR, 0);
        for (int rough = 0; rough <= FAR + 1 && placed < COMPARED; rough++)
            for (int place = 0; place < shows && placed < COMPARED; place++)
                if (found[place].rough == rough) order[placed++] = place;
        long nearest = -1;
        for (int place = 0; place < placed; place++) {
            long distance = expected_distance(seat, found[order[place]].rest, known);
            if (nearest < 0 || distance < nearest) nearest = distance, best = order[place];
        }
    }
    *chosen = found[best];
    return 1;
}

static void lay_groups(Game *game, Seat *seat, const Choice *chosen)
{
    for (int group = 0; group < open_primary(seat); group++) {
        const Whole *whole = &chosen->group[group];
        for (Mask left = whole->faces; left; left &= left - 1) {
            int face = FACE[lowest(left)], copies = whole->tunnela ? 3 : 1;
            seat->held[face] -= (uint8_t)copies;
            seat->count -= (int16_t)copies;
            while (copies--) seat->laid[seat->laid_count++] = (uint8_t)face;
        }
    }
    seat->shown = BY_GROUPS;
    game->turned = 1;
    game->shown_now = 1;
}

static void lay_dublees(Game *game, Seat *seat)
{
    int laid = 0;
    for (int own = 1; own >= 0; own--) /* those of exposed tunnelas first */
        for (int face = 0; face < FACES && laid < 7; face++) {
            if (seat->all[face] < 2 || is_exposed(seat, face) != own) continue;
            seat->pairs_laid |= BIT[face];
            laid++;
            if (!own) seat->held[face] -= 2, seat->count -= 2;
        }
    seat->shown = BY_DUBLEES;
    game->turned = 1;
    game->shown_now = 1;
}

static void show(Game *game, int place)
{
    Seat *seat = &game->seat[place];
    Choice chosen;
    if (seat->shown) return;
    int pairs = pair_count(seat);
    if (pairs >= 8) {
        lay_dublees(game, seat);
        return;
    }
    Known known = known_to(game, place);
    int by_groups = show_distance(cards_of(seat->held), open_primary(seat), known.live) == 0;
    if (by_groups && plan_show(seat, &known, &chosen)) lay_groups(game, seat, &chosen);
    else if (pairs == 7) lay_dublees(game, seat);
}

/* How bad it is to lose a face with the finish: the tiplu and its neighbours are worst, then the other wild cards. */
static int last_to_throw(int face, int tiplu)
{
    int maal = face == tiplu || face == ABOVE[tiplu] || face == BELOW[tiplu];
    return (maal ? 2 : (WILD[tiplu] & BIT[face]) != 0) * 64 + face;
}

static int finish_by_groups(const Game *game, const Seat *seat)
{
    int faces[FACES], general = open_general(seat), best = -1;
    Cards held = cards_of(seat->held);
    if (seat->count != 3 * general + 1 || seen_finish(seat, held, game->tiplu, 0, 0, 0)) return -1;
    int count = throwable(game, seat, faces);
    for (int option = 0; option < count; option++) {
        if (best >= 0 && last_to_throw(faces[option], game->tiplu) > last_to_throw(best, game->tiplu)) continue;
        if (!seen_finish(seat, less(held, BIT[faces[option]]), game->tiplu, 0, 0, 0)) best = faces[option];
    }
    return best;
}

static int finish_by_dublees(const Game *game, const Seat *seat)
{
    for (int face = 0; face < FACES; face++) {
        if (seat->all[face] < 2 || (seat->pairs_laid & BIT[face])) continue;
        if (game->taken >= 0 && !game->shown_now && face != game->taken) continue;
        int best = -1, pair = is_exposed(seat, face) ? 0 : 2;
        for (int allowed = 0; allowed < 2 && best < 0; allowed++) /* the face just taken only if there is no other */
            for (int other = 0; other < FACES; other++) {
                int free_copies = seat->held[other] - (other == face ? pair : 0);
                if (free_copies <= 0 || (other == game->taken) != allowed) continue;
                if (best < 0 || last_to_throw(other, game->tiplu) < last_to_throw(best, game->tiplu)) best = other;
            }
        if (best >= 0) return best;
    }
    return -1;
}

/* End the deal if the seat can; whether it did. */
static int finish(Game *game, int place)
{
    Seat *seat = &game->seat[place];
    int face = -1;
    if (seat->shown == BY_GROUPS) face = finish_by_groups(game, seat);
    if (seat->shown == BY_DUBLEES) face = finish_by_dublees(game, seat);
    if (face < 0) return 0;
    lose(seat, face);
    settle(game, place, seat->shown == BY_DUBLEES);
    return 1;
}

/* ------------------------------------------------------------------ turns */

static int stock_of(const Game *game, int place) { return game->rules.one_stock ? 0 : place; }

static void draw(Game *game, int place, int takes)
{
    Seat *seat = &game->seat[place];
    game->taken = -1;
    game->shown_now = 0;
    seat->turns++;
    if (takes) {
        game->taken = (int8_t)game->pile[--game->pile_count];
        seat->takes++;
        gain(seat, game->taken);
    } else {
        int own = stock_of(game, place);
        gain(seat, game->stock[own][game->next[own]++]);
    }
}

static void reshuffle(Game *game, int place)
{
    place = stock_of(game, place);
    int count = game->pile_count - 1;
    memcpy(game->stock[place], game->pile, (size_t)count);
    shuffle(game->stock[place], count, &game->chance);
    game->next[place] = 0;
    game->end[place] = (uint8_t)count;
    game->pile[0] = game->pile[count];
    game->thrower[0] = game->thrower[count];
    game->pile_count = 1;
    game->reshuffles++;
}

static void throw_card(Game *game, int place, int face)
{
    lose(&game->seat[place], face);
    game->thrower[game->pile_count] = (uint8_t)place;
    game->pile[game->pile_count++] = (uint8_t)face;
    game->taken = -1;
    game->turn = (int8_t)((place + 1) % game->rules.seats);
    int next = stock_of(game, game->turn);
    if (game->next[next] < game->end[next]) return;
    if (game->reshuffles >= game->rules.reshuffles || game->pile_count <= 1) game->over = 1;
    else reshuffle(game, game->turn);
}

#include "features.h"

static int choose_take(const Game *game, int place, const Player *player)
{
    if (!may_take(game, place)) return 0;
    Known known = known_to(game, place);
    if (player->take.skip && !game->seat[place].shown) {
        float features[TAKE_FEATURES];
        take_features(game, place, &known, features);
        return net_value(&player->take, features, TAKE_FEATURES) > 0;
    }
    return base_take(game, place, &known, player);
}

static int choose_discard(const Game *game, int place, const Player *player)
{
    Known known = known_to(game, place);
    if (player->discard.skip && !game->seat[place].shown) {
        int options[MOST_OPTIONS], best = 0;
        int count = list_options(game, place, &known, base_discard(game, place, &known, &GREEDY_OUTS), options);
        static float features[MOST_OPTIONS][DISCARD_FEATURES];
        if (count > 1) discard_features(game, place, &known, options, count, features);
        double highest = 0;
        for (int option = 0; option < count && count > 1; option++) {
            double value = net_value(&player->discard, features[option], DISCARD_FEATURES);
            if (!option || value > highest) highest = value, best = option;
        }
        return options[best];
    }
    return base_discard(game, place, &known, player);
}

static void after_draw(Game *game, int place, const Player *player)
{
    show(game, place);
    if (!finish(game, place)) throw_card(game, place, choose_discard(game, place, player));
}

static void play_turn(Game *game, const Player *player)
{
    int place = game->turn;
    draw(game, place, choose_take(game, place, player));
    after_draw(game, place, player);
}

static void play_on(Game *game)
{
    for (int turns = 0; !game->over && turns < MOST_TURNS; turns++) play_turn(game, &GREEDY_OUTS);
}

static double gained(const Game *game, int place) { return game->winner < 0 ? 0 : game->seat[place].net; }

/* Deal what nobody holds anew: the stocks, the cards out of play, and the tiplu until somebody has seen it. */
static void redeal_future(Game *game, uint64_t *chance)
{
    uint8_t pool[DECK];
    int count = 0, seats = game->rules.seats;
    for (int place = 0; place < seats; place++)
        for (int card = game->next[place]; card < game->end[place]; card++) pool[count++] = game->stock[place][card];
    for (int card = 0; card < game->aside_count; card++) pool[count++] = game->aside[card];
    if (!game->turned) pool[count++] = (uint8_t)game->tiplu;
    shuffle(pool, count, chance);
    if (!game->turned) game->tiplu = pool[--count];
    for (int card = 0; card < game->aside_count; card++) game->aside[card] = pool[--count];
    for (int place = 0; place < seats; place++)
        for (int card = game->next[place]; card < game->end[place]; card++) game->stock[place][card] = pool[--count];
    game->chance = next_random(chance);
}

/* What a seat gains from here by a take (or draw) or by a discard, if greedy+outs plays everything after it. */
static double after_take(const Game *game, int place, int takes)
{
    Game played = *game;
    draw(&played, place, takes);
    after_draw(&played, place, &GREEDY_OUTS);
    play_on(&played);
    return gained(&played, place);
}

static double after_discard(const Game *game, int place, int face)
{
    Game played = *game;
    throw_card(&played, place, face);
    play_on(&played);
    return gained(&played, place);
}

/* ------------------------------------------------------------------ labels */

typedef struct {
    float *features, *values;  /* a row for each option; the value is its lead over the first in points */
    int32_t *decisions, *faces; /* the number of the decision, and the face of the option */
    int64_t count, room;
    int32_t decided;
} Table;

static void label_take(const Game *game, int place, const Known *known, int rollouts, uint64_t *chance, Table *table)
{
    double lead = 0;
    if (table->count >= table->room) return;
    take_features(game, place, known, table->features + table->count * TAKE_FEATURES);
    for (int rollout = 0; rollout < rollouts; rollout++) {
        Game world = *game;
        redeal_future(&world, chance);
        lead += after_take(&world, place, 1) - after_take(&world, place, 0);
    }
    table->values[table->count] = (float)(lead / most_of(rollouts, 1));
    table->faces[table->count] = game->pile[game->pile_count - 1];
    table->decisions[table->count++] = table->decided++;
}

static void label_discards(const Game *game, int place, const Known *known, const int *options, int count, int rollouts,
                           uint64_t *chance, Table *table)
{
    double lead[MOST_OPTIONS] = {0};
    if (count < 2 || table->count + count > table->room) return;
    discard_features(game, place, known, options, count, (float(*)[DISCARD_FEATURES])table->features + table->count);
    for (int rollout = 0; rollout < rollouts; rollout++) {
        Game world = *game;
        redeal_future(&world, chance);
        double base = after_discard(&world, place, options[0]);
        for (int option = 1; option < count; option++) lead[option] += after_discard(&world, place, options[option]) - base;
    }
    for (int option = 0; option < count; option++) {
        table->values[table->count] = (float)(lead[option] / most_of(rollouts, 1));
        table->faces[table->count] = options[option];
        table->decisions[table->count++] = table->decided;
    }
    table->decided++;
}

/* Play deals with greedy+outs at every seat, and label a part of the decisions of unseen seats. */
void label_deals(const Rules *rules, const uint8_t *decks, const int32_t *dealers, const uint64_t *chances, int32_t deals,
                 int32_t rollouts, double takes_share, double discards_share, Table *takes, Table *discards)
{
    prepare();
    for (int deal_number = 0; deal_number < deals; deal_number++) {
        Game game;
        uint64_t chance = chances[deal_number];
        deal(&game, rules, decks + (size_t)deal_number * DECK, dealers[deal_number], next_random(&chance));
        expose_tunnelas(&game);
        while (!game.over) {
            int place = game.turn, options[MOST_OPTIONS];
            Known known = known_to(&game, place);
            int chosen = uniform(&chance) < takes_share;
            if (chosen && !game.seat[place].shown && may_take(&game, place))
                label_take(&game, place, &known, rollouts, &chance, takes);
            draw(&game, place, choose_take(&game, place, &GREEDY_OUTS));
            show(&game, place);
            if (finish(&game, place)) break;
            int thrown = choose_discard(&game, place, &GREEDY_OUTS);
            chosen = uniform(&chance) < discards_share;
            if (chosen && !game.seat[place].shown) {
                known = known_to(&game, place);
                int count = list_options(&game, place, &known, thrown, options);
                label_discards(&game, place, &known, options, count, rollouts, &chance, discards);
            }
            throw_card(&game, place, thrown);
        }
    }
}

/* ------------------------------------------------------------------ matches */

/* One line a turn: seat, took, shown before and after, thrown (-1 at a finish), finished, then the nine cards that it laid. */
enum { LOGGED = 15 };

int32_t log_deal(const Rules *rules, const uint8_t *deck, int32_t dealer, const Player *player, int32_t *lines, int32_t room,
                 int32_t *nets, int32_t *reshuffles)
{
    Game game;
    int32_t count = 0;
    prepare();
    deal(&game, rules, deck, dealer, 1);
    expose_tunnelas(&game);
    for (; !game.over && count < room; count++) {
        int place = game.turn, shown = game.seat[place].shown, takes = game.seat[place].takes;
        int32_t *line = lines + count * LOGGED;
        play_turn(&game, player);
        const Seat *seat = &game.seat[place];
        int32_t start[] = {place, seat->takes > takes, shown, seat->shown, -1, game.over && game.winner == place};
        memset(line, 0xFF, LOGGED * sizeof *line);
        memcpy(line, start, sizeof start);
        if (!line[5]) line[4] = game.pile[game.pile_count - 1];
        if (!shown)
            for (int card = 0; card < seat->laid_count; card++) line[6 + card] = seat->laid[card];
    }
    for (int place = 0; place < rules->seats; place++) nets[place] = (int32_t)gained(&game, place);
    *reshuffles = game.reshuffles;
    return count;
}

/* What each seat gains in each deal, with greedy+outs at every seat. */
void play_alike(const Rules *rules, const uint8_t *decks, const int32_t *dealers, const uint64_t *chances, int32_t deals,
                int32_t *nets)
{
    prepare();
    for (int number = 0; number < deals; number++) {
        Game game;
        deal(&game, rules, decks + (size_t)number * DECK, dealers[number], chances[number]);
        expose_tunnelas(&game);
        play_on(&game);
        for (int place = 0; place < rules->seats; place++) *nets++ = (int32_t)gained(&game, place);
    }
}

/* Each deal from every seat: what one of `player` gains among greedy+outs, on average over the seats. */
void play_duplicates(const Rules *rules, const uint8_t *decks, const int32_t *dealers, const uint64_t *chances, int32_t deals,
                     const Player *player, double *gains)
{
    prepare();
    for (int number = 0; number < deals; number++) {
        gains[number] = 0;
        for (int own = 0; own < rules->seats; own++) {
            Game game;
            deal(&game, rules, decks + (size_t)number * DECK, dealers[number], chances[number]);
            expose_tunnelas(&game);
            for (int turns = 0; !game.over && turns < MOST_TURNS; turns++)
                play_turn(&game, game.turn == own ? player : &GREEDY_OUTS);
            gains[number] += gained(&game, own) / rules->seats;
        }
    }
}

/* The columns of an estimate: takes and discards of unseen and of seen seats. */
enum { TAKES = 0, DISCARDS = 2, KINDS = 4 };

static double lead_of_take(const Game *game, int place, int takes, int rollouts, uint64_t *chance)
{
    double lead = 0;
    for (int rollout = 0; rollout < rollouts; rollout++) {
        Game world = *game;
        redeal_future(&world, chance);
        lead += after_take(&world, place, takes) - after_take(&world, place, !takes);
    }
    return lead / rollouts;
}

static double lead_of_discard(const Game *game, int place, int face, int base, int rollouts, uint64_t *chance)
{
    double lead = 0;
    for (int rollout = 0; rollout < rollouts; rollout++) {
        Game world = *game;
        redeal_future(&world, chance);
        lead += after_discard(&world, place, face) - after_discard(&world, place, base);
    }
    return lead / rollouts;
}

/*
 * The gain over greedy+outs as a sum along the player's own deals: wherever its move differs, what rollouts say of the move less
 * what they say of that of greedy+outs. Its expectation is the gain in points a deal (the performance difference lemma).
 */
void estimate_gains(const Rules *rules, const uint8_t *decks, const int32_t *dealers, const uint64_t *chances, int32_t deals,
                    const Player *player, int32_t rollouts, double *leads)
{
    prepare();
    for (int number = 0; number < deals; number++) {
        Game game;
        uint64_t chance = chances[number];
        int own = number % rules->seats;
        double *lead = leads + (size_t)number * KINDS;
        memset(lead, 0, KINDS * sizeof *lead);
        deal(&game, rules, decks + (size_t)number * DECK, dealers[number], next_random(&chance));
        expose_tunnelas(&game);
        while (!game.over) {
            int place = game.turn;
            if (place != own) {
                play_turn(&game, &GREEDY_OUTS);
                continue;
            }
            int takes = choose_take(&game, place, player), seen = game.seat[place].shown != UNSEEN;
            if (takes != choose_take(&game, place, &GREEDY_OUTS))
                lead[TAKES + seen] += lead_of_take(&game, place, takes, rollouts, &chance);
            draw(&game, place, takes);
            show(&game, place);
            if (finish(&game, place)) break;
            int thrown = choose_discard(&game, place, player), base = choose_discard(&game, place, &GREEDY_OUTS);
            seen = game.seat[place].shown != UNSEEN;
            if (thrown != base) lead[DISCARDS + seen] += lead_of_discard(&game, place, thrown, base, rollouts, &chance);
            throw_card(&game, place, thrown);
        }
    }
}

#include "positions.h"
