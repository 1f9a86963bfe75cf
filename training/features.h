/*
 * What the nets are told of a decision before a show. `marriage/strategy/net_features.py` tells the same of a view, number by
 * number in the same order; a test compares them.
 */

static const Player GREEDY_OUTS = {.master = 0, .wider = 1};

static double net_value(const Net *net, const float *features, int count)
{
    double value = 0;
    float units[HIDDEN];
    memcpy(units, net->bias, (size_t)net->hidden * sizeof *units);
    for (int feature = 0; feature < count; feature++) {
        const float *weights = net->first + feature * net->hidden;
        value += (double)net->skip[feature] * features[feature];
        if (features[feature] == 0) continue;
        for (int unit = 0; unit < net->hidden; unit++) units[unit] += features[feature] * weights[unit];
    }
    for (int unit = 0; unit < net->hidden; unit++)
        if (units[unit] > 0) value += (double)units[unit] * net->second[unit];
    return value;
}

/* The discards to weigh: first that of greedy+outs, then all that leave the show as near, or one farther with five pairs. */
static int list_options(const Game *game, int place, const Known *known, int base, int *options)
{
    const Seat *seat = &game->seat[place];
    int faces[FACES], distance[FACES], nearest = 99, listed = 0;
    int count = throwable(game, seat, faces), slack = pair_count(seat) >= 5;
    Cards held = cards_of(seat->held);
    for (int option = 0; option < count; option++) {
        distance[option] = show_distance(less(held, BIT[faces[option]]), open_primary(seat), known->live);
        nearest = least(nearest, distance[option]);
    }
    options[listed++] = base;
    for (int option = 0; option < count; option++)
        if (faces[option] != base && distance[option] <= nearest + slack) options[listed++] = faces[option];
    return listed;
}

/* The maal that a hand loses with a face, on average over the tiplus that the seat cannot see. */
static double maal_of(const uint8_t *all, const Known *known, int face)
{
    double points = 0;
    const int tiplus[] = {face, ABOVE[face], BELOW[face]};
    for (int place = 0; place < 3; place++) {
        int tiplu = tiplus[place], below = all[BELOW[tiplu]], itself = all[tiplu], above = all[ABOVE[tiplu]];
        int with_it = card_points(below, itself, above);
        int without = card_points(below - (face == BELOW[tiplu]), itself - (face == tiplu), above - (face == ABOVE[tiplu]));
        points += (double)known->left[tiplu] / most_of(known->unseen, 1) * (with_it - without);
    }
    return points;
}

/* How likely a face is to be wild. */
static double wild_chance(const Known *known, int face)
{
    int copies = known->left[ABOVE[face]] + known->left[BELOW[face]];
    for (int suit = 0; suit < SUITS; suit++) copies += known->left[suit * RANKS + face % RANKS];
    return (double)copies / most_of(known->unseen, 1);
}

/* What is known of the next player's use for a face. */
typedef struct { double runs, twins, trials, singles, thrown, passed, thrown_near, passed_near, ranked; } Wish;

static Wish wish_of_next(const Game *game, int place, const Known *known, int face)
{
    int next = (place + 1) % game->rules.seats, suit = face / RANKS * RANKS, rank = face % RANKS;
    double share = (double)game->seat[next].count / most_of(known->unseen, 1), others[SUITS];
    int thrown[FACES] = {0}, passed[FACES] = {0}, count = 0;
    Wish wish = {0};
    for (int card = 0; card < game->pile_count; card++) {
        thrown[game->pile[card]] += game->thrower[card] == next;
        passed[game->pile[card]] += card + 1 < game->pile_count && game->thrower[card + 1] == next;
    }
    /* The two other cards of every run that holds the face; an ace lies at both ends. */
    for (int end = 0; end < (rank ? 1 : 2); end++)
        for (int low = rank + RANKS * end - 2; low <= rank + RANKS * end; low++) {
            double cards = 1;
            if (low < 0 || low + 2 > RANKS) continue;
            for (int step = 0; step < 3; step++)
                if (low + step != rank + RANKS * end) cards *= known->left[suit + (low + step) % RANKS] * share;
            wish.runs += cards;
        }
    if (known->left[face] >= 2) wish.twins = share * share * known->left[face] * (known->left[face] - 1) / 2;
    for (int other = 0; other < SUITS; other++) {
        int same = other * RANKS + rank;
        if (other * RANKS == suit) continue;
        others[count++] = known->left[same] * share;
        wish.singles += known->left[same] * share;
        wish.ranked += thrown[same] + passed[same];
    }
    wish.trials = others[0] * others[1] + others[0] * others[2] + others[1] * others[2];
    for (int step = -2; step <= 2; step++) {
        if (!step || rank + step < 0 || rank + step > RANKS) continue;
        int near = suit + (rank + step) % RANKS;
        double weight = abs(step) == 1 ? 1 : 0.6;
        wish.singles += known->left[near] * share;
        wish.thrown_near += weight * thrown[near];
        wish.passed_near += weight * passed[near];
    }
    wish.thrown = thrown[face] > 0;
    wish.passed = passed[face] > 0;
    return wish;
}

