"""The log, the ledger and the lottery's tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "log",
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_log")),
        sa.UniqueConstraint("hash", name=op.f("uq_log_hash")),
    )
    op.create_table(
        "rules",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_rules")),
    )
    op.create_table(
        "settings",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_settings")),
    )
    op.create_table(
        "balances",
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("step", sa.BigInteger(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("balance_cents", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("balance_cents >= 0", name=op.f("ck_balances_not_negative")),
        sa.ForeignKeyConstraint(["seq"], ["log.seq"], name=op.f("fk_balances_seq")),
        sa.PrimaryKeyConstraint("account", "step", name=op.f("pk_balances")),
    )
    op.create_table(
        "draws",
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Text(), nullable=False),
        sa.Column("scheduled_at", sa.Text(), nullable=False),
        sa.Column("due_at", sa.Text(), nullable=False),
        sa.Column("closes_at", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("rules_hash", sa.Text(), nullable=False),
        sa.Column("commitment", sa.Text(), nullable=False),
        sa.Column("opening_commitment", sa.Text(), nullable=False),
        sa.Column("opening_seed", sa.Text(), nullable=True),
        sa.Column("first_cards", sa.Text(), nullable=True),
        sa.Column("root", sa.Text(), nullable=True),
        sa.Column("ticket_count", sa.BigInteger(), nullable=True),
        sa.Column("total_cents", sa.BigInteger(), nullable=True),
        sa.Column("secret", sa.Text(), nullable=True),
        sa.Column("cards", sa.Text(), nullable=True),
        sa.Column("settlement", sa.Text(), nullable=True),
        sa.Column("held", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "status IN ('committed', 'open', 'closed', 'sealed', 'drawn', 'settled', 'void')",
            name=op.f("ck_draws_status"),
        ),
        sa.CheckConstraint(
            "status NOT IN ('drawn', 'settled') OR cards IS NOT NULL", name=op.f("ck_draws_drawn")
        ),
        sa.CheckConstraint(
            "status NOT IN ('sealed', 'drawn', 'settled') OR root IS NOT NULL", name=op.f("ck_draws_sealed")
        ),
        sa.ForeignKeyConstraint(["rules_hash"], ["rules.hash"], name=op.f("fk_draws_rules_hash")),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_draws")),
        sa.UniqueConstraint("cards", name=op.f("uq_draws_cards")),
        sa.UniqueConstraint("commitment", name=op.f("uq_draws_commitment")),
        sa.UniqueConstraint("opening_commitment", name=op.f("uq_draws_opening_commitment")),
        sa.UniqueConstraint("opening_seed", name=op.f("uq_draws_opening_seed")),
        sa.UniqueConstraint("scheduled_at", name=op.f("uq_draws_scheduled_at")),
        sa.UniqueConstraint("secret", name=op.f("uq_draws_secret")),
    )
    op.create_index(op.f("ix_draws_day"), "draws", ["day"], unique=False)
    op.create_index(op.f("ix_draws_status"), "draws", ["status"], unique=False)
    op.create_table(
        "requests",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["seq"], ["log.seq"], name=op.f("fk_requests_seq")),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_requests")),
    )
    op.create_table(
        "transfers",
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("amount_cents", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("amount_cents > 0", name=op.f("ck_transfers_amount")),
        sa.CheckConstraint("source <> target", name=op.f("ck_transfers_two_accounts")),
        sa.ForeignKeyConstraint(["seq"], ["log.seq"], name=op.f("fk_transfers_seq")),
        sa.PrimaryKeyConstraint("seq", "line", name=op.f("pk_transfers")),
    )
    op.create_index(op.f("ix_transfers_source"), "transfers", ["source"], unique=False)
    op.create_index(op.f("ix_transfers_target"), "transfers", ["target"], unique=False)
    op.create_table(
        "tickets",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("draw", sa.BigInteger(), nullable=False),
        sa.Column("purchase", sa.BigInteger(), nullable=False),
        sa.Column("control_tag", sa.Text(), nullable=False),
        sa.Column("terminal", sa.Text(), nullable=False),
        sa.Column("sold_at", sa.Text(), nullable=False),
        sa.Column("alter_until", sa.Text(), nullable=True),
        sa.Column("price_cents", sa.BigInteger(), nullable=False),
        sa.Column("hands", sa.Text(), nullable=False),
        sa.Column("choices", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.CheckConstraint("state IN ('choosing', 'issued', 'altered')", name=op.f("ck_tickets_state")),
        sa.CheckConstraint("price_cents > 0", name=op.f("ck_tickets_price")),
        sa.ForeignKeyConstraint(["draw"], ["draws.number"], name=op.f("fk_tickets_draw")),
        sa.ForeignKeyConstraint(["purchase"], ["log.seq"], name=op.f("fk_tickets_purchase")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tickets")),
        sa.UniqueConstraint("control_tag", name=op.f("uq_tickets_control_tag")),
    )
    op.create_index("ix_tickets_draw_state", "tickets", ["draw", "state"], unique=False)
    op.create_index(op.f("ix_tickets_purchase"), "tickets", ["purchase"], unique=False)
    op.create_table(
        "prizes",
        sa.Column("ticket", sa.Text(), nullable=False),
        sa.Column("draw", sa.BigInteger(), nullable=False),
        sa.Column("amount_cents", sa.BigInteger(), nullable=False),
        sa.Column("games", sa.Text(), nullable=False),
        sa.CheckConstraint("amount_cents > 0", name=op.f("ck_prizes_amount")),
        sa.ForeignKeyConstraint(["draw"], ["draws.number"], name=op.f("fk_prizes_draw")),
        sa.ForeignKeyConstraint(["ticket"], ["tickets.id"], name=op.f("fk_prizes_ticket")),
        sa.PrimaryKeyConstraint("ticket", name=op.f("pk_prizes")),
        sa.UniqueConstraint("ticket", "amount_cents", name=op.f("uq_prizes_ticket")),
    )
    op.create_index(op.f("ix_prizes_draw"), "prizes", ["draw"], unique=False)
    op.create_table(
        "claims",
        sa.Column("ticket", sa.Text(), nullable=False),
        sa.Column("amount_cents", sa.BigInteger(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("outcome IN ('paid', 'expired')", name=op.f("ck_claims_outcome")),
        sa.ForeignKeyConstraint(["seq"], ["log.seq"], name=op.f("fk_claims_seq")),
        sa.ForeignKeyConstraint(
            ["ticket", "amount_cents"],
            ["prizes.ticket", "prizes.amount_cents"],
            name=op.f("fk_claims_ticket"),
        ),
        sa.PrimaryKeyConstraint("ticket", name=op.f("pk_claims")),
    )
