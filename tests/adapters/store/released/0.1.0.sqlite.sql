-- A store of adjudicator 0.1.0 with a game in it, as sqlite3 dumps it.
BEGIN TRANSACTION;
CREATE TABLE absences (
	game TEXT NOT NULL,
	seat TEXT NOT NULL,
	number INTEGER NOT NULL,
	seating INTEGER NOT NULL,
	start TEXT NOT NULL,
	"end" TEXT NOT NULL,
	days INTEGER NOT NULL,
	announced TEXT NOT NULL,
	CONSTRAINT pk_absences PRIMARY KEY (game, seat, number),
	CONSTRAINT fk_absences_game_seat_seats FOREIGN KEY(game, seat) REFERENCES seats (game, seat) DEFERRABLE INITIALLY DEFERRED
)
 WITHOUT ROWID
;
CREATE TABLE "addresses" (
	player TEXT NOT NULL,
	position INTEGER NOT NULL,
	address TEXT NOT NULL,
	confirmed BOOLEAN NOT NULL,
	bounced TEXT,
	reason TEXT,
	CONSTRAINT pk_addresses PRIMARY KEY (player, position),
	CONSTRAINT fk_addresses_player_players FOREIGN KEY(player) REFERENCES players (name) DEFERRABLE INITIALLY DEFERRED,
	CONSTRAINT uq_addresses_address_player UNIQUE (address, player)
)
 WITHOUT ROWID
;
INSERT INTO "addresses" VALUES('Ada',0,'ada@example.org',1,NULL,NULL);
CREATE TABLE adjudicator_schema (
	version_num VARCHAR(32) NOT NULL,
	CONSTRAINT adjudicator_schema_pkc PRIMARY KEY (version_num)
);
INSERT INTO "adjudicator_schema" VALUES('0003');
CREATE TABLE arrivals (
	id INTEGER NOT NULL,
	message_id TEXT NOT NULL,
	digest TEXT NOT NULL,
	arrived TEXT NOT NULL,
	read TEXT NOT NULL,
	date TEXT,
	sender TEXT,
	game TEXT,
	seat TEXT,
	outcome TEXT NOT NULL,
	reason TEXT NOT NULL,
	answer TEXT,
	number INTEGER,
	CONSTRAINT pk_arrivals PRIMARY KEY (id),
	CONSTRAINT uq_arrivals_digest_message_id UNIQUE (digest, message_id)
);
CREATE TABLE callers (
	address TEXT NOT NULL,
	day TEXT NOT NULL,
	answers INTEGER NOT NULL,
	wrong INTEGER NOT NULL,
	until TEXT,
	CONSTRAINT pk_callers PRIMARY KEY (address)
)
 WITHOUT ROWID
;
CREATE TABLE games (
	id TEXT NOT NULL,
	kind TEXT NOT NULL,
	status TEXT NOT NULL,
	options TEXT NOT NULL,
	settings TEXT NOT NULL,
	seed BLOB NOT NULL,
	luck TEXT NOT NULL,
	verifiable BOOLEAN NOT NULL,
	rules_digest TEXT NOT NULL,
	components TEXT,
	created TEXT NOT NULL,
	open_step INTEGER,
	next_number INTEGER NOT NULL,
	paused TEXT,
	CONSTRAINT pk_games PRIMARY KEY (id)
)
 WITHOUT ROWID
;
INSERT INTO "games" VALUES('ember','jump-wars','running','{}','{}',X'0000000000000000000000000000000000000000000000000000000000000000','[]',1,'d1',NULL,'2026-11-18T12:00:00.000000+00:00',NULL,2,NULL);
CREATE TABLE heartbeats (
	name TEXT NOT NULL,
	at TEXT NOT NULL,
	boot FLOAT NOT NULL,
	facts TEXT NOT NULL,
	CONSTRAINT pk_heartbeats PRIMARY KEY (name)
)
 WITHOUT ROWID
;
CREATE TABLE links (
	game TEXT NOT NULL,
	number INTEGER NOT NULL,
	kind TEXT NOT NULL,
	step TEXT NOT NULL,
	"after" TEXT,
	commitments TEXT NOT NULL,
	previous TEXT NOT NULL,
	digest TEXT NOT NULL,
	CONSTRAINT pk_links PRIMARY KEY (game, number),
	CONSTRAINT fk_links_game_games FOREIGN KEY(game) REFERENCES games (id) DEFERRABLE INITIALLY DEFERRED
)
 WITHOUT ROWID
