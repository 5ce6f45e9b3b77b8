"""Under which addresses phones reach this machine: every one with the name of its interface, the likeliest first."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass

import ifaddr

VIRTUAL = (
    "docker",
    "veth",
    "br-",
    "virbr",
    "vmnet",
    "vboxnet",
    "vEthernet",
    "utun",
    "tun",
    "tap",
    "wg",
    "zt",
    "tailscale",
    "llw",
    "awdl",
    "anpi",
)


@dataclass(frozen=True, slots=True)
class Address:
    ip: str
    interface: str
    virtual: bool


def machine_addresses() -> list[Address]:
    """The usable IPv4 addresses; the one that leads outwards first, virtual adapters last."""
    outward = _outward()
    found = [
        Address(str(ip.ip), adapter.nice_name, _is_virtual(adapter.nice_name))
        for adapter in ifaddr.get_adapters()
        for ip in adapter.ips
        if ip.is_IPv4 and _usable(str(ip.ip))
    ]
    return sorted(found, key=lambda address: (address.ip != outward, address.virtual))


def _outward() -> str | None:
    """The address a packet to the outside would carry; none is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return str(probe.getsockname()[0])


def _usable(ip: str) -> bool:
    address = ipaddress.ip_address(ip)
    return not (address.is_loopback or address.is_link_local or address.is_unspecified)


def _is_virtual(interface: str) -> bool:
    return interface.lower().startswith(tuple(name.lower() for name in VIRTUAL))
