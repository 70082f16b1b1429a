"""What Tools/check-mcp does with nova mcp, over the official Python client."""
import json
import os
import sys
import tempfile

import anyio
from mcp.client.client import Client
from mcp.client.session import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError

NOVA = sys.argv[1]
FOLLOWERS = {"rpc": "graph.GetFollowers", "request": {"user_id": "mock-user-id", "limit": 2}}
TOOLS = {
    "describe", "find_rpcs", "call", "contract_check", "mock_state", "mock_reset", "mock_advance_clock", "mock_stubs",
    "mock_add_stub", "mock_remove_stubs", "mock_faults", "mock_set_faults", "mock_requests", "mock_clear_requests",
    "read_rest",
}


class Check:
    """Counts what was checked, and remembers what failed."""

    count = 0
    failures = []

    @classmethod
    def expect(cls, holds, what, found=""):
        cls.count += 1
        if not holds:
            cls.failures.append(f"{what}: {str(found)[:600]}")


def server(home, *options):
    """How to start nova mcp, with nobody's session."""
    environment = {"HOME": home, "PATH": os.environ["PATH"]}
    return StdioServerParameters(command=NOVA, args=["mcp", *options], env=environment, cwd=home)


def text(result):
    return "".join(part.text for part in result.content)


def value(result, what):
    Check.expect(not result.is_error, what, result)
    return {} if result.is_error else json.loads(text(result))


async def use_tools(session):
    tools = (await session.list_tools()).tools
    Check.expect({tool.name for tool in tools} == TOOLS, "the tools", [tool.name for tool in tools])
    for tool in tools:
        Check.expect(tool.description and tool.input_schema["type"] == "object", "a tool is described", tool)

    services = value(await session.call_tool("describe", {}), "the services")
    Check.expect(any(service["service"] == "graph" for service in services), "a service", services)
    rpc = value(await session.call_tool("describe", {"name": "graph.GetFollowers"}), "an RPC")
    fields = [field["name"] for field in rpc["request"]["fields"]]
    Check.expect(fields == ["user_id", "limit", "offset"], "the fields of an RPC", fields)
    page = value(await session.call_tool("call", FOLLOWERS), "a call")
    Check.expect(page["response"]["user_ids"] == ["user-1492", "user-0952"], "the response of a call", page)


async def make_mistakes(session):
    """A model must see what is wrong; only unknown tools are errors of the protocol."""
    mistakes = [
        ("call", {}, "missing argument: rpc"),
        ("call", {"rpc": "graph.GetFolowers"}, "Did you mean graph.GetFollowers?"),
        ("call", {"rpc": "graph.GetFollowers", "request": {"user": 1}}, "Fields: user_id, limit, offset."),
        ("call", {"rpc": "social.CreateLike", "request": {"user_id": "a", "post_id": "b"}}, "--allow-writes"),
        ("describe", {"name": "nothing"}, "not found"),
        ("mock_set_faults", {"rules": ["nonsense"]}, "nonsense"),
    ]
    for name, arguments, message in mistakes:
        result = await session.call_tool(name, arguments)
        Check.expect(result.is_error and message in text(result), f"{name} with {arguments}", result)
    try:
        result = await session.call_tool("no_such_tool", {})
        Check.expect(False, "an unknown tool is an error of the protocol", result)
    except MCPError as error:
        Check.expect(error.error.code == -32602, "the code for an unknown tool", error)


async def change_the_mock(session):
    stub = value(
        await session.call_tool("mock_add_stub", {"rpc": "graph.GetFollowers", "body": {"user_ids": ["ann"]}}), "a stub")
    page = value(await session.call_tool("call", FOLLOWERS), "a call of a stub")
    Check.expect(page["response"]["user_ids"] == ["ann"], "the response of a stub", page)
    value(await session.call_tool("mock_remove_stubs", {"id": stub["id"]}), "the removal of a stub")
    value(await session.call_tool("mock_set_faults", {"rules": ["graph.GetFollowers=404x1"]}), "a fault")
    failed = await session.call_tool("call", FOLLOWERS)
    Check.expect(failed.is_error, "a call with a fault", failed)
    requests = value(await session.call_tool("mock_requests", {"rpc": "graph.GetFollowers"}), "the requests")
    Check.expect(requests["requests"][-1]["status"] == 404, "the last request", requests)
    value(await session.call_tool("mock_reset", {}), "a reset")


async def read_resources(session):
    resources = (await session.list_resources()).resources
    uris = {str(resource.uri) for resource in resources}
    Check.expect("nova://contract/graph.GetFollowers" in uris, "the resources", uris)
    templates = (await session.list_resource_templates()).resource_templates
    Check.expect([part.uri_template for part in templates] == ["nova://contract/{name}"], "the templates", templates)
    for name in ["graph.GetFollowers", "Post"]:
        contents = (await session.read_resource(f"nova://contract/{name}")).contents
        Check.expect(contents[0].text.startswith(name), f"the resource {name}", contents)
    try:
        await session.read_resource("nova://contract/nothing")
        Check.expect(False, "an unknown resource is an error")
    except MCPError as error:
        Check.expect(error.error.code == -32002, "the code for an unknown resource", error)


async def check_with_progress(session):
    seen = []

    async def progress(done, total, message):
        seen.append((done, total, message))

    report = value(
        await session.call_tool("contract_check", {"rpcs": ["graph.*"]}, progress_callback=progress), "a contract check")
    Check.expect(report["report"]["passed"] and report["report"]["read_only"], "the report", report)
    done = [each[0] for each in seen]
    Check.expect(done and done == sorted(set(done)), "progress increases", seen)


async def cancel_a_call(session):
    """The client stops waiting, and the connection works on."""
    await session.call_tool("mock_set_faults", {"rules": ["graph.GetFollowers=hang"]})
    with anyio.move_on_after(2) as scope:
        await session.call_tool("call", FOLLOWERS)
    Check.expect(scope.cancelled_caught, "a call that hangs is cancelled")
    await session.call_tool("mock_set_faults", {"rules": []})
    value(await session.call_tool("call", FOLLOWERS), "a call after a cancelled one")


async def many_at_once(session):
    pages = []

    async def call():
        pages.append(value(await session.call_tool("call", FOLLOWERS), "one of many calls"))

    async with anyio.create_task_group() as group:
        for _ in range(100):
            group.start_soon(call)
    Check.expect(len(pages) == 100, "many calls at once", len(pages))


async def main():
    with tempfile.TemporaryDirectory() as home:
        async with stdio_client(server(home, "--mock")) as streams, ClientSession(*streams) as session:
            greeting = await session.initialize()
            Check.expect(greeting.protocol_version == "2025-06-18", "the version", greeting.protocol_version)
            Check.expect(greeting.server_info.name == "nova" and greeting.instructions, "the greeting", greeting)
            for step in [
                use_tools, make_mistakes, change_the_mock, read_resources, check_with_progress, cancel_a_call, many_at_once,
            ]:
                with anyio.fail_after(300):
                    await step(session)
        # Asks for a version without a handshake first, and falls back to one with it.
        async with Client(server(home, "--mock", "--allow-writes"), mode="auto") as client:
            like = {"rpc": "social.CreateLike", "request": {"user_id": "mock-user-id", "post_id": "post-2"}}
            value(await client.call_tool("call", like), "a write that is allowed")
    for failure in Check.failures:
        print(f"failed: {failure}", file=sys.stderr)
    print(f"nova mcp with the Python client: {Check.count} checks, {len(Check.failures)} failed")
    sys.exit(1 if Check.failures else 0)


anyio.run(main)
