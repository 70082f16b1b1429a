#if GRPC
  import Foundation
  import NovaSDK
  import NovaTestSupport
  import Testing

  /// `nova call` and `nova describe` with the URL of a gRPC server that is not in the contract: one on grpcio, whose answers
  /// are its requests.
  @Suite struct ServiceCallTests {
    private static let shared = Result { try EchoServer() }
    private let server: EchoServer

    init() throws { server = try Self.shared.get() }

    private func call(_ rpc: String, _ json: String = "{}", with options: String...) async throws -> RunResult {
      try await run(["call", "\(server.url)/\(rpc)", json] + options)
    }

    private func run(_ arguments: [String]) async throws -> RunResult { try await ProgramRun(arguments).result() }

    // MARK: Calls

    @Test(arguments: [
      (
        "Numbers", #"{"double":1.5,"int64":-9223372036854775808,"bool":true,"bytes":"AAEC","string":""}"#,
        #"{"double":1.5,"int64":"-9223372036854775808","bool":true,"bytes":"AAEC"}"#
      ),
      (
        "Lists", #"{"int32":[1,-1],"kinds":["FIRST",77],"messages":[{}]}"#,
        #"{"int32":[1,-1],"messages":[{}],"kinds":["FIRST",77]}"#
      ),
      (
        "Maps", #"{"byBool":{"true":"yes"},"by_int32":{"10":"b","9":"a"}}"#,
        #"{"byBool":{"true":"yes"},"byInt32":{"9":"a","10":"b"}}"#
      ),
      (
        "Outer", #"{"snake_case_name":1,"maybe":0,"message":{"deep":"DEEP"}}"#,
        #"{"maybe":0,"message":{"deep":"DEEP"},"snakeCaseName":1}"#
      ),
      (
        "Known", #"{"timestamp":"2025-12-01T10:30:00Z","value":{"a":[null]},"any":{"@type":"x/odd.two.Old","id":1}}"#,
        #"{"any":{"@type":"x/odd.two.Old","id":1},"timestamp":"2025-12-01T10:30:00Z","value":{"a":[null]}}"#
      ),
      (
        "Old", #"{"id":1,"inner":{"count":2},"[odd.two.note]":"hi"}"#,
        #"{"id":1,"inner":{"count":2},"[odd.two.note]":"hi"}"#
      ),
    ])
    func messagesTravelAsTheirDescriptorsSay(rpc: String, request: String, response: String) async throws {
      let run = try await call("odd.Shapes/\(rpc)", request, with: "-o", "ndjson")
      #expect(run.output == response + "\n", "\(run)")
      #expect(run.status == 0)
    }

    @Test func aStreamPrintsAMessagePerLine() async throws {
      let run = try await call("odd.Streams/Repeat", #"{"kind":"FIRST"}"#)
      #expect(run.output == String(repeating: #"{"kind":"FIRST"}"# + "\n", count: 3), "\(run)")
    }

    @Test(arguments: ["Last", "Each"]) func aStreamOfRequestsIsOneRequest(_ rpc: String) async throws {
      let run = try await call("odd.Streams.\(rpc)", #"{"text":"x"}"#, with: "-o", "ndjson")
      #expect(run.output == #"{"text":"x"}"# + "\n", "\(run)")
    }

    @Test func theServerDecidesWhatFails() async throws {
      let run = try await call("odd.Shapes/Numbers", "{}", with: "-H", "fail: 5", "--header", "X-Reason: gone")
      #expect(run.status == 5)
      #expect(run.errors.contains("failed as asked: gone"), "\(run)")
      #expect(run.errors.contains("odd.Shapes.Numbers") && run.errors.contains("NOT_FOUND"), "\(run)")
    }

    /// No setting chose the server, and no token is sent to it.
    @Test func adviceIsAboutTheServer() async throws {
      // The message ends with a space.
      let refused = try await call("odd.Shapes/Numbers", "{}", with: "-H", "fail: 16")
      #expect(refused.status == 4 && refused.errors.contains("--header 'authorization: Bearer"), "\(refused)")
      #expect(!refused.errors.contains("NOVA_TOKEN"), "\(refused)")
      for arguments in [["call", "grpc://127.0.0.1:1/a.B/C"], ["describe", "grpc://127.0.0.1:1"]] {
        let lost = try await run(arguments)
        #expect(lost.status == 6 && lost.errors.contains("Nothing listens there."), "\(lost)")
        #expect(!lost.errors.contains("--base-url"), "\(lost)")
      }
    }

    @Test(arguments: [
      (["call", "localhost:50051/odd.Shapes/Numbers"], "grpc://"),
      (["call", "http://localhost/odd.Shapes"], "grpc://"),
      (["describe", "http://localhost:50051"], "grpc://"),
      (["call", "nova.graph_service.v1.GraphService/GetFollowers"], "Did you mean graph.GetFollowers?"),
      (["call", "--list", "grpc://localhost:50051"], "nova describe grpc://localhost:50051"),
    ])
    func anotherFormIsExplained(_ arguments: [String], hint: String) async throws {
      let run = try await run(arguments)
      #expect(run.status == 64 && run.errors.contains(hint), "\(run)")
    }

    @Test(arguments: [
      (#"{"int32":"x"}"#, "int32: expected an integer from -2147483648 to 2147483647"),
      (#"{"nothing":1}"#, "nothing: odd.three.Numbers has no such field"), ("[]", "expected an object"),
      ("{", "request:1:2:"),
    ])
    func aWrongRequestIsBadDataAndIsNotSent(_ json: String, reason: String) async throws {
      let run = try await call("odd.Shapes/Numbers", json)
      #expect(run.status == 65)
      #expect(run.errors.contains(reason), "\(run)")
      #expect(run.output.isEmpty)
    }

    @Test func unknownFieldsAreIgnoredIfThatIsWanted() async throws {
      let json = #"{"nothing":1,"int32":5}"#
      let run = try await call("odd.Shapes/Numbers", json, with: "--allow-unknown-fields", "-o", "ndjson")
      #expect(run.output == #"{"int32":5}"# + "\n", "\(run)")
    }

    @Test(arguments: [
      ("odd.Shapes/Nmbers", "not found: RPC \"Nmbers\" of odd.Shapes", "Did you mean Numbers?"),
      ("odd.Shape/Numbers", "not found: \"odd.Shape\" at 127.0.0.1:", "Did you mean odd.Shapes?"),
      ("Numbers", "expected a service and an RPC", "nova describe grpc://127.0.0.1:"),
      ("odd.Shapes", "expected an RPC after odd.Shapes", "such as odd.Shapes/"),
      ("odd/Numbers", "not found: \"odd\" at 127.0.0.1:", "The package has odd.Shapes, odd.Streams."),
    ])
    func whatTheServerLacksIsWrongUsage(_ name: String, reason: String, hint: String) async throws {
      let run = try await call(name)
      #expect(run.status == 64)
      #expect(run.errors.contains(reason) && run.errors.contains(hint), "\(run)")
    }

    @Test func aServerWithoutReflectionIsExplained() async throws {
      let silent = try EchoServer(["--no-reflection"])
      let run = try await run(["call", "\(silent.url)/odd.Shapes/Numbers"])
      #expect(run.status == 1)
      #expect(run.errors.contains("it has no reflection"), "\(run)")
      await silent.stop()
    }

    @Test(arguments: [["--mock"], ["--base-url", "grpc://localhost:1"], ["--environment", "staging"], ["--offline"]])
    func optionsThatNameAnotherServerAreWrongUsage(_ options: [String]) async throws {
      let run = try await run(["call", "\(server.url)/odd.Shapes/Numbers"] + options)
      #expect(run.status == 64, "\(run)")
      #expect(run.errors.contains(options[0]), "\(run)")
    }

    @Test(arguments: ["x", ": y", "a b: c", "a: b\u{7}", "a-bin: !!"]) func headersAreChecked(_ line: String)
      async throws
    {
      let run = try await call("odd.Shapes/Numbers", "{}", with: "-H", line)
      #expect(run.status == 64)
      #expect(run.errors.contains("invalid --header"), "\(run)")
    }

    // MARK: Descriptions

    @Test func theServicesAreListed() async throws {
      let run = try await run(["describe", server.url, "-o", "ids"])
      #expect(run.output == "grpc.reflection.v1alpha.ServerReflection\nodd.Shapes\nodd.Streams\n", "\(run)")
      #expect(try await self.run(["describe", server.url]).output.contains("odd.Streams"))
    }

    @Test(arguments: [
      ("odd.Streams", "  rpc Repeat(odd.three.Outer) returns (stream odd.three.Outer);"),
      ("odd.Streams/Last", "  rpc Last(stream odd.three.Outer) returns (odd.three.Outer);"),
      ("odd.Shapes/Numbers", #"nova call grpc://"#), ("odd.three.Maps", "    map<bool, string> by_bool = 1;"),
      ("odd.three.Outer", #"    int32 renamed = 11 [json_name = "@other"];"#),
      ("odd.three.Outer", "    optional int32 maybe = 4;"),
      ("odd.three.Outer", "    oneof choice {"), ("odd.three.Outer.Kind", "    ALSO_FIRST = 1;"),
      ("odd.two.Old", "    required int32 id = 1;"), ("odd.two.Old", #"    // In JSON: "[odd.two.note]""#),
    ])
    func symbolsAreDescribedAsInAProtoFile(_ symbol: String, line: String) async throws {
      let run = try await run(["describe", "\(server.url)/\(symbol)"])
      #expect(run.output.contains(line), "\(run)")
      #expect(run.status == 0)
    }

    @Test func descriptionsAreJSONToo() async throws {
      let run = try await run(["describe", "\(server.url)/odd.Shapes/Numbers", "-o", "json"])
      let rpc = try JSONValue(jsonUTF8: Array(run.output.utf8))
      #expect(rpc["rpc"]?.stringValue == "odd.Shapes.Numbers", "\(run)")
      #expect(rpc["path"]?.stringValue == "/odd.Shapes/Numbers", "\(run)")
      #expect(rpc["client_streaming"] == false && rpc["server_streaming"] == false, "\(run)")
      let message = try await self.run(["describe", "\(server.url)/odd.three.Numbers", "-o", "json"])
      let described = try JSONValue(jsonUTF8: Array(message.output.utf8))
      for part in ["request", "response"] { #expect(rpc[part] == described, "\(run)") }
      let services = try await self.run(["describe", server.url, "-o", "ndjson"])
      #expect(services.output.contains(#"{"service":"odd.Shapes","rpcs":["odd.Shapes.Numbers","#), "\(services)")
      let kind = try await self.run(["describe", "\(server.url)/odd.three.Outer.Inner.Deep", "-o", "ndjson"])
      #expect(kind.output.contains(#"{"name":"DEEP","number":3}"#), "\(kind)")
    }
  }

  /// `Tools/grpc-peer echo`.
  private struct EchoServer {
    private let peer: GRPCPeer

    init(_ options: [String] = []) throws { peer = try GRPCPeer(["echo"] + options) }

    var url: String { "grpc://127.0.0.1:\(peer.ports.port ?? 0)" }

    func stop() async { await peer.stop() }
  }
#endif
