"""Commands of Knockout 21."""
