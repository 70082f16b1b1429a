import CoreMetrics
import MetricsTestKit
import NovaCore
import NovaGraph
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

@Suite struct HTTPClientMetricsTests {
  private static let label = "http.client.request.duration"
  private let test = TestMetrics()
  private let clock = ManualClock(autoAdvances: true)

  private func client(_ transport: any HTTPTransport, omitsAbsentAttributes: Bool = false) throws -> APIClient {
    let metrics = HTTPClientMetrics(omitsAbsentAttributes: omitsAbsentAttributes, clock: clock, factory: test)
    return try .test(
      transport, baseURL: "https://gateway.example:8443", middlewares: [metrics],
      resilience: Resilience(retry: .standard(attempts: 2, delay: .zero), budget: nil, breaker: nil), clock: clock)
  }

  private func call(_ client: APIClient) async {
    _ = await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
  }

  private func attributes(status: String, error: String) -> [(String, String)] {
    [
      ("http.request.method", "POST"), ("server.address", "gateway.example"), ("server.port", "8443"),
      ("http.response.status_code", status), ("error.type", error),
    ]
  }

  @Test func eachAttemptIsARequestInSeconds() async throws {
    let transport = RecordingTransport { [clock] number, _ in
      clock.advance(by: .milliseconds(250))
      return HTTPResponse(status: number == 0 ? 503 : 200, body: Array("{}".utf8))
    }
    await call(try client(transport))
    #expect(try test.expectRecorder(Self.label, attributes(status: "200", error: "")).values == [0.25])
    #expect(try test.expectRecorder(Self.label, attributes(status: "503", error: "503")).values == [0.25])
    #expect(test.recorders.count == 2)
    #expect(test.recorders.allSatisfy { $0.aggregate })
  }

  @Test func withoutAResponseThereIsAReason() async throws {
    let transport = RecordingTransport { _, _ in throw TransportError(.idleTimeout, "test", requestMayHaveLeft: true) }
    await call(try client(transport))
    #expect(try test.expectRecorder(Self.label, attributes(status: "", error: "idleTimeout")).values.count == 2)
  }

  @Test func absentAttributesCanBeLeftOut() async throws {
    let transport = RecordingTransport { number, _ in
      if number == 0 { throw TransportError(.connectionLost, "test", requestMayHaveLeft: true) }
      return HTTPResponse(status: 200, body: Array("{}".utf8))
    }
    await call(try client(transport, omitsAbsentAttributes: true))
    let names = test.recorders.map { recorder in recorder.dimensions.map(\.0).sorted() }
    let common = ["http.request.method", "server.address", "server.port"]
    #expect(Set(names) == [(common + ["error.type"]).sorted(), (common + ["http.response.status_code"]).sorted()])
  }

  @Test func aServerCannotMakeUpSeries() async throws {
    let transport = RecordingTransport { number, _ in HTTPResponse(status: 700 + number, body: []) }
    let client = try client(transport)
    for _ in 0..<3 { await call(client) }
    #expect(test.recorders.count == 1)
  }

  @Test func hostsAreLimited() async throws {
    let metrics = HTTPClientMetrics(omitsAbsentAttributes: false, clock: clock, factory: test)
    let context = CallContext(rpc: GraphRPC.isMuted.descriptor, requestID: "r")
    for number in 0..<150 {
      let request = HTTPRequest(method: .get, url: try HTTPURL(parsing: "https://h\(number).example/x"))
      _ = try await metrics.intercept(request, context) { _ in HTTPResponse(status: 200, body: []) }
    }
    let addresses = Set(
      test.recorders.compactMap { $0.dimensions.first { $0.0 == "server.address" }?.1 })
    #expect(addresses.count == 101 && addresses.contains("_OTHER"))
  }

  @Test func mocksAreNotMeasured() async throws {
    await call(try client(MockTransport()))
    #expect(test.recorders.isEmpty)
  }
}
