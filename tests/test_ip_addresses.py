"""All addresses of one machine count as one visitor. All addresses of one owner count as one network."""

import pytest

from server.ip_addresses import client_subnet, owner_subnet


@pytest.mark.parametrize(("address", "visitor", "network"), [
    ("10.0.0.1", "10.0.0.1", "10.0.0.0/24"),
    ("::ffff:10.0.0.1", "10.0.0.1", "10.0.0.0/24"),
    ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48"),
    ("fe80::1%eth0", "fe80::/64", "fe80::/48"),
    ("2001:db8:1:2::/64", "2001:db8:1:2::/64", "2001:db8:1::/48"),
    ("", "", ""),
])  # fmt: skip
def test_all_addresses_of_a_visitor_count_as_one_visitor(address: str, visitor: str, network: str) -> None:
    assert (client_subnet(address), owner_subnet(address)) == (visitor, network)