/* The share of the unseen cards that complete a pair. */
static double pairing_share(const uint8_t *held, const Known *known)
{
    int copies = 0;
    for (int face = 0; face < FACES; face++)
        if (held[face] == 1) copies += known->left[face];
    return (double)copies / most_of(known->unseen, 1);
}

static void count_shown(const Game *game, int viewer, int *by_groups, int *by_dublees)
{
    *by_groups = *by_dublees = 0;
    for (int place = 0; place < game->rules.seats; place++) {
        if (place == viewer) continue;
        *by_groups += game->seat[place].shown == BY_GROUPS;
        *by_dublees += game->seat[place].shown == BY_DUBLEES;
    }
}

/* The share of the unseen cards that bring the show nearer once more after one of these outs, summed over them. */
static double outs_after(Cards rest, int primary, const Known *known, int distance, Mask outs)
{
    double total = 0, unseen = most_of(known->unseen, 1);
    for (; outs; outs &= outs - 1) {
        Mask face = outs & -outs, next = show_outs(with(rest, face), primary, known->live, distance - 1);
        total += known->left[FACE[lowest(face)]] * copies_in(next, known) / unseen;
    }
    return total / unseen;
}

/* The faces left in a hand beside a card: of its rank, and at most two ranks away in its suit. */
static void count_beside(const uint8_t *held, int face, int *of_rank, int *of_suit)
{
    int suit = face / RANKS * RANKS, rank = face % RANKS;
    *of_rank = *of_suit = 0;
    for (int other = 0; other < SUITS; other++) *of_rank += other * RANKS != suit && held[other * RANKS + rank];
    for (int step = -2; step <= 2; step++)
        if (step && rank + step >= 0 && rank + step <= RANKS) *of_suit += held[suit + (rank + step) % RANKS] > 0;
    if (!rank) *of_suit += (held[suit + 12] > 0) + (held[suit + 11] > 0);
}

typedef struct { int show, finish, pairs, by_groups, by_dublees, next_shown; } Hand22; /* before the discard */

static void features_of_discard(const Game *game, int place, const Known *known, const Hand22 *before, int face, int base,
                                float *into)
{
    const Seat *seat = &game->seat[place];
    Cards held = cards_of(seat->held), rest = less(held, BIT[face]);
    uint8_t left[FACES];
    memcpy(left, seat->held, FACES);
    left[face]--;
    int primary = open_primary(seat), show = show_distance(rest, primary, known->live), of_rank, of_suit;
    int further = unseen_finish(seat, rest, known->live, before->finish, before->finish) > before->finish;
    int pairs = before->pairs - (seat->all[face] == 2), seen_next = before->next_shown == BY_GROUPS;
    Mask outs = show ? show_outs(rest, primary, known->live, show) : 0;
    double share = (double)copies_in(outs, known) / most_of(known->unseen, 1);
    double after = show >= 2 ? outs_after(rest, primary, known, show, outs) : 0;
    double pairing = pairing_share(left, known), maal = maal_of(seat->all, known, face), wild = wild_chance(known, face);
    Wish wish = wish_of_next(game, place, known, face);
    count_beside(left, face, &of_rank, &of_suit);
    const double values[] = {
        show == 0, show == 1, show == 2, show >= 3,
        show == 1 ? 10 * share : 0, show == 2 ? 10 * share : 0, show >= 3 ? 10 * share : 0,
        show == 2 ? 100 * after : 0, show >= 3 ? 100 * after : 0,
        show - before->show, before->finish / 5.0, further, show <= 1 && further,
        pairs >= 4 ? pairs - 3 : 0, pairs == 5, pairs >= 6, pairs >= 5 ? 10 * pairing : 0, 10 * pairing, pairs - before->pairs,
        maal, before->by_groups ? maal : 0, 10 * wild, before->by_groups ? 10 * wild : 0,
        seen_next, before->next_shown == BY_DUBLEES,
        seen_next ? 0 : 5 * wish.runs, seen_next ? 5 * wish.runs : 0,
        seen_next ? 0 : 5 * wish.twins, seen_next ? 5 * wish.twins : 0,
        seen_next ? 0 : 5 * wish.trials, seen_next ? 5 * wish.trials : 0,
        seen_next ? 0 : wish.singles, seen_next ? wish.singles : 0,
        wish.thrown, wish.passed, wish.thrown_near / 3, wish.passed_near / 3, seen_next ? wish.ranked : 0,
        face % RANKS == 0 || face % RANKS == 12 ? 1 : face % RANKS == 1 || face % RANKS == 11 ? 0.5 : 0,
        known->left[face] / 3.0, count_in(held, BESIDE[face]) / 5.0, of_rank, of_suit / 3.0, seat->held[face] == 2,
        before->by_groups, before->by_dublees, game->pile_count / 20.0, seat->exposed_count, base, game->taken >= 0,
        show ? 1 / (0.02 + share) : 0,
    };
    memset(into, 0, DISCARD_FEATURES * sizeof *into);
    for (unsigned place_of = 0; place_of < sizeof values / sizeof *values; place_of++) into[place_of] = (float)values[place_of];
}

