import NovaCore
import NovaMock
import NovaTesting
import Testing

@testable import NovaContract

/// A server that is no gateway is one finding, and nothing is written to it.
@Suite struct GatewayRecognitionTests {
  /// Gives every request the same answer.
  private struct OneAnswer: HTTPTransport {
    let response: HTTPResponse
    let methods = Locked<[String]>([])

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      methods.withLock { $0.append(request.url.text) }
      return response
    }
  }

  private func response(_ status: Int, type: String?, body: String) -> HTTPResponse {
    var response = HTTPResponse(status: status, body: Array(body.utf8))
    response.headers["Content-Type"] = type
    return response
  }

  @Test(
    arguments: [
      (200, "text/html", "<html></html>", "status 200 with text/html"),
      (404, "text/html", "<h1>404</h1>", "status 404 with text/html"),
      (404, nil, "", "status 404 with no body"),
      (404, "application/json", #"{"detail":"Not Found"}"#, "status 404 with application/json"),
      (200, "application/json", #"{"hello":"world"}"#, "status 200 with JSON without any field of the contract"),
      (200, "application/json", #"["a"]"#, "status 200 with JSON without any field of the contract"),
      (204, nil, "", "status 204 with no body"),
      (302, nil, "", "status 302 with no body"), (500, "text/plain", "boom", "status 500 with text/plain"),
    ] as [(Int, String?, String, String)])
  func anotherServerIsOneFinding(status: Int, type: String?, body: String, reason: String) async {
    let server = OneAnswer(response: response(status, type: type, body: body))
    for rpcs in [nil, ["graph.GetFollowers"], ["announcements.ListAnnouncements"]] as [Set<String>?] {
      let report = await ContractCheck.ofMock({ $0.rpcs = rpcs }) { _ in server }.run()
      #expect(report.stop == .notAGateway("all 10 requested paths return \(reason)"))
      #expect(report.differences == [] && report.checkedCount == 0 && !report.isPassed)
      #expect(report.junit.contains(#"errors="1""#))
    }
    let urls = server.methods.withLock { $0 }
    #expect(!urls.contains { $0.hasSuffix("/register") })
  }

  @Test(
    arguments: [
      (401, "text/html", "no"), (403, nil, ""), (502, "text/html", "<h1>Bad Gateway</h1>"), (504, "text/html", ""),
      (500, "application/json", #"{"code":13,"message":"boom","details":[]}"#),
      (404, "application/json", #"{"error":{"code":"NOT_FOUND","message":"no"}}"#),
    ] as [(Int, String?, String)])
  func whatCouldBeAGatewayIsChecked(status: Int, type: String?, body: String) async {
    let report = await ContractCheck.ofMock(transport: { _ in
      OneAnswer(response: response(status, type: type, body: body))
    }).run()
    #expect(report.stop == nil)
  }

  /// `{}` and `[]` can be the response of single RPCs.
  @Test(arguments: ["", "{}", "[]"]) func aServerThatAcceptsAnythingIsNone(_ body: String) async {
    let server = OneAnswer(response: response(200, type: "application/json", body: body))
    let report = await ContractCheck.ofMock(transport: { _ in server }).run()
    if case .notAGateway? = report.stop {} else { Issue.record("\(String(describing: report.stop))") }
    #expect(!server.methods.withLock { $0 }.contains { $0.hasSuffix("/register") })
  }

  /// One working service is enough.
  @Test func aPartOfAGatewayIsOne() async {
    let html = response(404, type: "text/html", body: "<h1>404</h1>")
    let report = await ContractCheck.ofMock(transport: {
      WrongGateway(base: $0, path: "/api/v1/announcements") { _, _ in html }
    }).run()
    #expect(report.stop == nil && report.count(.breaking) > 0)
    #expect(report.differences.allSatisfy { $0.rpc.hasPrefix("announcements.") })
  }
}
