import Foundation
import NovaContract
import NovaSDK
import NovaTestSupport
import Testing

@testable import NovaCLI

@Suite struct DescribeCommandTests {
  @Test func servicesAreListedWithoutAName() async throws {
    let names = Set(RPCRegistry.nova.rpcs.map(\.service))
    let run = try await nova("describe")
    #expect(run.status == 0 && run.errors.isEmpty)
    for name in names { #expect(run.output.contains("\n  \(name) "), "\(run.output)") }
    #expect(Set(try await nova("describe", "-o", "ids").lines) == names)
  }

  @Test(arguments: ["graph", "GraphService", "nova.graph_service.v1.GraphService"])
  func aServiceListsItsRPCs(_ name: String) async throws {
    let run = try await nova("describe", name, "-o", "ids")
    #expect(run.lines == RPCRegistry.nova.rpcs.filter { $0.service == "graph" }.map(\.id))
  }

  @Test(arguments: ["graph.GetFollowers", "GETFOLLOWERS", "nova.graph_service.v1.GraphService.GetFollowers"])
  func anRPCIsDescribed(_ name: String) async throws {
    let run = try await nova("describe", name)
    for part in [
      "POST /api/v1/graph/followers", "reads: changes nothing", "user_id  string; not empty. Who is followed.",
      "0 means 50, at most 1000", "INVALID_ARGUMENT  when the limit or the offset is negative",
      #"nova call graph.GetFollowers '{"user_id":"mock-user-id","limit":3}' --mock"#,
    ] { #expect(run.output.contains(part), "\(part) is not in\n\(run.output)") }
  }

  @Test func unknownNamesAreCorrected() async throws {
    let run = try await nova("describe", "graph.GetFolowers")
    #expect(run.status == 64 && run.output.isEmpty)
    #expect(run.errors.hasPrefix("nova: not found: service, RPC or message \"graph.GetFolowers\"\n"))
    #expect(run.errors.contains("Did you mean graph.GetFollowers"))
  }

  /// Everything of the contract has a description: names, types and comments.
  @Test func everythingIsDescribed() throws {
    for rpc in RPCRegistry.nova.rpcs {
      let json = ContractDescription.rpc(rpc).json
      #expect(json["rpc"]?.stringValue == rpc.id)
      #expect(json["description"]?.stringValue?.isEmpty == false, "\(rpc.id) has no comment")
      #expect(json["path"]?.stringValue == rpc.http.path)
      let fields = json["request"]?["fields"]?.elements ?? []
      #expect(fields.count == rpc.requestType.descriptor.fields.count)
      for field in fields { #expect(["path", "query", "body"].contains(field["in"]?.stringValue ?? ""), "\(field)") }
    }
    for message in RPCRegistry.nova.messages.map({ $0.descriptor }) {
      #expect(ContractDescription(named: message.shortName) != nil, "\(message.name)")
      for field in message.described() { #expect(!field.comment.isEmpty, "\(message.name).\(field.field.name)") }
    }
  }

  /// RPCs whose examples need what the sample data does not have: tokens, uploads, videos, reels and captures.
  private static let needingOtherData: [String: APIError.Code] = [
    "auth.Refresh": .unauthorized, "capture.GetSomething": .notFound,
    "capture.UpdateMeaning": .notFound, "capture.DeleteSomething": .notFound, "media.UpdateUploadProgress": .notFound,
    "media.CompleteUpload": .notFound, "media.CreateReel": .notFound,
  ]

  @Test(arguments: RPCRegistry.nova.rpcs) func examplesWorkWithTheMock(_ rpc: RPCDescriptor) async throws {
    let json = ExampleMessage.request(of: rpc)
    let request = try rpc.requestType.init(refusingUnknownFieldsIn: json.jsonUTF8)
    let nova = NovaClient.mock()
    do {
      if rpc.isServerStreaming {
        _ = try await nova.client.stream(rpc, request)
      } else {
        _ = try await nova.client.respond(rpc, request, options: CallOptions())
      }
      #expect(Self.needingOtherData[rpc.id] == nil, "\(rpc.id) works")
    } catch let error as APIError {
      #expect(error.code == Self.needingOtherData[rpc.id], "\(ExampleMessage.command(of: rpc)): \(error)")
    }
  }

  @Test func linesFitTheTerminal() async throws {
    for columns in [40, 80, 120] as [UInt16] {
      let terminal = try PseudoTerminal(["describe", "graph.BatchCheckFollowing"], columns: columns)
      #expect(try await terminal.status() == 0)
      try await terminal.wait(for: "--mock")
      let lines = terminal.output.replacing("\u{1B}[1m", with: "").replacing("\u{1B}[0m", with: "")
        .split(separator: "\r\n")
      // The command to copy is in one piece.
      #expect(lines.allSatisfy { $0.count <= Int(columns) || $0.contains("nova call") }, "\(terminal.output)")
    }
  }

  @Test(
    arguments: [
      ("a bb ccc", 4, ["a bb", "ccc"]), ("toolongword a", 4, ["toolongword", "a"]), ("", 4, [""]),
      ("a `b c` d", 5, ["a", "`b c`", "d"]), ("a `b c`", 3, ["a", "`b", "c`"]), ("a `b", 9, ["a `b"]),
    ])
  func textIsWrappedBetweenWords(text: String, width: Int, lines: [String]) {
    #expect(text.wrapped(to: width) == lines)
  }
}
