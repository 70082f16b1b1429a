import NIOCore
import NovaCore
import NovaMock
import NovaTestSupport
import Testing

@testable import NovaServer

/// How streams of events look on the wire.
@Suite(.hangLimit) struct StreamFramingTests {
  private static let path = "/api/v1/events/stream?topics=user:ann"
  private static let head = Array("HEAD \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)

  /// A body without a length ends with the connection, and that of a HEAD request is not there at all.
  @Test func aResponseToHEADHasNoBodyAndEndsTheConnection() async throws {
    try await withServer { _, port in
      let answer = await exchange(Self.head + isMuted, port: port, endsInput: false)
      #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix("\r\n\r\n"), "\(answer)")
      #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
      #expect(answer.ranges(of: "\r\n\r\n").count == 1 && !answer.lowercased().contains("transfer-encoding"))
    }
  }

  @Test func aResponseToHEADWithALengthKeepsTheConnection() async throws {
    try await withServer { _, port in
      let head = Array("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
      let answer = await exchange(head + isMuted, port: port)
      #expect(answer.hasSuffix(#"{"is_muted":false}"#) && answer.ranges(of: "HTTP/1.1 ").count == 2, "\(answer)")
    }
  }

  @Test(arguments: ["", "Connection: keep-alive\r\n"])
  func anHTTP10ClientGetsTheEventsAlone(_ header: String) async throws {
    let backend = MockBackend(dataSet: .empty, events: MockEventSettings(heartbeat: nil))
    try await withServer(backend) { _, port in
      let request = Array("GET \(Self.path) HTTP/1.0\r\nHost: localhost\r\n\(header)\r\n".utf8)
      async let answer = exchange(request, port: port, endsInput: false)
      try await waitUntil { backend.eventSubscriberCount == 1 }
      backend.endEventStreams(.restart)
      let text = await answer
      let parts = text.split(separator: "\r\n\r\n", maxSplits: 1)
      #expect(parts.count == 2 && parts[1].hasPrefix("retry: "), "\(text)")
      #expect(text.hasSuffix("event: end\ndata: {\"reason\":\"restart\"}\n\n"))
      #expect(!text.contains("\r\n0\r\n") && !parts[0].lowercased().contains("transfer-encoding"))
      #expect(parts[0].lowercased().hasSuffix("\r\nconnection: close"))
    }
  }

  @Test func anHTTP11ClientGetsChunksAndKeepsTheConnection() async throws {
    let backend = MockBackend(dataSet: .empty)
    try await withServer(backend) { _, port in
      let request = Array("GET \(Self.path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
      let next = NovaServerTests.request(isMutedPath, isMutedBody, headers: "Connection: close\r\n")
      async let answer = exchange(request + next, port: port, endsInput: false)
      try await waitUntil { backend.eventSubscriberCount == 1 }
      backend.endEventStreams(.restart)
      let text = await answer
      #expect(text.lowercased().contains("\r\ntransfer-encoding: chunked\r\n"), "\(text)")
      #expect(text.contains("\r\n0\r\n\r\nHTTP/1.1 200 ") && text.hasSuffix(#"{"is_muted":false}"#), "\(text)")
    }
  }

  // MARK: Faults before the first byte of a body

  @Test func theHeadOfAHalfOpenStreamArrives() async throws {
    let backend = MockBackend(dataSet: .empty)
    try await withServer(backend) { server, _ in
      var request = HTTPRequest(
        method: .get, url: try HTTPURL(parsing: server.url + Self.path), headers: ["Nova-Fault": "half-open 0"])
      request.streamsResponse = true
      let response = try await CurlTransport().send(request)
      #expect(response.status == 200)
    }
  }

  @Test func theHeadOfAResponseThatIsCutArrives() async throws {
    try await withServer { _, port in
      let stream = "GET \(Self.path) HTTP/1.1\r\nHost: localhost\r\nNova-Fault: cut 0\r\n\r\n"
      for request in [Array(stream.utf8), request(isMutedPath, isMutedBody, headers: "Nova-Fault: cut 0\r\n")] {
        let answer = await exchange(request, port: port, endsInput: false)
        #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix("\r\n\r\n"), "\(answer)")
      }
    }
  }
}
