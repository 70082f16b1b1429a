import NovaCore
import NovaMock
import NovaRecording
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaServer

/// Runs `body` with a proxy of this process in front of a gateway.
func withProxy(
  to gateway: String, recorder: Recorder? = nil, _ body: (_ port: UInt16) async throws -> Void
) async throws {
  let proxy = GatewayProxy(target: try HTTPURL(parsing: gateway), recorder: recorder)
  let server = try await MockServer(host: "127.0.0.1", port: 0, proxy: proxy)
  let port = try #require(UInt16(server.url.split(separator: ":").last ?? ""))
  do {
    try await body(port)
  } catch {
    await server.stop()
    throw error
  }
  await server.stop()
}

/// A request that is the last one of its connection.
private func lastRequest(_ line: String, headers: [String] = [], body: String = "") -> [UInt8] {
  let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
  let head = ["\(line) HTTP/1.1", "Host: 127.0.0.1", "Connection: close"] + headers + length
  return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
}

/// What passes through a proxy, on the wire.
@Suite(.hangLimit) struct GatewayProxyTests {
  /// A response of a gateway, and the parts of it that the client must see in this order.
  struct Passage: CustomStringConvertible, Sendable {
    let name: String
    var line = "GET /a"
    let response: String
    let parts: [String]
    var absent: [String] = []

    var description: String { name }
  }

  static let passages: [Passage] = [
    Passage(
      name: "a length", response: "HTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Length: 2\r\n\r\nhi",
      parts: ["HTTP/1.1 200", "X-A: 1\r\n", "Content-Length: 2\r\n", "\r\n\r\nhi"], absent: ["chunked"]),
    Passage(
      name: "an empty body", line: "DELETE /a", response: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
      parts: ["HTTP/1.1 200", "Content-Length: 0\r\n"]),
    Passage(
      name: "repeated fields, in order",
      response:
        "HTTP/1.1 404 Not Found\r\nSet-Cookie: a=1\r\nX-B: \r\nSet-Cookie: b=2\r\nContent-Length: 2\r\n\r\n{}",
      parts: ["HTTP/1.1 404", "Set-Cookie: a=1\r\n", "X-B:", "Set-Cookie: b=2\r\n", "\r\n\r\n{}"]),
    Passage(
      name: "204", line: "POST /a", response: "HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n",
      parts: ["HTTP/1.1 204", "X-A: 1\r\n", "\r\n\r\n"], absent: ["Content-Length"]),
    Passage(
      name: "304", response: "HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n",
      parts: ["HTTP/1.1 304", "ETag: \"1\"\r\n"]),
    Passage(
      name: "HEAD", line: "HEAD /a", response: "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n",
      parts: ["HTTP/1.1 200", "Content-Length: 5000\r\n", "\r\n\r\n"]),
    Passage(
      name: "a range",
      response: "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 1-2/9\r\nContent-Length: 2\r\n\r\nbc",
      parts: ["HTTP/1.1 206", "Content-Range: bytes 1-2/9\r\n", "\r\n\r\nbc"]),
    Passage(
      name: "chunks and trailers",
      response: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 7\r\n\r\n",
      parts: ["HTTP/1.1 200", "ransfer-", "hunked\r\n", "abc", "0\r\n", "X-Sum: 7\r\n"], absent: ["Content-Length"]),
    Passage(
      name: "compressed bytes",
      response: "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nxyz",
      parts: ["Content-Encoding: gzip\r\n", "Content-Length: 3\r\n", "\r\n\r\nxyz"]),
    Passage(
      name: "a redirect", response: "HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n",
      parts: ["HTTP/1.1 302", "Location: /b\r\n"]),
    Passage(
      name: "fields of one connection",
      response:
        "HTTP/1.1 200 OK\r\nConnection: keep-alive, X-Hop\r\nKeep-Alive: timeout=5\r\nX-Hop: 1\r\nContent-Length: 0\r\n\r\n",
      parts: ["HTTP/1.1 200"], absent: ["X-Hop", "timeout=5"]),
  ]

