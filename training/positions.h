/*
 * A decision of a real deal, played out from what its seat knows: every card that it cannot see is dealt anew, and greedy+outs
 * plays on at all seats. `training/positions.py` makes positions of views.
 */

enum { DRAWS = 0, TAKES_TOP, THROWS, SHOWS_GROUPS, SHOWS_DUBLEES, FINISHES, EXPOSES };

typedef struct {
    int32_t seat;                     /* the seat to act, which knows all this */
    int32_t held[MOST_SEATS][FACES];  /* its own hand, and of the others' hands what everybody saw them take */
    int32_t open[MOST_SEATS][FACES];  /* the cards that lie open, those of exposed tunnelas included */
    int32_t pairs[MOST_SEATS][FACES]; /* the pairs shown, 1 for each */
    int32_t exposed[MOST_SEATS][FACES];
    int32_t shown[MOST_SEATS];
    int32_t hidden[MOST_SEATS];       /* how many cards of a hand are not in `held` */
    int32_t waits[MOST_SEATS];        /* whether the seat has yet to expose its tunnelas */
    int32_t pile[DECK], thrower[DECK], pile_count;
    int32_t stock;                    /* the cards of the stock, without the tiplu */
    int32_t turned, tiplu;            /* the tiplu is -1 unless the seat knows it */
    int32_t taken, shown_now, reshuffles, turn;
} Position;

typedef struct { int32_t kind, count, faces[7]; } Action; /* the face thrown, or those of the tunnelas exposed */

/* Set up what is known; the cards that are not go to `pool`. */
static int set_up(Game *game, const Rules *rules, const Position *position, uint8_t *pool)
{
    int left[FACES], count = 0;
    memset(game, 0, sizeof *game);
    game->rules = *rules;
    for (int face = 0; face < FACES; face++) left[face] = 3 - (position->tiplu == face);
    for (int place = 0; place < rules->seats; place++) {
        Seat *seat = &game->seat[place];
        seat->shown = (int8_t)position->shown[place];
        for (int face = 0; face < FACES; face++) {
            seat->held[face] = (uint8_t)position->held[place][face];
            seat->all[face] = (uint8_t)(seat->held[face] + position->open[place][face]);
            seat->count += seat->held[face];
            left[face] -= seat->all[face];
            if (position->pairs[place][face]) seat->pairs_laid |= BIT[face];
            if (position->exposed[place][face]) seat->exposed[seat->exposed_count++] = (uint8_t)face;
        }
    }
    for (int card = 0; card < position->pile_count; card++) {
        game->pile[card] = (uint8_t)position->pile[card];
        game->thrower[card] = (uint8_t)position->thrower[card];
        left[position->pile[card]]--;
    }
    game->pile_count = (int16_t)position->pile_count;
    game->tiplu = (int16_t)position->tiplu;
    game->turned = (int8_t)position->turned;
    game->turn = (int8_t)position->turn;
    game->taken = (int8_t)position->taken;
    game->shown_now = (int8_t)position->shown_now;
    game->reshuffles = (int16_t)position->reshuffles;
    game->winner = -1;
    for (int face = 0; face < FACES; face++)
        for (; left[face] > 0; left[face]--) pool[count++] = (uint8_t)face;
    return count;
}

/* Deal the pool to the hands, the tiplu and the stock; the seats that wait expose what they got. */
static void deal_hidden(Game *game, const Position *position, const uint8_t *pool)
{
    for (int place = 0; place < game->rules.seats; place++)
        for (int card = 0; card < position->hidden[place]; card++) gain(&game->seat[place], *pool++);
    if (position->tiplu < 0) game->tiplu = *pool++;
    memcpy(game->stock[0], pool, (size_t)position->stock);
    game->end[0] = (uint8_t)position->stock;
    for (int place = 0; place < game->rules.seats; place++)
        if (position->waits[place] && place != position->seat) expose_all(&game->seat[place]);
}

/* Play an action and all that follows; whether the action was possible. */
static int play_action(Game *game, int place, const Action *action)
{
    Seat *seat = &game->seat[place];
    Choice chosen;
    Known known = known_to(game, place);
    switch (action->kind) {
    case DRAWS:
    case TAKES_TOP:
        draw(game, place, action->kind == TAKES_TOP);
        after_draw(game, place, &GREEDY_OUTS);
        break;
    case THROWS:
        throw_card(game, place, action->faces[0]);
        break;
    case SHOWS_GROUPS:
        if (!plan_show(seat, &known, &chosen)) return 0;
        lay_groups(game, seat, &chosen);
        break;
    case SHOWS_DUBLEES:
        if (pair_count(seat) < 7) return 0;
        lay_dublees(game, seat);
        break;
    case FINISHES:
        if (!finish(game, place)) return 0;
        break;
    default:
        for (int tunnela = 0; tunnela < action->count; tunnela++) expose(seat, action->faces[tunnela]);
    }
    if ((action->kind == SHOWS_GROUPS || action->kind == SHOWS_DUBLEES) && !finish(game, place))
        throw_card(game, place, choose_discard(game, place, &GREEDY_OUTS));
    play_on(game);
    return 1;
}

/* What the seat gains by an action in each of so many deals of the hidden cards; 0 where the position or the action is impossible. */
int32_t play_position(const Rules *rules, const Position *position, const Action *action, int32_t rollouts, uint64_t chance,
                      int32_t *gains)
{
    Game game;
    uint8_t pool[DECK];
    prepare();
    int count = set_up(&game, rules, position, pool), wanted = position->stock + (position->tiplu < 0);
    for (int place = 0; place < rules->seats; place++) wanted += position->hidden[place];
    if (count != wanted) return 0;
    for (int rollout = 0; rollout < rollouts; rollout++) {
        Game world = game;
        shuffle(pool, count, &chance);
        world.chance = next_random(&chance);
        deal_hidden(&world, position, pool);
        if (!play_action(&world, position->seat, action)) return 0;
        gains[rollout] = (int32_t)gained(&world, position->seat);
    }
    return 1;
}
