-- A store of adjudicator 0.1.0 with a game in it, as pg_dump --inserts writes it.
CREATE TABLE public.absences (
    game text NOT NULL COLLATE pg_catalog."C",
    seat text NOT NULL COLLATE pg_catalog."C",
    number integer NOT NULL,
    seating integer NOT NULL,
    start timestamp with time zone NOT NULL,
    "end" timestamp with time zone NOT NULL,
    days integer NOT NULL,
    announced timestamp with time zone NOT NULL
);
CREATE TABLE public.addresses (
    player text NOT NULL COLLATE pg_catalog."C",
    "position" integer NOT NULL,
    address text NOT NULL,
    confirmed boolean NOT NULL,
    bounced timestamp with time zone,
    reason text
);
CREATE TABLE public.adjudicator_schema (
    version_num character varying(32) NOT NULL
);
CREATE TABLE public.arrivals (
    id integer NOT NULL,
    message_id text NOT NULL,
    digest text NOT NULL,
    arrived timestamp with time zone NOT NULL,
    read timestamp with time zone NOT NULL,
    date timestamp with time zone,
    sender text,
    game text COLLATE pg_catalog."C",
    seat text COLLATE pg_catalog."C",
    outcome text NOT NULL,
    reason text NOT NULL,
    answer text,
    number integer
);
CREATE SEQUENCE public.arrivals_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.arrivals_id_seq OWNED BY public.arrivals.id;
CREATE TABLE public.callers (
    address text NOT NULL COLLATE pg_catalog."C",
    day text NOT NULL,
    answers integer NOT NULL,
    wrong integer NOT NULL,
    until timestamp with time zone
);
CREATE TABLE public.games (
    id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    status text NOT NULL,
    options text NOT NULL,
    settings text NOT NULL,
    seed bytea NOT NULL,
    luck text NOT NULL,
    verifiable boolean NOT NULL,
    rules_digest text NOT NULL,
    components text,
    created timestamp with time zone NOT NULL,
    open_step integer,
    next_number integer NOT NULL,
    paused timestamp with time zone
);
CREATE TABLE public.heartbeats (
    name text NOT NULL COLLATE pg_catalog."C",
    at timestamp with time zone NOT NULL,
    boot double precision NOT NULL,
    facts text NOT NULL
);
CREATE TABLE public.links (
    game text NOT NULL COLLATE pg_catalog."C",
    number integer NOT NULL,
    kind text NOT NULL,
    step text NOT NULL,
    after text,
    commitments text NOT NULL,
    previous text NOT NULL,
    digest text NOT NULL
);
CREATE TABLE public.notes (
    game text NOT NULL COLLATE pg_catalog."C",
    number integer NOT NULL,
    at timestamp with time zone NOT NULL,
    act text NOT NULL,
    by text NOT NULL,
    text text NOT NULL,
    data text NOT NULL
);
CREATE TABLE public.observers (
    game text NOT NULL COLLATE pg_catalog."C",
    address text NOT NULL COLLATE pg_catalog."C",
    name text,
    since timestamp with time zone NOT NULL,
    until timestamp with time zone
);
CREATE TABLE public.orders (
    game text NOT NULL COLLATE pg_catalog."C",
    step integer NOT NULL,
    seat text NOT NULL COLLATE pg_catalog."C",
    number integer NOT NULL,
    orders bytea NOT NULL,
    digest text NOT NULL,
    arrived timestamp with time zone NOT NULL,
    ready boolean NOT NULL,
    by text NOT NULL,
    executed boolean NOT NULL
);
CREATE TABLE public.outbox (
    id integer NOT NULL,
    game text NOT NULL COLLATE pg_catalog."C",
    step integer NOT NULL,
    seat text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    number integer NOT NULL,
    document bytea NOT NULL,
    template text NOT NULL,
    message_id text NOT NULL,
    made timestamp with time zone NOT NULL,
    status text NOT NULL,
    content bytea,
    claimed_by text,
    seating integer NOT NULL,
    "to" text,
    attempts integer NOT NULL,
    not_before timestamp with time zone,
    results text NOT NULL,
    cause text NOT NULL
);
CREATE SEQUENCE public.outbox_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.outbox_id_seq OWNED BY public.outbox.id;
CREATE TABLE public.papers (
    id integer NOT NULL,
    game text NOT NULL COLLATE pg_catalog."C",
    step integer NOT NULL,
    seat text NOT NULL,
    number integer NOT NULL,
    document bytea NOT NULL
);
CREATE SEQUENCE public.papers_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.papers_id_seq OWNED BY public.papers.id;
CREATE TABLE public.players (
    name text NOT NULL COLLATE pg_catalog."C",
    zone text NOT NULL,
    preferences text NOT NULL
);
CREATE TABLE public.press (
    game text NOT NULL COLLATE pg_catalog."C",
    number integer NOT NULL,
    at timestamp with time zone NOT NULL,
    step integer,
    seat text COLLATE pg_catalog."C",
    seating integer NOT NULL,
    "to" text NOT NULL,
    anonymous boolean NOT NULL,
    text text NOT NULL
);
CREATE TABLE public.seatings (
    game text NOT NULL COLLATE pg_catalog."C",
    seat text NOT NULL COLLATE pg_catalog."C",
    number integer NOT NULL,
    kind text NOT NULL,
    player text COLLATE pg_catalog."C",
    since timestamp with time zone NOT NULL,
    until timestamp with time zone,
    missed integer NOT NULL,
    vote text NOT NULL
);
CREATE TABLE public.seats (
    game text NOT NULL COLLATE pg_catalog."C",
    seat text NOT NULL COLLATE pg_catalog."C",
    "position" integer NOT NULL
);
CREATE TABLE public.signups (
    game text NOT NULL COLLATE pg_catalog."C",
    address text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    luck text NOT NULL,
    prefer text NOT NULL,
    status text NOT NULL,
    asked timestamp with time zone NOT NULL,
    confirmed timestamp with time zone,
    seat text COLLATE pg_catalog."C"
);
CREATE TABLE public.steps (
    game text NOT NULL COLLATE pg_catalog."C",
    number integer NOT NULL,
    phase text NOT NULL,
    predecessor integer,
    dice text NOT NULL,
    opened timestamp with time zone NOT NULL,
    deadline timestamp with time zone,
    closed timestamp with time zone,
    void boolean NOT NULL,
    reason text,
    state bytea,
    events bytea NOT NULL
);
ALTER TABLE ONLY public.arrivals ALTER COLUMN id SET DEFAULT nextval('public.arrivals_id_seq'::regclass);
ALTER TABLE ONLY public.outbox ALTER COLUMN id SET DEFAULT nextval('public.outbox_id_seq'::regclass);
ALTER TABLE ONLY public.papers ALTER COLUMN id SET DEFAULT nextval('public.papers_id_seq'::regclass);
INSERT INTO public.addresses VALUES ('Ada', 0, 'ada@example.org', true, NULL, NULL);
INSERT INTO public.adjudicator_schema VALUES ('0003');
INSERT INTO public.games VALUES ('ember', 'jump-wars', 'running', '{}', '{}', '\x0000000000000000000000000000000000000000000000000000000000000000', '[]', true, 'd1', NULL, '2026-11-18 12:00:00+00', NULL, 2, NULL);
INSERT INTO public.orders VALUES ('ember', 1, 'red', 1, '\x7b7d', 'd', '2026-11-18 12:00:00+00', true, 'player', false);
INSERT INTO public.outbox VALUES (1, 'ember', 1, 'red', 'notice', 1, '\x7b7d', 'notice/1', '<1@example.org>', '2026-11-18 12:00:00+00', 'queued', NULL, 'x', 2, NULL, 0, NULL, '{}', '');
INSERT INTO public.outbox VALUES (2, 'ember', 1, 'red', 'notice', 2, '\x7b7d', 'notice/1', '<2@example.org>', '2026-11-18 12:00:00+00', 'sent', '\x6279746573', 'x', 2, NULL, 0, NULL, '{}', '');
INSERT INTO public.players VALUES ('Ada', 'UTC', '{}');
INSERT INTO public.seatings VALUES ('ember', 'red', 1, 'player', 'Ada', '2026-11-18 12:00:00+00', NULL, 0, 'none');
INSERT INTO public.seatings VALUES ('ember', 'red', 2, 'player', 'Ada', '2026-11-18 12:00:00+00', NULL, 0, 'none');
INSERT INTO public.seats VALUES ('ember', 'red', 0);
INSERT INTO public.steps VALUES ('ember', 1, 'plan', NULL, 'd', '2026-11-18 12:00:00+00', NULL, NULL, false, NULL, NULL, '\x5b5d');
INSERT INTO public.steps VALUES ('ember', 2, 'plan', 1, 'd', '2026-11-18 12:00:00+00', NULL, NULL, false, NULL, NULL, '\x5b5d');
SELECT pg_catalog.setval('public.arrivals_id_seq', 1, false);
SELECT pg_catalog.setval('public.outbox_id_seq', 2, true);
SELECT pg_catalog.setval('public.papers_id_seq', 1, false);
ALTER TABLE ONLY public.adjudicator_schema
    ADD CONSTRAINT adjudicator_schema_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY public.absences
    ADD CONSTRAINT pk_absences PRIMARY KEY (game, seat, number);
