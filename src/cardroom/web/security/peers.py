"""Where a request comes from: the address behind proxies that are named, and nobody else's word for it."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from typing import Final

from starlette.datastructures import Headers
from starlette.types import Scope

from cardroom.core.errors import MalformedInput

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
FORWARDED: Final = "x-forwarded-for"
_IPV6_NETWORK_BITS: Final = 64
"""A customer has a whole network of IPv6 addresses, and counts once."""


def parse_proxies(texts: Sequence[str]) -> tuple[Network, ...]:
    """Read the addresses or networks of proxies.

    >>> parse_proxies(["10.0.0.0/8", "::1"])
    (IPv4Network('10.0.0.0/8'), IPv6Network('::1/128'))
    """
    try:
        return tuple(ipaddress.ip_network(text) for text in texts)
    except ValueError as error:
        raise MalformedInput(f"a proxy is an address or a network, such as 10.0.0.0/8: {error}") from None


def peer_address(scope: Scope, headers: Headers, proxies: Sequence[Network]) -> str:
    """The address that a request counts for: the nearest one that is not a proxy of ours."""
    client = scope.get("client")
    address = str(client[0]) if client else "unknown"
    hops = [hop.strip() for line in headers.getlist(FORWARDED) for hop in line.split(",")]
    while hops and is_within(address, proxies):
        address = hops.pop()
    return counted(address)


def counted(address: str) -> str:
    """The name under which an address is counted: an IPv6 address by its network.

    >>> counted("2001:db8:1:2:3:4:5:6"), counted("192.0.2.7"), counted("::ffff:192.0.2.7")
    ('2001:db8:1:2::/64', '192.0.2.7', '192.0.2.7')
    """
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address[:64]
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        if not parsed.is_loopback:
            return str(ipaddress.ip_network((parsed, _IPV6_NETWORK_BITS), strict=False))
    return str(parsed)


def is_within(address: str, networks: Sequence[Network]) -> bool:
    """Whether an address belongs to one of some networks."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(parsed in network for network in networks)
