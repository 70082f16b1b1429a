import NovaCore
import NovaTesting
import Testing

@testable import NovaContract

@Suite struct BaselineTests {
  private func report(
    _ changes: [String: WrongGateway.Change], _ change: @escaping (inout ContractCheck.Options) -> Void = { _ in }
  ) async -> ContractReport {
    await ContractCheck.ofMock(change) { base in
      changes.reduce(base as any HTTPTransport) { WrongGateway(base: $0, path: $1.key, change: $1.value) }
    }.run()
  }

  private static let wrongCount = WrongGateway.member("count") { _ in [.init(name: "count", value: .string("x"))] }
  private static let likeCount = "/api/v1/social/likes/count"
  private static let shareCount = "/api/v1/social/shares/count"

  @Test func knownDifferencesDoNotFail() async throws {
    var report = await report([Self.likeCount: Self.wrongCount])
    #expect(!report.isPassed)
    let baseline = try ContractBaseline(jsonUTF8: ContractBaseline().updated(with: report).jsonUTF8)
    report.apply(baseline)
    #expect(report.isPassed && report.newCount(.breaking) == 0 && report.count(.breaking) == 1)
    #expect(report.summary.contains("1 breaking, 0 tolerated, 0 additive (1 known)"))
    #expect(report.junit.contains(#"failures="0""#) && report.junit.contains("(known)"))
    #expect(report.json["differences"]?.elements?.first?["known"] == .bool(true))
  }

  @Test func onlyNewOnesFail() async throws {
    let first = await report([Self.likeCount: Self.wrongCount])
    let baseline = ContractBaseline().updated(with: first)
    var second = await report([Self.likeCount: Self.wrongCount, Self.shareCount: Self.wrongCount])
    second.apply(baseline)
    #expect(second.differences.filter { !$0.isKnown }.map(\.rpc) == ["social.GetShareCount"])
    #expect(second.newCount(.breaking) == 1 && !second.isPassed)
    #expect(second.staleEntries == [])
  }

  @Test func reasonsSurviveAndStaleEntriesGo() async throws {
    let both = await report([Self.likeCount: Self.wrongCount, Self.shareCount: Self.wrongCount])
    let text = String(decoding: ContractBaseline().updated(with: both).jsonUTF8, as: UTF8.self)
    let baseline = try ContractBaseline(
      jsonUTF8: Array(text.replacing(#""reason":"""#, with: #""reason":"v2"# + "\"").utf8))
    var fixed = await report([Self.likeCount: Self.wrongCount])
    fixed.apply(baseline)
    #expect(fixed.differences.map(\.acceptedReason) == ["v2"])
    #expect(fixed.staleEntries.map(\.rpc) == ["social.GetShareCount"])
    let updated = baseline.updated(with: fixed)
    #expect(updated.entries.map(\.rpc) == ["social.GetLikeCount"] && updated.entries.map(\.reason) == ["v2"])
    #expect(updated.updated(with: fixed) == updated)
  }

  /// What a check did not see, it cannot call fixed.
  @Test func uncheckedEntriesStay() async throws {
    let baseline = ContractBaseline().updated(with: await report([Self.likeCount: Self.wrongCount]))
    for change in [
      { @Sendable (options: inout ContractCheck.Options) in options.rpcs = ["graph.GetFollowers"] },
      { options in options.maximumRequests = 20 },
    ] {
      var other = await report([:], change)
      other.apply(baseline)
      #expect(other.staleEntries == [])
      #expect(baseline.updated(with: other) == baseline)
    }
  }

  /// A status of the answer as a whole is known for each request by itself: 500 for one is not 500 for all.
  @Test func aKnownStatusOfOneRequestIsNotThatOfAnother() async throws {
    let path = "/api/v1/graph/followers"
    let isNegative: @Sendable (HTTPRequest) -> Bool = { $0.body.inMemory.contains(UInt8(ascii: "-")) }
    var failure = HTTPResponse(status: 500, body: Array(#"{"code":13,"message":"no"}"#.utf8))
    failure.headers["Content-Type"] = "application/json"
    let response = failure
    let first = await report([path: { isNegative($0) && $1.status == 400 ? response : $1 }])
    let baseline = ContractBaseline().updated(with: first)
    #expect(baseline.entries.allSatisfy { $0.request != nil && $0.path.isEmpty } && !baseline.entries.isEmpty)
    var second = await report([path: { $1.status == 400 ? response : $1 }])
    second.apply(baseline)
    #expect(second.newCount(.breaking) > 0)
  }

  @Test func moreSevereIsNew() throws {
    let text = """
      {"version":1,"differences":[{"rpc":"a.B","check":"missing","grade":"tolerated","path":"x"}]}
      """
    let baseline = try ContractBaseline(jsonUTF8: Array(text.utf8))
    let difference = ContractDifference(
      rpc: "a.B", request: "r", requests: ["r"], path: "x", kind: .missing, grade: .breaking, expected: "", found: "",
      count: 1)
    #expect(!baseline.entries.contains { $0.matches(difference.baselineEntries[0]) })
  }

  @Test(arguments: [
    ("", "invalid JSON at 1:1"), ("{", "invalid JSON"), ("[]", "version is missing; expected 1"),
    (
      #"{"version":2}"#,
      "version is number 2; expected 1, and a newer version of nova has written this one; update nova"
    ),
    (#"{"version":0}"#, "version is number 0; expected 1"),
    (#"{"version":1}"#, "differences is missing; expected a list"),
    (#"{"version":1,"differences":[7]}"#, "differences[0].check is missing"),
    (
      #"{"version":1,"differences":[{"rpc":"a.B","check":"odd","grade":"breaking","path":""}]}"#,
      #"differences[0].check is string "odd"; expected a kind"#
    ),
    (
      #"{"version":1,"differences":[{"rpc":"a.B","check":"missing","grade":"bad","path":""}]}"#,
      #"differences[0].grade is string "bad"; expected breaking, tolerated, or additive"#
    ),
    (
      #"{"version":1,"differences":[{"rpc":"a.B","check":"missing","grade":"breaking","path":7}]}"#,
      "differences[0].path is number 7; expected a text"
    ),
  ])
  func damageIsNamed(_ text: String, _ reason: String) {
    let error = #expect(throws: ContractBaselineError.self) { try ContractBaseline(jsonUTF8: Array(text.utf8)) }
    #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
  }
}