;
CREATE TABLE notes (
	game TEXT NOT NULL,
	number INTEGER NOT NULL,
	at TEXT NOT NULL,
	act TEXT NOT NULL,
	"by" TEXT NOT NULL,
	text TEXT NOT NULL,
	data TEXT NOT NULL,
	CONSTRAINT pk_notes PRIMARY KEY (game, number),
	CONSTRAINT fk_notes_game_games FOREIGN KEY(game) REFERENCES games (id) DEFERRABLE INITIALLY DEFERRED
)
 WITHOUT ROWID
;
CREATE TABLE observers (
	game TEXT NOT NULL,
	address TEXT NOT NULL,
	name TEXT,
	since TEXT NOT NULL,
	until TEXT,
	CONSTRAINT pk_observers PRIMARY KEY (game, address),
	CONSTRAINT fk_observers_game_games FOREIGN KEY(game) REFERENCES games (id) DEFERRABLE INITIALLY DEFERRED
)
 WITHOUT ROWID
;
CREATE TABLE orders (
	game TEXT NOT NULL,
	step INTEGER NOT NULL,
	seat TEXT NOT NULL,
	number INTEGER NOT NULL,
	orders BLOB NOT NULL,
	digest TEXT NOT NULL,
	arrived TEXT NOT NULL,
	ready BOOLEAN NOT NULL,
	"by" TEXT NOT NULL,
	executed BOOLEAN NOT NULL,
	CONSTRAINT pk_orders PRIMARY KEY (game, step, seat, number),
	CONSTRAINT fk_orders_game_seat_seats FOREIGN KEY(game, seat) REFERENCES seats (game, seat) DEFERRABLE INITIALLY DEFERRED,
	CONSTRAINT fk_orders_game_step_steps FOREIGN KEY(game, step) REFERENCES steps (game, number) DEFERRABLE INITIALLY DEFERRED
)
 WITHOUT ROWID
;
INSERT INTO "orders" VALUES('ember',1,'red',1,X'7B7D','d','2026-11-18T12:00:00.000000+00:00',1,'player',0);
CREATE TABLE "outbox" (
	id INTEGER NOT NULL,
	game TEXT NOT NULL,
	step INTEGER NOT NULL,
	seat TEXT NOT NULL,
	kind TEXT NOT NULL,
	number INTEGER NOT NULL,
	document BLOB NOT NULL,
	template TEXT NOT NULL,
	message_id TEXT NOT NULL,
	made TEXT NOT NULL,
	status TEXT NOT NULL,
	content BLOB,
	claimed_by TEXT,
	seating INTEGER NOT NULL,
	"to" TEXT,
	attempts INTEGER NOT NULL,
	not_before TEXT,
	results TEXT NOT NULL,
	cause TEXT NOT NULL,
	CONSTRAINT pk_outbox PRIMARY KEY (id),
	CONSTRAINT uq_outbox_game_seat_kind_number_step UNIQUE (game, seat, kind, number, step)
);
INSERT INTO "outbox" VALUES(1,'ember',1,'red','notice',1,X'7B7D','notice/1','<1@example.org>','2026-11-18T12:00:00.000000+00:00','queued',NULL,'x',2,NULL,0,NULL,'{}','');
INSERT INTO "outbox" VALUES(2,'ember',1,'red','notice',2,X'7B7D','notice/1','<2@example.org>','2026-11-18T12:00:00.000000+00:00','sent',X'6279746573','x',2,NULL,0,NULL,'{}','');
CREATE TABLE papers (
	id INTEGER NOT NULL,
	game TEXT NOT NULL,
	step INTEGER NOT NULL,
	seat TEXT NOT NULL,
	number INTEGER NOT NULL,
	document BLOB NOT NULL,
	CONSTRAINT pk_papers PRIMARY KEY (id),
	CONSTRAINT fk_papers_game_step_steps FOREIGN KEY(game, step) REFERENCES steps (game, number) DEFERRABLE INITIALLY DEFERRED,
	CONSTRAINT uq_papers_game_seat_number UNIQUE (game, seat, number)
);
CREATE TABLE players (
	name TEXT NOT NULL,
	zone TEXT NOT NULL,
	preferences TEXT NOT NULL,
	CONSTRAINT pk_players PRIMARY KEY (name)
)
 WITHOUT ROWID
