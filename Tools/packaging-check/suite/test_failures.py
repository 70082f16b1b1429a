"""Tests that have to fail, each in its own way; Tools/check-wheel looks at what pytest reports."""

import pytest


def test_that_fails(nova_server):
    nova_server.call("graph/followers", {"user_id": "mock-user-id"})
    raise AssertionError("on purpose")


@pytest.mark.nova("--no-such-option")
def test_without_a_server(nova_server):
    pass


@pytest.mark.nova("--fail-on-unmatched")
def test_with_a_server_that_fails_at_its_end(nova_server):
    with pytest.raises(Exception, match="404"):
        nova_server.call("no/such/path", {})


@pytest.mark.nova("--require-tokens")
def test_options_for_a_shared_server(nova_shared_server):
    pass


def test_that_passes(nova_shared_server):
    pass
