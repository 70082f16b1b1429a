import NovaCore
import NovaFixtures
import NovaRegistry
import NovaTestSupport
import Testing

@testable import NovaFixtureFiles

@Suite struct ExchangeFilesTests {
  private func files(
    users: Int = 20, rpcs: [String]? = nil, edges: [EdgeCase] = [], exports: [FixtureExport] = []
  ) async throws -> FixtureExchangeFiles {
    try await FixtureExchangeFiles(
      of: try World(seed: Seed(42), users: users), rpcs: rpcs, edgeCases: edges, exports: exports)
  }

  @Test func everyRPCHasAFileOfItsOwn() async throws {
    let files = try await files(edges: EdgeCase.all, exports: FixtureExport.allCases).files
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
    #expect(try await files(rpcs: ["graph.GetFollowers"]).files.map(\.name) == ["exchanges/graph.GetFollowers.json"])
    let rtl = try #require(EdgeCase.named("rtl"))
    #expect(try await files(rpcs: [], edges: [rtl]).files.map(\.name) == ["edges/rtl.json"])
  }

  @Test func theSameWorldGivesTheSameBytes() async throws {
    let (one, other) = try await (files(exports: [.postman]), files(exports: [.postman]))
    #expect(one.files.map(\.bytes) == other.files.map(\.bytes))
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
    #expect(await refusal { try await files(rpcs: ["graph.Nonsense"]) }.contains("unknown RPC graph.Nonsense"))
    #expect(await refusal { try await files(users: 10_001) }.contains("at most 10000 users"))
    #expect(await refusal { try await files(rpcs: [], exports: [.har]) }.contains("nothing to export"))
  }
}
