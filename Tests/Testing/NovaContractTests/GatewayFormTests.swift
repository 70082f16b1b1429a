import NovaContract
import NovaCore
import NovaRegistry
import NovaTestSupport
import NovaTesting
import Testing

/// What is the same in everything that a gateway sends, and what one answer of it says about the others.
@Suite struct GatewayFormTests {
  /// The mock behind a gateway that changes answers.
  private struct Gateway: HTTPTransport {
    let base: any HTTPTransport
    let change: @Sendable (HTTPRequest, HTTPResponse) -> HTTPResponse

    func send(_ request: HTTPRequest) async throws -> HTTPResponse { change(request, try await base.send(request)) }
  }

  private func check(
    _ options: (inout ContractCheck.Options) -> Void = { _ in },
    _ change: @escaping @Sendable (HTTPRequest, HTTPResponse) -> HTTPResponse
  ) async -> ContractReport {
    await ContractCheck.ofMock(options) { Gateway(base: $0, change: change) }.run()
  }

  private static func changing(
    _ response: HTTPResponse, _ change: (JSONValue) -> JSONValue
  ) -> HTTPResponse {
    guard let bytes = response.body.bytes, let json = try? JSONValue(jsonUTF8: bytes) else { return response }
    var response = response
    response.body = .bytes(change(json).jsonUTF8)
    return response
  }

  private static let counts: Set<String> = [
    "count", "created_at", "updated_at", "expires_in", "expires_at", "file_size", "uploaded_size", "chunk_size",
    "deleted_at",
  ]