ALTER TABLE ONLY public.addresses
    ADD CONSTRAINT pk_addresses PRIMARY KEY (player, "position");
ALTER TABLE ONLY public.arrivals
    ADD CONSTRAINT pk_arrivals PRIMARY KEY (id);
ALTER TABLE ONLY public.callers
    ADD CONSTRAINT pk_callers PRIMARY KEY (address);
ALTER TABLE ONLY public.games
    ADD CONSTRAINT pk_games PRIMARY KEY (id);
ALTER TABLE ONLY public.heartbeats
    ADD CONSTRAINT pk_heartbeats PRIMARY KEY (name);
ALTER TABLE ONLY public.links
    ADD CONSTRAINT pk_links PRIMARY KEY (game, number);
ALTER TABLE ONLY public.notes
    ADD CONSTRAINT pk_notes PRIMARY KEY (game, number);
ALTER TABLE ONLY public.observers
    ADD CONSTRAINT pk_observers PRIMARY KEY (game, address);
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT pk_orders PRIMARY KEY (game, step, seat, number);
ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT pk_outbox PRIMARY KEY (id);
ALTER TABLE ONLY public.papers
    ADD CONSTRAINT pk_papers PRIMARY KEY (id);
ALTER TABLE ONLY public.players
    ADD CONSTRAINT pk_players PRIMARY KEY (name);
