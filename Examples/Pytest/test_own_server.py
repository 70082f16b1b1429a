"""Each test has a server of its own: it can change its data and its options."""
import pytest
from nova_social import CallError

SIGN_IN = {"email": "bruce@nova.social", "password": "mock-password"}


def test_liking_twice_keeps_one_like(nova_server):
    like = {"user_id": "mock-user-id", "post_id": "post-2"}
    first = nova_server.call("social/like", like)
    assert nova_server.call("social/like", like)["like_count"] == first["like_count"]


def test_a_busy_service(nova_server):
    nova_server.inject_faults("graph.GetFollowers=503x1")
    with pytest.raises(CallError) as error:
        nova_server.call("graph/followers", {"user_id": "mock-user-id"})
    assert error.value.status == 503
    # The fault was for one call.
    assert nova_server.call("graph/followers", {"user_id": "mock-user-id"})["total_count"] == 3021


@pytest.mark.nova("--require-tokens")
def test_a_token_expires_after_an_hour(nova_server):
    session = nova_server.call("auth/login", SIGN_IN)
    settings = {"user_id": session["user_id"]}
    nova_server.call("users/settings", settings, token=session["token"])
    nova_server.advance_clock(3601)
    with pytest.raises(CallError, match="401"):
        nova_server.call("users/settings", settings, token=session["token"])


def test_what_the_program_sent(nova_server):
    nova_server.call("graph/followers", {"user_id": "mock-user-id", "limit": 1})
    assert [request["rpc"] for request in nova_server.requests()] == ["graph.GetFollowers"]


@pytest.mark.nova("--grpc-port", "0")
def test_grpc_has_a_port_of_its_own(nova_server):
    assert nova_server.grpc_port not in (None, nova_server.port)


@pytest.mark.parametrize("number", range(8))
def test_each_server_has_the_same_data(nova_server, number):
    page = nova_server.call("graph/followers", {"user_id": "mock-user-id", "limit": 1})
    assert page["user_ids"] == ["user-1492"]