static void discard_features(const Game *game, int place, const Known *known, const int *options, int count,
                             float (*into)[DISCARD_FEATURES])
{
    const Seat *seat = &game->seat[place];
    Cards held = cards_of(seat->held);
    Hand22 before = {.show = show_distance(held, open_primary(seat), known->live),
                     .finish = unseen_finish(seat, held, known->live, FAR, 0),
                     .pairs = pair_count(seat),
                     .next_shown = game->seat[(place + 1) % game->rules.seats].shown};
    count_shown(game, place, &before.by_groups, &before.by_dublees);
    for (int option = 0; option < count; option++)
        features_of_discard(game, place, known, &before, options[option], !option, into[option]);
}

/* The best share of outs after taking a card and throwing another, at the distance that the card brings. */
static double best_share_after(const Seat *seat, Cards after, int top, int distance, const Known *known)
{
    int best = 0;
    for (Mask left = after.one & ~BIT[top]; left; left &= left - 1) {
        Cards rest = less(after, left & -left);
        if (show_distance(rest, open_primary(seat), known->live) > distance) continue;
        if (!distance) return 1;
        best = most_of(best, copies_in(show_outs(rest, open_primary(seat), known->live, distance), known));
    }
    return (double)best / most_of(known->unseen, 1);
}

static void take_features(const Game *game, int place, const Known *known, float *into)
{
    const Seat *seat = &game->seat[place];
    int top = game->pile[game->pile_count - 1], primary = open_primary(seat), by_groups, by_dublees;
    Cards before = cards_of(seat->held), after = with(before, BIT[top]);
    int show = show_distance(before, primary, known->live), then = show_distance(after, primary, known->live);
    int finish_now = unseen_finish(seat, before, known->live, FAR, 0), nearer = then < show;
    int sooner = finish_now && unseen_finish(seat, after, known->live, finish_now - 1, finish_now - 1) < finish_now;
    int pairs = pair_count(seat), copies = seat->held[top];
    Mask outs = show ? show_outs(before, primary, known->live, show) : 0;
    double share = (double)copies_in(outs, known) / most_of(known->unseen, 1);
    double best = best_share_after(seat, after, top, then, known);
    uint8_t all[FACES];
    memcpy(all, seat->all, FACES);
    all[top]++;
    double maal = maal_of(all, known, top);
    count_shown(game, place, &by_groups, &by_dublees);
    const double values[] = {
        1, show == 0, show == 1, show == 2, show >= 3, nearer, nearer && show == 1, nearer && show == 2, nearer && show >= 3,
        10 * share, nearer ? 10 * share : 0, show == 1 ? 10 * share : 0,
        10 * best, nearer && then == 1 ? 10 * best : 0, nearer && then >= 2 ? 10 * best : 0,
        nearer ? 0 : 10 * (best - share), !nearer && show == 1 ? 10 * (best - share) : 0,
        sooner, !nearer && sooner, finish_now / 5.0, pairs >= 4 ? pairs - 3 : 0, pairs >= 5, pairs >= 6,
        copies == 1, copies == 1 && pairs >= 5, copies == 1 && pairs >= 6, copies == 2,
        10 * pairing_share(seat->held, known), maal, by_groups ? maal : 0, 10 * wild_chance(known, top), by_groups, by_dublees,
        game->pile_count / 20.0, count_in(before, BESIDE[top]) / 5.0, known->left[top] / 3.0, 0,
        game->seat[(place + 1) % game->rules.seats].shown == BY_GROUPS, show == 0 && sooner,
    };
    memset(into, 0, TAKE_FEATURES * sizeof *into);
    for (unsigned place_of = 0; place_of < sizeof values / sizeof *values; place_of++) into[place_of] = (float)values[place_of];
}
