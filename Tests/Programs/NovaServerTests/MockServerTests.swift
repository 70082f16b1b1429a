import NovaCore
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaServer

@Suite struct MockServerTests {
  @Test(arguments: ["", "a..b", "nova.test:80", "http://nova.test"])
  func invalidAllowedHostsAreRefused(_ name: String) async {
    await #expect(throws: MockServerError.self) {
      try await MockServer(
        host: "127.0.0.1", port: 0, backend: MockBackend(dataSet: .empty), allowedHosts: [name])
    }
  }

  @Test(arguments: [("", "close"), ("Connection: close\r\n", "close"), ("Connection: keep-alive\r\n", "keep-alive")])
  func oldClientsGetAConnectionHeader(_ header: String, _ expected: String) async throws {
    try await withServer { _, port in
      let head = "GET /nowhere HTTP/1.0\r\n\(header)\r\n"
      let answer = await exchange(Array((head + head).utf8), port: port)
      #expect(answer.contains("\r\nConnection: \(expected)\r\n"), "\(answer)")
      #expect(answer.components(of: "HTTP/1.1 404") == (expected == "close" ? 1 : 2), "\(answer)")
    }
  }

  /// One that is under way is answered, one that hangs is cut, and who only keeps a connection does not hold it up.
  @Test func stoppingLetsCallsEnd() async throws {
    let backend = MockBackend(
      dataSet: .empty, faults: try Faults(["graph.IsMuted=latency 300ms", "graph.IsBlocked=hang"]))
    let place = try ClosedPort()
    try await withServer(backend, port: UInt16(place.port)) { server, port in
      let idle = try RawSocket.connected(to: Int(port))
      async let slow = exchange(isMuted, port: port, endsInput: false)
      async let hanging = exchange(
        request("/api/v1/graph/is-blocked", #"{"blocker_id":"a","blocked_id":"b"}"#), port: port, endsInput: false)
      try await waitUntil { server.openConnections == 3 && backend.faults.progress.allSatisfy { $0.hits == 1 } }
      await server.stop()
      #expect(await slow.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(await hanging == "")
      #expect(idle.read().isEmpty && server.openConnections == 0)
      #expect(!RawSocket.accepts(port: place.port))
    }
  }

  @Test(arguments: [(true, "GET", 302), (true, "POST", 404), (false, "GET", 404)])
  func theRootPointsToTheInspector(hasAdmin: Bool, method: String, status: Int) async throws {
    try await withServer(hasAdmin: hasAdmin) { _, port in
      let answer = await exchange(request("/", verb: method), port: port)
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
      #expect(answer.contains("\r\nLocation: /_nova/\r\n") == (status == 302), "\(answer)")
    }
  }

  @Test(arguments: [204, 205, 304]) func someStatusesHaveNoBodyOnTheWire(status: Int) {
    var answer = OutgoingAnswer(HTTPResponse(status: status, body: Array("{}".utf8)), toHEAD: false)
    #expect(answer.heldBytes == 0)
    #expect(answer.nextPiece() != nil && answer.isAtEnd)
  }

  @Test func faultsReachTheWire() async throws {
    try await withServer(hasAdmin: true) { _, port in
      func call(_ fault: String) async -> String {
        await exchange(request(isMutedPath, isMutedBody, headers: "Nova-Fault: \(fault)\r\n"), port: port)
      }
      #expect(await call("drop") == "")
      #expect(await call("drop after") == "")
      #expect(await call("503").hasPrefix("HTTP/1.1 503 "))
      #expect(await call("429 retry-after 7").contains("\r\nRetry-After: 7\r\n"))
      #expect(await call("nonsense").hasPrefix("HTTP/1.1 400 "))
      #expect(await isAnswered(at: port))
    }
  }

  @Test func adminChangesWhatCallsGet() async throws {
    try await withServer(hasAdmin: true) { _, port in
      func admin(_ verb: String, _ path: String, body: String = "") async -> String {
        await exchange(request("/_nova/\(path)", body, verb: verb), port: port)
      }
      #expect(await admin("GET", "").contains("<!DOCTYPE html>"))
      #expect(await admin("PUT", "faults", body: #"{"rules":["graph.IsMuted=503x1"]}"#).hasPrefix("HTTP/1.1 200 "))
      #expect(await exchange(isMuted, port: port).hasPrefix("HTTP/1.1 503 "))
      #expect(await isAnswered(at: port))
      #expect(await admin("POST", "snapshot", body: #"{"name":"before"}"#).hasPrefix("HTTP/1.1 201 "))
      let mute = request("/api/v1/graph/mute", #"{"muter_id":"a","mutee_id":"b"}"#)
      #expect(await exchange(mute, port: port).hasPrefix("HTTP/1.1 200 "))
      #expect(await !isAnswered(at: port))
      #expect(await admin("POST", "restore", body: #"{"name":"before"}"#).hasPrefix("HTTP/1.1 200 "))
      #expect(await isAnswered(at: port))
      #expect(await admin("GET", "requests").contains(#""rpc":"graph.CreateMute"#))
    }
  }
}

extension String {
  fileprivate func components(of part: String) -> Int {
    split(separator: part, omittingEmptySubsequences: false).count - 1
  }
}
