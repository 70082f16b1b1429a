import NovaCore
import NovaCoverage
import NovaGraph
import NovaRegistry
import Testing

@Suite struct CoverageTests {
  private static func rpc(_ id: String) throws -> RPCDescriptor { try #require(RPCRegistry.nova.rpc(named: id)) }

  private static func lines(_ observation: CoverageObservation) -> [String] {
    observation.points.map { "\($0.kind) \($0.name) (\($0.way.rawValue))" }.sorted()
  }

  @Test(arguments: [
    (#"{"user_id":"u","limit":5}"#, ["field limit (body)", "field user_id (body)", "status 200 (HTTP)"]),
    (#"{"userId":"u","limit":null}"#, ["field user_id (body)", "status 200 (HTTP)"]),
    (#"{"user_id":""}"#, ["constraint user_id: not empty (body)", "field user_id (body)", "status 200 (HTTP)"]),
    ("", ["constraint user_id: not empty (body)", "status 200 (HTTP)"]),
    (
      #"{"user_id":"u","limit":-1}"#,
      [
        "constraint limit: 0 or more (body)", "field limit (body)", "field user_id (body)", "status 200 (HTTP)",
      ]
    ),
    (
      #"{"user_id":{}}"#,
      [
        "constraint a readable request (body)", "constraint user_id: not empty (body)", "field user_id (body)",
        "status 200 (HTTP)",
      ]
    ),
    (#"{"user_id""#, ["constraint a readable request (body)", "status 200 (HTTP)"]),
    ("[]", ["constraint a readable request (body)", "status 200 (HTTP)"]),
  ]) func bodiesAreReadByTheirFields(body: String, lines: [String]) throws {
    let rpc = try Self.rpc("graph.GetFollowers")
    let observation = CoverageObservation(rpc, variables: [:], query: "", body: Array(body.utf8), status: 200)
    #expect(Self.lines(observation) == lines)
  }

  @Test func pathsAndQueriesHaveTheirWays() throws {
    let rpc = try Self.rpc("capture.ListSomethings")
    let observation = CoverageObservation(rpc, variables: [:], query: "skip=-1&limit=200", body: [], status: nil)
    #expect(
      Self.lines(observation) == [
        "constraint limit: 100 or less (query)", "constraint skip: 0 or more (query)", "field limit (query)",
        "field skip (query)",
      ])
    let one = try Self.rpc("capture.GetSomething")
    let ofPath = CoverageObservation(one, variables: ["id": "7"], query: "", body: [], status: 404)
    #expect(Self.lines(ofPath) == ["field id (path)", "status 404 (HTTP)"])
  }

  @Test func messagesAreThoseOfGRPC() throws {
    let rpc = try Self.rpc("graph.GetFollowers")
    let observation = CoverageObservation(rpc, message: GetFollowersRequest(userId: "u", limit: 3), status: 200)
    #expect(Self.lines(observation) == ["field limit (gRPC)", "field user_id (gRPC)", "status 200 (gRPC)"])
    let broken = CoverageObservation(rpc, message: nil, status: 400)
    #expect(Self.lines(broken) == ["constraint a readable request (gRPC)", "status 400 (gRPC)"])
    #expect(Self.lines(CoverageObservation(rpc, handshake: 101)) == ["status 101 (WebSocket)"])
  }

  @Test func pointsAreCountedOnceForEachRequest() throws {
    let rpc = try Self.rpc("graph.GetFollowers")
    var recorder = CoverageRecorder(CoveragePlan(rpcs: [rpc.id]))
    let all = recorder.plan.points.count
    #expect(recorder.coverage.total.tried == 0 && recorder.coverage.total.total == all)
    #expect(recorder.coverage.rpcs.map(\.isCalled) == [false])
    for status in [200, 200, 418] {
      recorder.add(
        CoverageObservation(rpc, variables: [:], query: "", body: Array(#"{"user_id":"u"}"#.utf8), status: status))
    }
    let coverage = recorder.coverage
    #expect(coverage.entries.filter { $0.count > 0 }.map { "\($0.point.name) \($0.count)" } == ["200 2", "user_id 3"])
    #expect(
      coverage.unexpectedStatuses.map { "\($0.point.rpc) \($0.point.name) \($0.count)" } == ["graph.GetFollowers 418 1"]
    )
    let text = try #require(coverage.rpcs.first?.missingText)
    #expect(text.hasPrefix("status 400, 401; field "), "\(text)")
    #expect(text.contains("limit: 0 or more (body)"), "\(text)")
    #expect(coverage.json["rpcs"]?.elements?.first?["points"]?.elements?.count == all)
    recorder.removeAll()
    #expect(recorder.coverage.total.tried == 0)
  }

  /// Everything that a plan names can be tried over its way.
  @Test func everyRPCIsInThePlan() {
    let plan = CoveragePlan(ways: [.http, .grpc, .socket])
    #expect(Set(plan.points.map(\.rpc)) == Set(RPCRegistry.nova.rpcs.map(\.id)))
    #expect(Set(plan.points).count == plan.points.count)
    #expect(Set(plan.points.map(\.way)) == Set(WayIn.allCases))
  }
}
