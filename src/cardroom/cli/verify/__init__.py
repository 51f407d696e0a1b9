"""`cardroom verify`: re-derive what a record says, with no server."""
