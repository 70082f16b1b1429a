import Foundation
import NovaCore
import NovaMock
import NovaRegistry
import NovaTesting
import Testing

@testable import NovaContract

@Suite struct ContractShardTests {
  /// Gateways with defects in one or all services.
  static let gateways: [String: @Sendable (MockTransport) -> any HTTPTransport] = [
    "none": { $0 },
    "names": { base in AllWrong(base: base, change: WrongGateway.json(\.camelCased)) },
    "integers": { base in
      AllWrong(
        base: base,
        change: WrongGateway.member("created_at") {
          [.init(name: "created_at", value: .string("\($0.integerValue ?? 0)"))]
        })
    },
    "missing": { base in AllWrong(base: base, change: WrongGateway.member("id") { _ in [] }) },
    "failures": { base in
      AllWrong(base: base, change: WrongGateway.failures { $0.body = .bytes(Array("<html>".utf8)) })
    },
    "accepted": { base in AllWrong(base: base, change: WrongGateway.failures { $0.status = 422 }) },
    "one": { base in
      WrongGateway(base: base, path: "/api/v1/users/search", change: WrongGateway.member("profiles") { _ in [] })
    },
  ]

  private struct AllWrong: HTTPTransport {
    let base: any HTTPTransport
    let change: WrongGateway.Change

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      let response = try await base.send(request)
      // Events stay as they are.
      return response.body.bytes == nil ? response : change(request, response)
    }
  }

  private func check(
    _ gateway: String, privacy: Bool = true, readOnly: Bool = false, rpcs: Set<String>? = nil
  ) throws -> ContractCheck {
    let transport = try #require(Self.gateways[gateway])
    return ContractCheck.ofMock(
      {
        $0.checksPrivacy = privacy
        $0.isReadOnly = readOnly
        $0.rpcs = rpcs
      }, transport: transport)
  }

  /// Runs all shards, each on a gateway of its own, and reads them from their files.
  private func merged(_ count: Int, _ check: () throws -> ContractCheck) async throws -> ContractReport {
    var shards: [(shard: ContractCheckShard, place: String)] = []
    for index in (1...count).reversed() {
      let shard = try await check().run(shard: try WorkShard(index: index, count: count))
      let read = try ContractCheckShard(jsonUTF8: shard.jsonUTF8)
      #expect(read.jsonUTF8 == shard.jsonUTF8)
      shards.append((read, "\(index).json"))
    }
    return try ContractCheckShard.merged(shards)
  }

  /// All formats of a report, without what differs between any two checks.
  private func texts(_ report: ContractReport) -> [String] {
    var report = report
    report.showsCoverage = true
    report.leftBehind = []
    let all = [report.json.jsonUTF8, report.sarif.jsonUTF8, report.testResults.ctrf.jsonUTF8].map {
      String(decoding: $0, as: UTF8.self)
    }
    return (all + [report.markdown, report.junit, report.gitHubAnnotations]).map { text in
      text.replacing(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/, with: "<id>")
        .replacing(/nova_contract_[0-9a-z]+_/, with: "<name>_").replacing(/nova-contract-\d+-/, with: "<name>-")
        .replacing(/nova[0-9a-f]{12}/, with: "<marker>")
    }
  }

  /// Where reports differ first; nil if they are the same.
  private func difference(_ merged: ContractReport, _ whole: ContractReport) -> String? {
    let pairs = zip(texts(merged), texts(whole))
    guard let (one, other) = pairs.first(where: { $0 != $1 }) else { return nil }
    let start = max(0, zip(one, other).prefix { $0 == $1 }.count - 200)
    return "merged: \(one.dropFirst(start).prefix(500))\nwhole: \(other.dropFirst(start).prefix(500))"
  }

  @Test(arguments: gateways.keys.sorted())
  func mergedShardsReportWhatOneCheckReports(gateway: String) async throws {
    let whole = try await check(gateway).run()
    let merged = try await merged(3) { try check(gateway) }
    #expect(gateway == "none" || !whole.differences.isEmpty)
    #expect(difference(merged, whole) == nil)
    #expect(merged.isPassed == whole.isPassed && merged.requestCount == whole.requestCount)
  }

  @Test(arguments: [1, 3, 20])
  func anyNumberOfShardsCanBeMerged(count: Int) async throws {
    let whole = try await check("none").run()
    #expect(try await difference(merged(count) { try check("none") }, whole) == nil)
    let chosen: Set = ["graph.GetFollowers", "graph.GetFollowing", "user.SearchUsers", "event.ListEvents"]
    let some = try await check("none", readOnly: true, rpcs: chosen).run()
    #expect(try await difference(merged(count) { try check("none", readOnly: true, rpcs: chosen) }, some) == nil)
  }

  @Test func eachServiceIsInOneShard() async throws {
    for count in [1, 2, 3, 4, 11, 30] {
      let parts = try (1...count).map { index in
        var check = ContractCheck.ofMock()
        check.options.shard = try WorkShard(index: index, count: count)
        return check.reportedRPCs ?? []
      }
      #expect(parts.flatMap(\.self).sorted() == RPCRegistry.nova.rpcs.map(\.id).sorted())
      let services = parts.map { Set($0.map { $0.prefix { $0 != "." } }) }
      #expect(services.reduce(0) { $0 + $1.count } == Set(RPCRegistry.nova.rpcs.map(\.service)).count)
    }
  }

  @Test func aBaselineIsAppliedToTheMergedReport() async throws {
    let whole = try await check("names", privacy: false).run()
    let baseline = ContractBaseline().updated(with: whole)
    var merged = try await merged(3) { try check("names", privacy: false) }
    #expect(ContractBaseline().updated(with: merged) == baseline)
    merged.apply(baseline)
    #expect(merged.staleEntries == [] && merged.knownCount == merged.differences.count)
  }

  @Test func shardsOfDifferentChecksAreRefused() async throws {
    func shard(_ index: Int, of count: Int, _ change: (inout ContractCheck.Options) -> Void = { _ in }) async throws
      -> (shard: ContractCheckShard, place: String)
    {
      let check = ContractCheck.ofMock {
        $0.rpcs = ["graph.GetFollowers", "announcements.ListAnnouncements"]
        change(&$0)
      }
      return (await check.run(shard: try WorkShard(index: index, count: count)), "\(index).json")
    }
    func refusal(_ shards: [(shard: ContractCheckShard, place: String)]) -> String {
      do {
        _ = try ContractCheckShard.merged(shards)
        return ""
      } catch { return "\(error)" }
    }
    let first = try await shard(1, of: 2)
    #expect(refusal([]).contains("no shards"))
    #expect(refusal([first]).contains("shard 2 of 2 is missing"))
    #expect(refusal([first, first]).contains("are both shard 1/2"))
    #expect(refusal([first, try await shard(2, of: 3)]).contains("2.json is shard 2/3"))
    #expect(refusal([first, try await shard(2, of: 2) { $0.isReadOnly = true }]).contains("read_only: false | true"))
    #expect(refusal([first, try await shard(2, of: 2) { $0.rpcs = ["graph.GetFollowers"] }]).contains("rpcs: "))
    #expect(refusal([first, try await shard(2, of: 2) { $0.user = "ann" }]).contains("user: none | ann"))
  }

  @Test(arguments: [
    "", "{", "[]", "{}", #"{"kind":"nova-contract-check-shard/2"}"#, #"{"kind":"nova-contract-check-shard/1"}"#,
  ])
  func otherFilesAreRefused(text: String) {
    #expect(throws: ContractShardError.self) { try ContractCheckShard(jsonUTF8: Array(text.utf8)) }
    #expect(throws: ContractShardError.self) { try ContractSuiteShard(jsonUTF8: Array(text.utf8)) }
  }

  @Test func shardsOfASuiteAreMerged() async throws {
    let scenarios = ContractScenario.all
    func suite(_ scenarios: [ContractScenario]) throws -> ContractSuite {
      let client = APIClient(
        configuration: try APIConfiguration(ConfigurationOverrides(baseURL: "http://localhost:8080")),
        transport: MockTransport(MockBackend())
      ) { $0.resilience = .none }
      return ContractSuite(client: client, scenarios: scenarios)
    }
    let whole = try await suite(scenarios).report("the mock", isReadOnly: false, seed: 1)
    var shards: [(shard: ContractSuiteShard, place: String)] = []
    for index in 1...4 {
      let shard = try WorkShard(index: index, count: 4)
      let part = Array(scenarios[shard.range(of: scenarios.count)])
      let report = try await suite(part).report("the mock", isReadOnly: false, seed: 1)
      let bytes = ContractSuiteShard(shard, of: scenarios, isReadOnly: false, seed: 1, report).jsonUTF8
      #expect(ContractSuiteShard.isKind(of: bytes))
      shards.append((try ContractSuiteShard(jsonUTF8: bytes), "\(index)"))
    }
    let merged = try ContractSuiteShard.merged(shards.reversed())
    #expect(merged.json == whole.json && merged.summary == whole.summary)
    #expect(merged.testResults.suites.map(\.name) == whole.testResults.suites.map(\.name))
    #expect(throws: ContractShardError.self) { try ContractSuiteShard.merged(Array(shards.dropFirst())) }
    let last = try #require(shards.last)
    let other = ContractSuiteShard(last.shard.shard, of: scenarios, isReadOnly: true, seed: 2, last.shard.report)
    #expect(
      throws: ContractShardError(
        "1 and 4 are shards of different runs: read_only: false | true; seed: 1 | 2; run all shards with the same options"
      )
    ) { try ContractSuiteShard.merged(shards.dropLast() + [(other, "4")]) }
  }
}
