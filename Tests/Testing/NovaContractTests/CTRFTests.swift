import NovaContract
import NovaCore
import Testing

@Suite struct CTRFTests {
  /// The rules of the schema of ctrf.io that a report could break.
  private static func check(_ report: JSONValue, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(report["reportFormat"] == "CTRF", sourceLocation: sourceLocation)
    let results = try #require(report["results"], sourceLocation: sourceLocation)
    let tests = try #require(results["tests"]?.elements, sourceLocation: sourceLocation)
    let summary = try #require(results["summary"], sourceLocation: sourceLocation)
    for name in ["tests", "passed", "failed", "skipped", "pending", "other", "start", "stop", "duration", "suites"] {
      #expect(summary[name]?.integerValue ?? -1 >= 0, "\(name)", sourceLocation: sourceLocation)
    }
    #expect(summary["tests"]?.integerValue == tests.count, sourceLocation: sourceLocation)
    for status in ["passed", "failed", "skipped"] {
      let count = tests.count { $0["status"]?.stringValue == status }
      #expect(summary[status]?.integerValue == count, "\(status)", sourceLocation: sourceLocation)
    }
    let known: Set = ["name", "status", "duration", "suite", "message", "trace", "rawStatus", "type", "stdout"]
    for test in tests {
      #expect(test["name"]?.stringValue?.isEmpty == false && test["duration"]?.integerValue ?? -1 >= 0)
      #expect(Set(test.memberNames).isSubset(of: known), "\(test)", sourceLocation: sourceLocation)
      #expect(test["suite"]?.elements?.isEmpty == false, sourceLocation: sourceLocation)
    }
  }

  @Test func aCheckIsATestForEachRPC() async throws {
    var report = await ContractCheck.ofMock { $0.rpcs = ["graph.GetFollowers", "graph.GetFollowing"] }.run()
    try Self.check(report.ctrf)
    let names = report.ctrf["results"]?["tests"]?.elements?.compactMap { $0["name"]?.stringValue }
    #expect(names == ["GetFollowers", "GetFollowing"])
    #expect(report.ctrf["extra"] == nil)
    report.showsCoverage = true
    #expect(report.ctrf["extra"]?["coverage"]?["total"]?.integerValue ?? 0 > 0)
  }

  @Test func differencesAndEarlyEndsFail() async throws {
    let wrong = await ContractCheck.ofMock({ $0.rpcs = ["graph.GetFollowers"] }) {
      WrongGateway(
        base: $0, path: "/api/v1/graph/followers",
        change: WrongGateway.member("total_count") { [.init(name: "total_count", value: .string("x\($0)"))] })
    }.run()
    try Self.check(wrong.ctrf)
    let test = try #require(wrong.ctrf["results"]?["tests"]?.elements?.first)
    #expect(test["status"] == "failed" && test["rawStatus"] == "wrongType", "\(test)")
    #expect(test["message"]?.stringValue?.contains("total_count: expected") == true, "\(test)")
    let early = await ContractCheck.ofMock { $0.maximumRequests = 5 }.run()
    try Self.check(early.ctrf)
    #expect(early.ctrf["results"]?["tests"]?.elements?.last?["name"] == "to its end")
  }
}

extension JSONValue {
  fileprivate var memberNames: [String] { memberList?.map(\.name) ?? [] }
}
