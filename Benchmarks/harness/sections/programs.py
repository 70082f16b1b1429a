"""What SDK consumers build: clean release builds of a program that makes one call, and the program's size."""

import os
import shutil
import subprocess
import time
from pathlib import Path

from harness import build
from harness.samples import alternate, median, spread, target
from harness.text import number, paragraph, ranged, table

TITLE = "What SDK consumers build"
PROGRAMS = []
# A round takes minutes.
ROUNDS = 1

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "OneCall",
  platforms: [.macOS(.v15)],
  dependencies: [{dependencies}],
  targets: [.executableTarget(name: "OneCall", dependencies: [{products}])]
)
"""

SDK = """import NovaSDK

@main
struct OneCall {
  static func main() async throws {
    let nova = try NovaClient()
    let page = try await nova.graph.getFollowers(userId: "mock-user-id", limit: 20)
    print(page.userIds)
  }
}
"""

GRAPH = """import NovaCore
import NovaGraph

@main
struct OneCall {
  static func main() async throws {
    let graph = GraphService(client: APIClient(configuration: try APIConfiguration.load()))
    let page = try await graph.getFollowers(userId: "mock-user-id", limit: 20)
    print(page.userIds)
  }
}
"""

ASYNC_HTTP_CLIENT = """import AsyncHTTPClient
import Foundation

struct Followers: Decodable {
  let userIds: [String]

  enum CodingKeys: String, CodingKey { case userIds = "user_ids" }
}

