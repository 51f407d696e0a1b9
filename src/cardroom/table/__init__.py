"""What outlives a round, for every dealt game: who sits where, what is staked, what is due, what is over.

`twentyone` and `knockout52` hold the tables of their games. What both share stands here: what a running table
is to whoever runs it (`running`), a player's purse (`purse`), and who has a table's page open (`presence`).
"""
