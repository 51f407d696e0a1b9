CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE archives (
	number BIGINT NOT NULL, 
	first_seq BIGINT NOT NULL, 
	last_seq BIGINT NOT NULL, 
	start_hash TEXT NOT NULL, 
	end_hash TEXT NOT NULL, 
	hash TEXT NOT NULL, 
	file TEXT NOT NULL, 
	CONSTRAINT pk_archives PRIMARY KEY (number), 
	CONSTRAINT ck_archives_not_empty CHECK (first_seq <= last_seq)
);
CREATE TABLE balances (
	account TEXT NOT NULL, 
	step BIGINT NOT NULL, 
	seq BIGINT NOT NULL, 
	balance_cents BIGINT NOT NULL, 
	CONSTRAINT pk_balances PRIMARY KEY (account, step), 
	CONSTRAINT ck_balances_not_negative CHECK (balance_cents >= 0), 
	CONSTRAINT fk_balances_seq FOREIGN KEY(seq) REFERENCES log (seq)
);
CREATE TABLE checkpoints (
	seq BIGINT NOT NULL, 
	log_hash TEXT NOT NULL, 
	version BIGINT NOT NULL, 
	CONSTRAINT pk_checkpoints PRIMARY KEY (seq)
);
CREATE TABLE claims (
	ticket TEXT NOT NULL, 
	amount_cents BIGINT NOT NULL, 
	outcome TEXT NOT NULL, 
	seq BIGINT NOT NULL, 
	CONSTRAINT pk_claims PRIMARY KEY (ticket), 
	CONSTRAINT ck_claims_outcome CHECK (outcome IN ('paid', 'expired')), 
	CONSTRAINT fk_claims_seq FOREIGN KEY(seq) REFERENCES log (seq), 
	CONSTRAINT fk_claims_ticket FOREIGN KEY(ticket, amount_cents) REFERENCES prizes (ticket, amount_cents)
);
CREATE TABLE draws (
	number BIGINT NOT NULL, 
	day TEXT NOT NULL, 
	scheduled_at TEXT NOT NULL, 
	due_at TEXT NOT NULL, 
	closes_at TEXT NOT NULL, 
	status TEXT NOT NULL, 
	rules_hash TEXT NOT NULL, 
	commitment TEXT NOT NULL, 
	opening_commitment TEXT NOT NULL, 
	opening_seed TEXT, 
	first_cards TEXT, 
	root TEXT, 
	ticket_count BIGINT, 
	total_cents BIGINT, 
	secret TEXT, 
	cards TEXT, 
	settlement TEXT, 
	held TEXT, 
	CONSTRAINT pk_draws PRIMARY KEY (number), 
	CONSTRAINT ck_draws_status CHECK (status IN ('committed', 'open', 'closed', 'sealed', 'drawn', 'settled', 'void')), 
	CONSTRAINT ck_draws_drawn CHECK (status NOT IN ('drawn', 'settled') OR cards IS NOT NULL), 
	CONSTRAINT ck_draws_sealed CHECK (status NOT IN ('sealed', 'drawn', 'settled') OR root IS NOT NULL), 
	CONSTRAINT fk_draws_rules_hash FOREIGN KEY(rules_hash) REFERENCES rules (hash), 
	CONSTRAINT uq_draws_cards UNIQUE (cards), 
	CONSTRAINT uq_draws_commitment UNIQUE (commitment), 
	CONSTRAINT uq_draws_opening_commitment UNIQUE (opening_commitment), 
	CONSTRAINT uq_draws_opening_seed UNIQUE (opening_seed), 
	CONSTRAINT uq_draws_scheduled_at UNIQUE (scheduled_at), 
	CONSTRAINT uq_draws_secret UNIQUE (secret)
);
CREATE TABLE log (
	seq BIGINT NOT NULL, 
	at TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	body TEXT NOT NULL, 
	hash TEXT NOT NULL, 
	CONSTRAINT pk_log PRIMARY KEY (seq), 
	CONSTRAINT uq_log_hash UNIQUE (hash)
);
CREATE TABLE mentions (
	name TEXT NOT NULL, 
	seq BIGINT NOT NULL, 
	CONSTRAINT pk_mentions PRIMARY KEY (name, seq), 
	CONSTRAINT fk_mentions_seq FOREIGN KEY(seq) REFERENCES log (seq)
);
CREATE TABLE parts (
	name TEXT NOT NULL, 
	body TEXT NOT NULL, 
	hash TEXT NOT NULL, 
	CONSTRAINT pk_parts PRIMARY KEY (name)
);
CREATE TABLE prizes (
	ticket TEXT NOT NULL, 
	draw BIGINT NOT NULL, 
	amount_cents BIGINT NOT NULL, 
	games TEXT NOT NULL, 
	CONSTRAINT pk_prizes PRIMARY KEY (ticket), 
	CONSTRAINT ck_prizes_amount CHECK (amount_cents > 0), 
	CONSTRAINT fk_prizes_draw FOREIGN KEY(draw) REFERENCES draws (number), 
	CONSTRAINT fk_prizes_ticket FOREIGN KEY(ticket) REFERENCES tickets (id), 
	CONSTRAINT uq_prizes_ticket UNIQUE (ticket, amount_cents)
);
CREATE TABLE requests (
	"key" TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	answer TEXT NOT NULL, 
	seq BIGINT NOT NULL, 
	CONSTRAINT pk_requests PRIMARY KEY ("key"), 
	CONSTRAINT fk_requests_seq FOREIGN KEY(seq) REFERENCES log (seq)
);
CREATE TABLE rules (
	hash TEXT NOT NULL, 
	text TEXT NOT NULL, 
	CONSTRAINT pk_rules PRIMARY KEY (hash)
);
CREATE TABLE sealed_names (
	stem TEXT NOT NULL, 
	archive BIGINT NOT NULL, 
	first BIGINT NOT NULL, 
	last BIGINT NOT NULL, 
	CONSTRAINT pk_sealed_names PRIMARY KEY (stem, archive), 
	CONSTRAINT fk_sealed_names_archive FOREIGN KEY(archive) REFERENCES archives (number)
);
CREATE TABLE settings (
	name TEXT NOT NULL, 
	value TEXT NOT NULL, 
	CONSTRAINT pk_settings PRIMARY KEY (name)
);
CREATE TABLE spent_keys (
	key_hash TEXT NOT NULL, 
	digest_hash TEXT NOT NULL, 
	answer TEXT NOT NULL, 
	CONSTRAINT pk_spent_keys PRIMARY KEY (key_hash)
)
 WITHOUT ROWID

