"""Fixtures of pytest that start `nova serve`. Installed packages load this plugin by themselves.

`nova_server`          a mock backend of its own for each test; options by @pytest.mark.nova("--require-tokens")
`nova_shared_server`   one mock backend for all tests of a process of `pytest -n`, reset before each test

The options of the setting `nova_options` and of the command line's --nova-option apply to every server.
"""

from __future__ import annotations

from pathlib import Path
from typing import Generator, Iterator, List

import pytest

from nova_social.server import Server, ServerError

_server = pytest.StashKey[Server]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("nova", "NovaSocial's mock backend")
    group.addoption(
        "--nova-option",
        action="append",
        default=[],
        metavar="OPTION",
        help="an option of nova serve for every server: --nova-option=--seed --nova-option=2; repeatable",
    )
    parser.addini("nova_options", "options of nova serve for every server", type="args", default=[])


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "nova(*options): options of nova serve for the fixture nova_server")


def _common_options(config: pytest.Config) -> List[str]:
    return [*config.getini("nova_options"), *config.getoption("--nova-option")]


def _marked_options(item: pytest.Item) -> List[str]:
    # The closest mark comes first, and the last option wins.
    marks = reversed(list(item.iter_markers("nova")))
    return [str(option) for mark in marks for option in mark.args]


@pytest.fixture
def nova_server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    """A mock backend of its own for each test. Options: @pytest.mark.nova("--require-tokens")"""
    options = [*_common_options(request.config), *_marked_options(request.node)]
    server = Server(*options, folder=tmp_path)
    _start(server)
    request.node.stash[_server] = server
    yield server
    _stop(server)


@pytest.fixture(scope="session")
def _nova_process(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(*_common_options(request.config), folder=tmp_path_factory.mktemp("nova"))
    _start(server)
    yield server
    _stop(server)


@pytest.fixture
def nova_shared_server(request: pytest.FixtureRequest, _nova_process: Server) -> Server:
    """One mock backend for all tests of a process, reset before each test."""
    if _marked_options(request.node):
        pytest.fail(
            "the marker nova has options for a server of its own: use the fixture nova_server, "
            "or the setting nova_options for all servers",
            pytrace=False,
        )
    _nova_process.reset()
    request.node.stash[_server] = _nova_process
    return _nova_process


def _start(server: Server) -> None:
    try:
        server.start()
    except (ServerError, FileNotFoundError) as error:
        pytest.fail(str(error), pytrace=False)


def _stop(server: Server) -> None:
    try:
        server.stop()
    except ServerError as error:
        pytest.fail(str(error), pytrace=False)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, None, None]:
    """Shows the server's log with a test that failed."""
    outcome = yield
    report = outcome.get_result()  # type: ignore[attr-defined]
    server = item.stash.get(_server, None)
    if server is not None and report.when == "call" and report.failed:
        report.sections.append(("nova serve", server.log()))
