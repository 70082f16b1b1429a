import NovaCore
import NovaFixtures
import NovaRegistry
import NovaTestSupport
import Testing

@testable import NovaFixtureFiles

@Suite struct ExchangeFilesTests {
  /// Every file that there is, made once for all tests.
  private static let everything = Task {
    try await ExchangeFilesTests.files(edges: EdgeCase.all, exports: FixtureExport.allCases).files
  }

  private static func files(
    users: Int = 20, rpcs: [String]? = nil, edges: [EdgeCase] = [], exports: [FixtureExport] = []
  ) async throws -> FixtureExchangeFiles {
    try await FixtureExchangeFiles(
      of: try World(seed: Seed(42), users: users), rpcs: rpcs, edgeCases: edges, exports: exports)
  }

  @Test func everyRPCHasAFileOfItsOwn() async throws {
    let files = try await Self.everything.value
    let names = files.map(\.name)
    #expect(Set(names).count == names.count)
    for rpc in RPCRegistry.nova.rpcs where !rpc.isServerStreaming {
      #expect(names.contains("exchanges/\(rpc.id).json"))
    }
    for edge in EdgeCase.all { #expect(names.contains("edges/\(edge.name).json")) }
    for export in FixtureExport.allCases { #expect(names.contains { $0.hasPrefix("exports/\(export.rawValue)/") }) }
    #expect(files.filter { $0.format != "wiremock" }.allSatisfy { !$0.bytes.isEmpty })
  }

  @Test func onlyWhatIsAskedForIsThere() async throws {
    let part = try await Self.files(rpcs: ["content.DeletePost"], exports: [.postman]).files
    #expect(part.map(\.name) == ["exchanges/content.DeletePost.json", "exports/postman/collection.json"])
    // Of a collection that is what its requests depend on, too; PostmanReplayTests replays such ones.
    let needed = try await FixtureExchange.shared().withPrerequisites(of: ["content.DeletePost"])
    let account = FixtureAccount(of: try World(seed: Seed(42), users: 20))
    #expect(part.last?.bytes == FixtureExport.postman.files(needed, account: account).first?.bytes)
    let rtl = try #require(EdgeCase.named("rtl"))
    #expect(try await Self.files(rpcs: [], edges: [rtl]).files.map(\.name) == ["edges/rtl.json"])
  }

  @Test func theSameWorldGivesTheSameBytes() async throws {
    let others = FixtureExport.allCases.filter { $0 != .postman }.map(\.rawValue)
    let one = try await Self.everything.value.filter { !others.contains($0.format) }
    let other = try await Self.files(edges: EdgeCase.all, exports: [.postman]).files
    #expect(one.map(\.name) == other.map(\.name))
    #expect(one.map(\.bytes) == other.map(\.bytes))
  }

  @Test func commandWritesAndChecksSets() async throws {
    try await withDirectory { path in
      let written = try await nova(
        "fixtures", "generate", "--users", "20", "--rpc", "graph.GetFollowers", "--edge", "rtl", "--export", "wiremock",
        "--entities", "users", "--out", "\(path)/set")
      #expect(written.status == 0, "\(written.errors)")
      #expect(try await nova("fixtures", "check", "\(path)/set").status == 0)
    }
    for option in [["--rpc", "graph.GetFolowers"], ["--edge", "rlt"], ["--export", "soapui"]] {
      let run = try await ProgramRun(["fixtures", "generate", "--out", "/tmp/none"] + option).result()
      #expect(run.status == 64 && run.errors.contains("\(option[1])"), "\(run.errors)")
    }
  }

  @Test func invalidOptionsAreRejected() async throws {
    func refusal(_ make: () async throws -> FixtureExchangeFiles) async -> String {
      do { _ = try await make() } catch { return "\(error)" }
      return "none"
    }
    #expect(await refusal { try await Self.files(rpcs: ["graph.Nonsense"]) }.contains("unknown RPC graph.Nonsense"))
    #expect(await refusal { try await Self.files(users: 10_001) }.contains("at most 10000 users"))
    #expect(await refusal { try await Self.files(rpcs: [], exports: [.har]) }.contains("nothing to export"))
  }
}