  @Test func integersAsStringsAreOneDifference() async {
    let report = await check { _, response in
      Self.changing(response) { json in
        Self.counts.reduce(json) { json, name in
          json.changing(name) { value in
            if case .number(let text) = value { return [.init(name: name, value: .string(text))] }
            return [.init(name: name, value: value)]
          }
        }
      }
    }
    let forms = report.differences.filter { $0.kind == .int64Form }
    #expect(forms.map(\.rpc) == ["gateway"] && forms == report.gatewayDifferences, "\(forms.map(\.line))")
    #expect(forms.first?.count ?? 0 > 50 && forms.first?.path == "64-bit integers")
    #expect(report.isPassed && report.checkedCount == RPCRegistry.nova.rpcs.count)
    // It is in every report, and in baselines.
    for text in [report.markdown, report.junit, report.gitHubAnnotations] { #expect(text.contains("gateway")) }
    var known = report
    known.apply(ContractBaseline().updated(with: report))
    #expect(known.newCount(.tolerated) == 0 && known.staleEntries.isEmpty, "\(known.staleEntries)")
  }

  @Test func pagesInPlaceOfErrorsAreOneDifference() async {
    let report = await check {
      $0.rpcs = ["user.GetUserProfile", "content.GetPost", "graph.GetFollowers"]
    } _: { _, response in
      guard response.status >= 400 else { return response }
      return HTTPResponse(
        status: response.status, headers: ["Content-Type": "text/html"], body: Array("<html>Error</html>".utf8))
    }
    let pages = report.differences.filter { $0.kind == .errorShape && $0.grade == .breaking }
    #expect(pages.map(\.rpc) == ["gateway"] && pages.first?.path == "errors", "\(report.differences.map(\.line))")
    #expect(!report.isPassed)
  }

  /// What FastAPI sends for invalid requests, unless a team changes it.
  @Test func errorsOfAFrameworkAreOneDifferenceOfEachKind() async {
    let report = await check {
      $0.rpcs = ["user.GetUserProfile", "content.GetPost", "graph.GetFollowers", "social.GetLikeCount"]
    } _: { _, response in
      guard response.status == 400 else { return response }
      return HTTPResponse(
        status: 422, headers: ["Content-Type": "application/json"],
        body: Array(#"{"detail":[{"loc":["body","user_id"],"msg":"field required"}]}"#.utf8))
    }
    let found = report.differences.map { "\($0.grade) \($0.rpc) \($0.kind) \($0.path)" }
    #expect(
      found.sorted() == ["tolerated gateway errorShape bodies of errors", "tolerated gateway status 422 for 400"],
      "\(found)")
    #expect(report.differences.allSatisfy { $0.count >= 4 && !$0.found.contains(", )") && !$0.found.contains(", ,") })
    #expect(report.isPassed)
  }

  @Test func namesInCamelCaseAreOneDifference() async {
    let report = await check { request, response in
      request.url.text.contains("/somethings") ? response : Self.changing(response, \.camelCased)
    }
    let names = report.differences.filter { $0.kind == .nameStyle }
    #expect(names.map(\.rpc) == ["gateway"], "\(names.map(\.line))")
  }

  /// Whether a check fails on tolerated differences is the user's choice, in every report.
  @Test func aCheckCanFailOnToleratedDifferences() async {
    var report = await check {
      $0.rpcs = ["social.GetLikeCount"]
    } _: { request, response in
      guard request.url.text.hasSuffix("/likes/count"), response.isSuccess else { return response }
      return Self.changing(response) { $0.changing("count") { _ in [.init(name: "count", value: .string("1"))] } }
    }
    #expect(report.isPassed && report.junit.contains(#"failures="0""#))
    report.failsOn = .tolerated
    #expect(!report.isPassed && !report.junit.contains(#"tests="1" failures="0""#))
    #expect(report.json["passed"] == .bool(false))
    var known = report
    known.apply(ContractBaseline().updated(with: report))
    #expect(known.isPassed)
  }

  // MARK: 503

  /// Envoy passes requests without a route on to the backend, and reports its refusal as 503.
  @Test func refusedRoutesSayNothingAboutTheRest() async {
    let report = await check { _, response in
      response.status == 405 || response.status == 404 && response.body.bytes?.isEmpty != false
        || response.headers["Allow"] != nil
        ? HTTPResponse(status: 503, headers: ["Content-Type": "text/plain"], body: Array("upstream connect error".utf8))
        : response
    }
    #expect(
      report.checkedCount == RPCRegistry.nova.rpcs.count && report.isPassed, "\(report.results.compactMap(\.unchecked))"
    )
    let routes = report.differences.filter { $0.found.contains("503") }
    #expect(routes.map(\.rpc) == ["gateway"], "\(routes.map(\.line))")
  }

  /// One request that the gateway cannot bear is a difference of that request, and of nothing else.
  @Test func oneRequestThatIsRefusedIsADifference() async {
    let report = await check { request, response in
      request.body.bytes.map { String(decoding: $0, as: UTF8.self).contains(#""limit":1001"#) } == true
        ? HTTPResponse(status: 503) : response
    }
    #expect(report.checkedCount == RPCRegistry.nova.rpcs.count)
    let found = report.differences.map { "\($0.grade) \($0.rpc) \($0.found)" }
    #expect(
      found == [
        "breaking event.ListEvents status 503, three times", "breaking graph.GetFollowers status 503, three times",
        "breaking graph.GetFollowing status 503, three times",
      ], "\(found)")
  }

  @Test func anRPCThatIsAlwaysOverloadedIsNotChecked() async {
    for status in [429, 503] {
      let report = await check { request, response in
        request.url.text.hasSuffix("/likes/count") ? HTTPResponse(status: status) : response
      }
      let unchecked = report.results.filter { $0.unchecked != nil }
      #expect(unchecked.map(\.rpc) == ["social.GetLikeCount"], "\(unchecked)")
      #expect(report.differences.isEmpty, "\(report.differences.map(\.line))")
    }
  }

  // MARK: One wrong type

  @Test(arguments: ["created_at", "username", "follower_count", "is_verified"])
  func aWrongTypeInASearchDoesNotEndTheCheck(_ field: String) async {
    let report = await check {
      $0.isReadOnly = true
    } _: { request, response in
      guard request.url.text.hasSuffix("/users/search"), response.isSuccess else { return response }
      return Self.changing(response) { $0.changing(field) { _ in [.init(name: field, value: .object([]))] } }
    }
    let before = await check {
      $0.isReadOnly = true
    } _: {
      $1
    }
    #expect(report.differences.map(\.path).contains("profiles[].\(field)"))
    #expect(report.checkedCount == before.checkedCount && report.requestCount == before.requestCount)
  }
}