;
INSERT INTO "players" VALUES('Ada','UTC','{}');
CREATE TABLE press (
	game TEXT NOT NULL,
	number INTEGER NOT NULL,
	at TEXT NOT NULL,
	step INTEGER,
	seat TEXT,
	seating INTEGER NOT NULL,
	"to" TEXT NOT NULL,
	anonymous BOOLEAN NOT NULL,
	text TEXT NOT NULL,
	CONSTRAINT pk_press PRIMARY KEY (game, number),
	CONSTRAINT fk_press_game_games FOREIGN KEY(game) REFERENCES games (id) DEFERRABLE INITIALLY DEFERRED
)
 WITHOUT ROWID
;
CREATE TABLE seatings (
	game TEXT NOT NULL,
	seat TEXT NOT NULL,
	number INTEGER NOT NULL,
	kind TEXT NOT NULL,
	player TEXT,
	since TEXT NOT NULL,
	until TEXT,
	missed INTEGER NOT NULL,
	vote TEXT NOT NULL,
	CONSTRAINT pk_seatings PRIMARY KEY (game, seat, number),
	CONSTRAINT fk_seatings_game_seat_seats FOREIGN KEY(game, seat) REFERENCES seats (game, seat) DEFERRABLE INITIALLY DEFERRED
)
 WITHOUT ROWID
;
INSERT INTO "seatings" VALUES('ember','red',1,'player','Ada','2026-11-18T12:00:00.000000+00:00',NULL,0,'none');
INSERT INTO "seatings" VALUES('ember','red',2,'player','Ada','2026-11-18T12:00:00.000000+00:00',NULL,0,'none');
CREATE TABLE seats (
	game TEXT NOT NULL,
	seat TEXT NOT NULL,
	position INTEGER NOT NULL,
	CONSTRAINT pk_seats PRIMARY KEY (game, seat),
	CONSTRAINT fk_seats_game_games FOREIGN KEY(game) REFERENCES games (id) DEFERRABLE INITIALLY DEFERRED,
	CONSTRAINT uq_seats_game_position UNIQUE (game, position)
)
 WITHOUT ROWID
;
INSERT INTO "seats" VALUES('ember','red',0);
CREATE TABLE signups (
	game TEXT NOT NULL,
	address TEXT NOT NULL,
	name TEXT NOT NULL,
	luck TEXT NOT NULL,
	prefer TEXT NOT NULL,
	status TEXT NOT NULL,
	asked TEXT NOT NULL,
	confirmed TEXT,
	seat TEXT,
	CONSTRAINT pk_signups PRIMARY KEY (game, address),
	CONSTRAINT fk_signups_game_games FOREIGN KEY(game) REFERENCES games (id) DEFERRABLE INITIALLY DEFERRED
)
 WITHOUT ROWID
;
CREATE TABLE steps (
	game TEXT NOT NULL,
	number INTEGER NOT NULL,
	phase TEXT NOT NULL,
	predecessor INTEGER,
	dice TEXT NOT NULL,
	opened TEXT NOT NULL,
	deadline TEXT,
	closed TEXT,
	void BOOLEAN NOT NULL,
	reason TEXT,
	state BLOB,
	events BLOB NOT NULL,
	CONSTRAINT pk_steps PRIMARY KEY (game, number),
	CONSTRAINT fk_steps_game_predecessor_steps FOREIGN KEY(game, predecessor) REFERENCES steps (game, number) DEFERRABLE INITIALLY DEFERRED,
	CONSTRAINT fk_steps_game_games FOREIGN KEY(game) REFERENCES games (id) DEFERRABLE INITIALLY DEFERRED
)
 WITHOUT ROWID
;
INSERT INTO "steps" VALUES('ember',1,'plan',NULL,'d','2026-11-18T12:00:00.000000+00:00',NULL,NULL,0,NULL,NULL,X'5B5D');
INSERT INTO "steps" VALUES('ember',2,'plan',1,'d','2026-11-18T12:00:00.000000+00:00',NULL,NULL,0,NULL,NULL,X'5B5D');
CREATE INDEX ix_papers_game_step ON papers (game, step);
CREATE INDEX ix_arrivals_game_seat_number ON arrivals (game, seat, number);
CREATE INDEX ix_arrivals_answer ON arrivals (answer);
CREATE INDEX ix_outbox_status_id ON outbox (status, id);
CREATE INDEX ix_outbox_cause ON outbox (cause);
COMMIT;