  @Test(arguments: passages) func responsesStayAsTheyAre(_ passage: Passage) async throws {
    try await withRawServer { connection in
      while try connection.readRequest() != nil { try connection.write(passage.response) }
    } _: { gateway in
      try await withProxy(to: gateway.url("")) { port in
        let answer = await exchange(lastRequest(passage.line), port: port, endsInput: false)
        var rest = answer[...]
        for part in passage.parts {
          guard let place = rest.firstRange(of: part) else {
            Issue.record("expected \(part.debugDescription) in this order in:\n\(answer)")
            return
          }
          rest = rest[place.upperBound...]
        }
        for part in passage.absent { #expect(!answer.contains(part), "\(answer)") }
      }
    }
  }

  @Test func requestsStayAsTheyAre() async throws {
    try await withRawServer {
      try $0.respondToAll()
    } _: { gateway in
      try await withProxy(to: gateway.url("/base/")) { port in
        let request = lastRequest(
          "PATCH /a%2Fb/~c?x=%20&y", headers: ["X-One: 1", "Cookie: a=1", "x-one: 2", "TE: trailers"], body: "{ }")
        let answer = await exchange(request, port: port, endsInput: false)
        #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
      }
      let sent = try #require(gateway.requests.first)
      #expect(sent.requestLine == "PATCH /base/a%2Fb/~c?x=%20&y HTTP/1.1")
      #expect(String(decoding: sent.body, as: UTF8.self) == "{ }")
      #expect(sent.header("Host") == "127.0.0.1:\(gateway.port)")
      #expect(sent.header("Content-Length") == "3")
      let others = sent.headerLines.filter { line in
        !["host:", "content-length:"].contains { line.lowercased().hasPrefix($0) }
      }
      #expect(others == ["X-One: 1", "Cookie: a=1", "x-one: 2"])
    }
  }

  @Test func chunksPassAsTheyArriveUntilTheClientLeaves() async throws {
    try await withRawServer { connection in
      _ = try connection.readRequest()
      try connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")
      // The gateway has nothing more to send, and waits until its client is gone.
      connection.hang()
    } _: { gateway in
      try await withProxy(to: gateway.url("")) { port in
        let client = CurlTransport()
        var request = HTTPRequest(method: .get, url: try HTTPURL(parsing: "http://127.0.0.1:\(port)/events"))
        request.streamsResponse = true
        do {
          let response = try await client.send(request)
          var chunks = response.body.makeAsyncIterator()
          #expect(try await chunks.next() == Array("data: 1\n\n".utf8))
        }
        await client.shutdown()
        await gateway.waitUntilIdle()
      }
    }
  }

  @Test(arguments: [true, false]) func largeBodiesPass(_ hasLength: Bool) async throws {
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let backend = MockBackend(dataSet: .empty)
    try await withServer(backend) { gateway, _ in
      try await withProxy(to: gateway.url) { port in
        let stream = AsyncStream<[UInt8]> { chunks in
          for start in stride(from: 0, to: bytes.count, by: 100_000) {
            chunks.yield(Array(bytes[start..<min(start + 100_000, bytes.count)]))
          }
          chunks.finish()
        }
        let client = CurlTransport()
        let request = HTTPRequest(
          method: .post, url: try HTTPURL(parsing: "http://127.0.0.1:\(port)/api/v1/nothing"),
          headers: ["Content-Type": "application/json"],
          body: .stream(HTTPBodyStream(stream, length: hasLength ? bytes.count : nil)))
        let response = try await client.send(request)
        #expect(response.status == 404)
        await client.shutdown()
      }
    }
    #expect(backend.recentRequests().last?.requestSize == bytes.count)
  }

  @Test func aGatewayThatDoesNotListenIsReported() async throws {
    let gateway = try RawServer(listens: false) { _ in }
    defer { gateway.stop() }
    try await withProxy(to: gateway.url("")) { port in
      let answer = await exchange(lastRequest("GET /a"), port: port, endsInput: false)
      #expect(answer.hasPrefix("HTTP/1.1 502 "), "\(answer)")
      #expect(answer.contains("no response from the gateway"), "\(answer)")
    }
  }

  @Test func aLostConnectionIsLostForTheClient() async throws {
    try await withRawServer {
      _ = try $0.readRequest()
    } _: { gateway in
      try await withProxy(to: gateway.url("")) { port in
        #expect(await exchange(lastRequest("POST /a", body: "{}"), port: port, endsInput: false).isEmpty)
      }
    }
  }

  @Test func stubsAndFaultsComeBeforeTheGateway() async throws {
    let gatewayBackend = MockBackend()
    try await withServer(gatewayBackend) { gateway, _ in
      let backend = MockBackend(dataSet: .empty)
      backend.use(GatewayProxy(target: try HTTPURL(parsing: gateway.url)))
      let server = try await MockServer(host: "127.0.0.1", port: 0, backend: backend, hasAdmin: true)
      let port = try #require(UInt16(server.url.split(separator: ":").last ?? ""))
      let stub = #"{"rpc":"graph.IsMuted","request":{"muter_id":"a"},"body":{"is_muted":true}}"#
      #expect(await exchange(request("/_nova/stubs", stub), port: port).contains(" 201 "))
      func isMuted(_ body: String) async -> String {
        let head = lastRequest("POST \(isMutedPath)", headers: ["Content-Type: application/json"], body: body)
        return await exchange(head, port: port, endsInput: false)
      }
      #expect(await isMuted(#"{"muter_id":"a","mutee_id":"b"}"#).hasSuffix(#"{"is_muted":true}"#))
      #expect(gatewayBackend.recentRequests().isEmpty)
      #expect(await isMuted(#"{"muter_id":"c","mutee_id":"b"}"#).hasSuffix(#"{"is_muted":false}"#))
      #expect(gatewayBackend.recentRequests().count == 1)
      backend.faults = try Faults(["graph.IsMuted=503x1"])
      #expect(await isMuted(#"{"muter_id":"c","mutee_id":"b"}"#).hasPrefix("HTTP/1.1 503 "))
      #expect(gatewayBackend.recentRequests().count == 1)
      // All of them are in the log, with the body of the gateway.
      #expect(backend.recentRequests().map(\.rpc) == Array(repeating: "graph.IsMuted", count: 3))
      #expect(backend.recentRequests()[1].responseBody == #"{"is_muted":false}"#)
      await server.stop()
    }
  }
}