;
CREATE TABLE tickets (
	id TEXT NOT NULL, 
	draw BIGINT NOT NULL, 
	purchase BIGINT NOT NULL, 
	control_tag TEXT NOT NULL, 
	terminal TEXT NOT NULL, 
	sold_at TEXT NOT NULL, 
	alter_until TEXT, 
	price_cents BIGINT NOT NULL, 
	hands TEXT NOT NULL, 
	choices TEXT NOT NULL, 
	state TEXT NOT NULL, draft_choices TEXT, reprints BIGINT DEFAULT '0' NOT NULL, stopped TEXT, approval TEXT, 
	CONSTRAINT pk_tickets PRIMARY KEY (id), 
	CONSTRAINT ck_tickets_state CHECK (state IN ('choosing', 'issued', 'altered')), 
	CONSTRAINT ck_tickets_price CHECK (price_cents > 0), 
	CONSTRAINT fk_tickets_draw FOREIGN KEY(draw) REFERENCES draws (number), 
	CONSTRAINT fk_tickets_purchase FOREIGN KEY(purchase) REFERENCES log (seq), 
	CONSTRAINT uq_tickets_control_tag UNIQUE (control_tag)
);
CREATE TABLE transfers (
	seq BIGINT NOT NULL, 
	line INTEGER NOT NULL, 
	source TEXT NOT NULL, 
	target TEXT NOT NULL, 
	amount_cents BIGINT NOT NULL, 
	CONSTRAINT pk_transfers PRIMARY KEY (seq, line), 
	CONSTRAINT ck_transfers_amount CHECK (amount_cents > 0), 
	CONSTRAINT ck_transfers_two_accounts CHECK (source <> target), 
	CONSTRAINT fk_transfers_seq FOREIGN KEY(seq) REFERENCES log (seq)
);
CREATE INDEX ix_balances_seq ON balances (seq);
CREATE INDEX ix_claims_seq ON claims (seq);
CREATE INDEX ix_draws_day ON draws (day);
CREATE INDEX ix_draws_status ON draws (status);
CREATE INDEX ix_mentions_seq ON mentions (seq);
CREATE INDEX ix_prizes_draw ON prizes (draw);
CREATE INDEX ix_requests_seq ON requests (seq);
CREATE INDEX ix_tickets_draw_state ON tickets (draw, state);
CREATE INDEX ix_tickets_purchase ON tickets (purchase);
CREATE INDEX ix_transfers_source ON transfers (source);
CREATE INDEX ix_transfers_target ON transfers (target);