@main
struct OneCall {
  static func main() async throws {
    var request = HTTPClientRequest(url: "http://localhost:8080/api/v1/graph/followers")
    request.method = .POST
    request.headers.add(name: "Content-Type", value: "application/json")
    request.body = .bytes(Array(#"{"user_id":"mock-user-id","limit":20}"#.utf8))
    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
    let body = try await response.body.collect(upTo: 1 << 20)
    print(try JSONDecoder().decode(Followers.self, from: Data(body.readableBytesView)).userIds)
  }
}
"""


GRPC = """import NovaSDK

@main
struct OneCall {
  static func main() async throws {
    let overrides = ConfigurationOverrides(baseURL: "grpc://localhost:9090")
    let nova = NovaClient(configuration: try APIConfiguration(overrides))
    let page = try await nova.graph.getFollowers(userId: "mock-user-id", limit: 20)
    print(page.userIds)
  }
}
"""

GRPC_SWIFT = """import GRPCCore
import GRPCNIOTransportHTTP2
import GRPCProtobuf

@main
struct OneCall {
  static func main() async throws {
    let transport = try HTTP2ClientTransport.Posix(
      target: .dns(host: "localhost", port: 9090), transportSecurity: .plaintext)
    try await withGRPCClient(transport: transport) { client in
      var request = Nova_GraphService_V1_GetFollowersRequest()
      request.userID = "mock-user-id"
      request.limit = 20
      let method = MethodDescriptor(
        fullyQualifiedService: "nova.graph_service.v1.GraphService", method: "GetFollowers")
      let page = try await client.unary(
        request: ClientRequest(message: request), descriptor: method,
        serializer: ProtobufSerializer<Nova_GraphService_V1_GetFollowersRequest>(),
        deserializer: ProtobufDeserializer<Nova_GraphService_V1_GetFollowersResponse>(), options: .defaults
      ) { try $0.message }
      print(page.userIds)
    }
  }
}
"""


class Variant:
    """A package with the program: its dependencies in the manifest's language, (product, package) pairs, the program."""

    def __init__(self, dependencies, products, program, others=()):
        self.dependencies = ", ".join(dependencies)
        self.products = ", ".join(f'.product(name: "{name}", package: "{package}")' for name, package in products)
        self.program = program
        #: Further source files, which are copied.
        self.others = others


def sdk(traits, program, product="NovaSDK"):
    """A program on this package."""
    return Variant([f'.package(name: "NovaSDK", path: "{build.ROOT}"{traits})'], [(product, "NovaSDK")], program)


def remote(url, version):
    """A dependency on a package of somebody else's."""
    return f'.package(url: "https://github.com/{url}", from: "{version}")'


WITHOUT_MOCK = "NovaSDK without the mock (`traits: []`)"
ON_GRPC, ON_GRPC_SWIFT = 'NovaSDK with gRPC (`traits: ["GRPC"]`)', "grpc-swift-2 + SwiftProtobuf"
GRAPH_ON_GRPC = "NovaSDK's module NovaGraph alone, with gRPC"
VARIANTS = {
    WITHOUT_MOCK: sdk(", traits: []", SDK),
    "NovaSDK with the mock": sdk("", SDK),
    "NovaSDK's module NovaGraph alone": sdk(", traits: []", GRAPH, "NovaGraph"),
    "AsyncHTTPClient": Variant(
        [remote("swift-server/async-http-client", "1.37.0")], [("AsyncHTTPClient", "async-http-client")],
        ASYNC_HTTP_CLIENT),
    ON_GRPC: sdk(', traits: ["GRPC"]', GRPC),
    GRAPH_ON_GRPC: sdk(', traits: ["GRPC"]', GRAPH, "NovaGraph"),
    ON_GRPC_SWIFT: Variant(
        [
            remote("grpc/grpc-swift-2", "2.4.3"), remote("grpc/grpc-swift-nio-transport", "2.9.2"),
            remote("grpc/grpc-swift-protobuf", "2.4.1"), remote("apple/swift-protobuf", "1.39.0"),
        ], [
            ("GRPCCore", "grpc-swift-2"), ("GRPCNIOTransportHTTP2", "grpc-swift-nio-transport"),
            ("GRPCProtobuf", "grpc-swift-protobuf"), ("SwiftProtobuf", "swift-protobuf"),
        ], GRPC_SWIFT, [build.ROOT / "Benchmarks/Sources/CodecBenchmark/Generated/benchmark_graph.pb.swift"]),
}


def measure(bench):
    """(wall time, CPU time, size of the stripped program) of each round, by program; in s and MB."""
    packages = {}
    for index, (name, variant) in enumerate(VARIANTS.items()):
        packages[name] = make_package(Path(bench.work) / f"program-{index}", variant)

    def build_one(name):
        bench.log(f"building on {name}")
        return clean_build(packages[name])

    found = alternate(list(packages), bench.rounds, build_one)
    programs = dict(zip(packages, found))
    times = {name: median([wall for wall, _, _ in rounds]) for name, rounds in programs.items()}
    return {
        "programs": programs,
        "targets": [
            target(
                "clean release build of a program on NovaSDK without the mock, against one on AsyncHTTPClient",
                "< 0.25 ×", times[WITHOUT_MOCK] / times["AsyncHTTPClient"]),
            target(
                "clean release build of a program on NovaSDK with gRPC, against one on grpc-swift-2", "< 0.2 ×",
                times[ON_GRPC] / times[ON_GRPC_SWIFT]),
            target(
                "the same on its module NovaGraph alone, against one on grpc-swift-2", "< 0.2 ×",
                times[GRAPH_ON_GRPC] / times[ON_GRPC_SWIFT]),
        ],
    }


def make_package(folder, variant):
    """A package with the program, its dependencies resolved."""
    sources = folder / "Sources" / "OneCall"
    sources.mkdir(parents=True)
    (sources / "OneCall.swift").write_text(variant.program)
    for file in variant.others:
        shutil.copy(file, sources)
    manifest = MANIFEST.format(dependencies=variant.dependencies, products=variant.products)
    (folder / "Package.swift").write_text(manifest)
    subprocess.run([build.SWIFT, "package", "--package-path", str(folder), "resolve"], check=True, capture_output=True)
    return folder


def clean_build(folder):
    """Builds without anything from earlier builds, apart from the packages' sources."""
    scratch = folder / ".build"
    for kept in scratch.iterdir():
        if kept.name not in ("checkouts", "repositories", "artifacts", "workspace-state.json"):
            shutil.rmtree(kept) if kept.is_dir() and not kept.is_symlink() else kept.unlink()
    command = [build.SWIFT, "build", "-c", "release", "-j", build.JOBS, "--package-path", str(folder)]
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - start
    if status:
        raise build.BuildFailure(f"cannot build {folder}: see the compiler's messages above")
    program = folder / "stripped"
    subprocess.run(["strip", "-o", str(program), str(scratch / "release" / "OneCall")], check=True)
    return wall, usage.ru_utime + usage.ru_stime, program.stat().st_size / 1e6


def page(results, charts):
    """A chart of build times, and a table."""
    programs = results["programs"]
    rows = [(name, *spread([wall for wall, _, _ in rounds])) for name, rounds in programs.items()]
    cells = []
    for name, rounds in programs.items():
        walls, cpus, sizes = zip(*rounds)
        cells.append([
            name, ranged(walls, lambda value: f"{number(value)} s"), f"{number(median(cpus))} s",
            f"{median(sizes):.1f} MB"])
    return "\n\n".join([
        paragraph(f"""
            A clean release build of a program that makes one call (`swift build -c release -j {build.JOBS}` with the
            packages already resolved), and the size of the stripped program.
        """),
        charts.bars("programs", "Clean release build of a program that makes one call", "s, less is better", rows),
        table(["", "time", "CPU", "size"], cells),
        paragraph("""
            A program on NovaSDK resolves four packages (swift-log, swift-metrics, swift-distributed-tracing,
            swift-argument-parser), of which it compiles the first three. Without the trait `Mock`,
            swift-argument-parser is not resolved. The trait `Server` adds swift-nio, for `nova serve`.

            The trait `GRPC` adds no package. A program on grpc-swift-2 resolves 21, among them swift-nio, BoringSSL (in
            swift-nio-ssl and swift-crypto), and swift-certificates; its messages were generated before.

            The compiler optimizes a module on one core, and a module waits for all modules that it imports. Therefore
            messages (`NovaCoding`) and HTTP (`NovaHTTP`) compile in parallel before `NovaCore`, and the services
            after it. The amount of code to optimize matters as well, at about 90 µs of CPU per line of the compiler's
            intermediate language: reading and writing JSON is compiled once rather than once per message, and rarely
            used code goes through shared helpers instead of its own generic collections.

            The target for a program with all of NovaSDK's modules is missed: in addition to eight services, they
            include sessions, uploads and downloads, the cache, the offline store, and live events. A quarter of the
            time is spent on `NovaCore`, which every service waits for while the other core is idle; a quarter of the
            rest is spent on `NovaMedia`. A program that needs a single service can import only its module.
        """),
    ])