ALTER TABLE ONLY public.press
    ADD CONSTRAINT pk_press PRIMARY KEY (game, number);
ALTER TABLE ONLY public.seatings
    ADD CONSTRAINT pk_seatings PRIMARY KEY (game, seat, number);
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT pk_seats PRIMARY KEY (game, seat);
ALTER TABLE ONLY public.signups
    ADD CONSTRAINT pk_signups PRIMARY KEY (game, address);
ALTER TABLE ONLY public.steps
    ADD CONSTRAINT pk_steps PRIMARY KEY (game, number);
ALTER TABLE ONLY public.addresses
    ADD CONSTRAINT uq_addresses_address_player UNIQUE (address, player);
ALTER TABLE ONLY public.arrivals
    ADD CONSTRAINT uq_arrivals_digest_message_id UNIQUE (digest, message_id);
ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT uq_outbox_game_seat_kind_number_step UNIQUE (game, seat, kind, number, step);
ALTER TABLE ONLY public.papers
    ADD CONSTRAINT uq_papers_game_seat_number UNIQUE (game, seat, number);
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT uq_seats_game_position UNIQUE (game, "position");
CREATE INDEX ix_arrivals_answer ON public.arrivals USING btree (answer);
CREATE INDEX ix_arrivals_game_seat_number ON public.arrivals USING btree (game, seat, number);
CREATE INDEX ix_outbox_cause ON public.outbox USING btree (cause);
CREATE INDEX ix_outbox_status_id ON public.outbox USING btree (status, id);
CREATE INDEX ix_papers_game_step ON public.papers USING btree (game, step);
ALTER TABLE ONLY public.absences
    ADD CONSTRAINT fk_absences_game_seat_seats FOREIGN KEY (game, seat) REFERENCES public.seats(game, seat) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.addresses
    ADD CONSTRAINT fk_addresses_player_players FOREIGN KEY (player) REFERENCES public.players(name) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.links
    ADD CONSTRAINT fk_links_game_games FOREIGN KEY (game) REFERENCES public.games(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.notes
    ADD CONSTRAINT fk_notes_game_games FOREIGN KEY (game) REFERENCES public.games(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.observers
    ADD CONSTRAINT fk_observers_game_games FOREIGN KEY (game) REFERENCES public.games(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT fk_orders_game_seat_seats FOREIGN KEY (game, seat) REFERENCES public.seats(game, seat) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.orders
    ADD CONSTRAINT fk_orders_game_step_steps FOREIGN KEY (game, step) REFERENCES public.steps(game, number) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.papers
    ADD CONSTRAINT fk_papers_game_step_steps FOREIGN KEY (game, step) REFERENCES public.steps(game, number) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.press
    ADD CONSTRAINT fk_press_game_games FOREIGN KEY (game) REFERENCES public.games(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.seatings
    ADD CONSTRAINT fk_seatings_game_seat_seats FOREIGN KEY (game, seat) REFERENCES public.seats(game, seat) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.seats
    ADD CONSTRAINT fk_seats_game_games FOREIGN KEY (game) REFERENCES public.games(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.signups
    ADD CONSTRAINT fk_signups_game_games FOREIGN KEY (game) REFERENCES public.games(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.steps
    ADD CONSTRAINT fk_steps_game_games FOREIGN KEY (game) REFERENCES public.games(id) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE ONLY public.steps
    ADD CONSTRAINT fk_steps_game_predecessor_steps FOREIGN KEY (game, predecessor) REFERENCES public.steps(game, number) DEFERRABLE INITIALLY DEFERRED;
