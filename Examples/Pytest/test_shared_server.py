"""All tests of a process share one server, which is reset before each of them: for large suites."""
import nova_social


def posts(server):
    return server.call("content/posts/author", {"author_id": "mock-user-id", "limit": 1})["total_count"]


def write(server):
    server.call("content/post/create", {"creator_id": "mock-user-id", "content": "Hello"})


def test_a_post_is_there(nova_shared_server):
    before = posts(nova_shared_server)
    write(nova_shared_server)
    assert posts(nova_shared_server) == before + 1


def test_posts_of_other_tests_are_not(nova_shared_server):
    assert nova_shared_server.requests() == []
    before = posts(nova_shared_server)
    write(nova_shared_server)
    nova_shared_server.reset()
    assert posts(nova_shared_server) == before


def test_the_program_has_the_version_of_the_package():
    assert nova_social.version() == nova_social.__version__
