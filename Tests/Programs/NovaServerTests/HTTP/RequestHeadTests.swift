import NovaCore
import NovaMock
import NovaTestSupport
import Testing

@testable import NovaServer

/// Heads that do not show where the body ends, or expect what the server cannot do. What follows such a head may be another
/// request to one reader and a body to the other, so it must not be read at all.
@Suite(.hangLimit) struct RequestHeadTests {
  private static let json = "Host: localhost\r\nContent-Type: application/json\r\n"
  private static let chunks = "\(String(isMutedBody.utf8.count, radix: 16))\r\n\(isMutedBody)\r\n0\r\n\r\n"

  private static func post(_ headers: String, version: String = "1.1", _ body: String) -> [UInt8] {
    Array("POST \(isMutedPath) HTTP/\(version)\r\n\(json)\(headers)\r\n\r\n\(body)".utf8)
  }

  private static func answerCount(_ text: String) -> Int { text.ranges(of: "HTTP/1.1 ").count }

  @Test(arguments: ["chunked", "Chunked", "CHUNKED", " chunked ", ",chunked", ", chunked"])
  func chunkedBodiesAreRead(_ coding: String) async throws {
    try await withServer { _, port in
      let answer = await exchange(
        Self.post("Transfer-Encoding: \(coding)", Self.chunks) + isMuted, port: port)
      #expect(answer.ranges(of: #"{"is_muted":false}"#).count == 2, "\(answer)")
    }
  }

  private static let unclear: [(String, Int)] = [
    ("gzip, chunked", 501), ("gzip", 501), ("identity", 501), ("xchunked", 501), ("identity, chunked", 501),
    ("gzip\r\nTransfer-Encoding: chunked", 501), ("chunked;q=1", 501), ("\"chunked\"", 501),
    ("", 400), (",", 400), ("chunked, chunked", 400), ("chunked\r\nTransfer-Encoding: chunked", 400),
    ("chunked, gzip", 400), ("chunked, identity", 400), ("chunked\r\nTransfer-Encoding: gzip", 400), ("chunked,", 400),
    ("chunked\r\nContent-Length: 3", 400), ("gzip\r\nContent-Length: 3", 400), ("\r\nContent-Length: 3", 400),
    ("\u{B}chunked", 400), ("\r\n chunked", 400), ("chunked\rX: y", 400),
  ]

  @Test(arguments: unclear) func aBodyWithoutAClearEndIsRefused(_ coding: String, _ status: Int) async throws {
    try await withServer(webSockets: []) { _, port in
      for other in ["", "Expect: 100-continue\r\n", "Connection: Upgrade\r\nUpgrade: websocket\r\n"] {
        let request = Self.post("\(other)Transfer-Encoding: \(coding)", Self.chunks)
        let answer = await exchange(request + isMuted, port: port, endsInput: false)
        #expect(answer.hasPrefix("HTTP/1.1 \(status) ") && Self.answerCount(answer) == 1, "\(answer)")
        #expect(answer.contains("\r\nConnection: close\r\n") && answer.contains(#""message":"#), "\(answer)")
      }
      #expect(await isAnswered(at: port))
    }
  }

  @Test(arguments: [
    "Content-Length: 3\r\nTransfer-Encoding: chunked", "Content-Length: 3\r\nContent-Length: 3",
    "Content-Length: 3\r\nContent-Length: 33", "Content-Length: 3, 3", "Content-Length: +3", "Content-Length: 0x3",
    "Content-Length: ", "Content-Length: 99999999999999999999999", "Transfer-Encoding : chunked",
    "Content-Length : 3",
  ])
  func aLengthThatIsNoNumberIsRefused(_ headers: String) async throws {
    try await withServer { _, port in
      let answer = await exchange(Self.post(headers, Self.chunks) + isMuted, port: port, endsInput: false)
      #expect(answer.hasPrefix("HTTP/1.1 400 ") && Self.answerCount(answer) == 1, "\(answer)")
      #expect(answer.contains("\r\nConnection: close\r\n") && !answer.contains("unknown"), "\(answer)")
    }
  }

  /// HTTP/1.0 has no chunks, so a proxy of that version does not know where they end.
  @Test func chunksAreRefusedInHTTP10() async throws {
    try await withServer { _, port in
      let request = Self.post("Connection: keep-alive\r\nTransfer-Encoding: chunked", version: "1.0", Self.chunks)
      let answer = await exchange(request + isMuted, port: port, endsInput: false)
      #expect(answer.hasPrefix("HTTP/1.1 400 ") && Self.answerCount(answer) == 1, "\(answer)")
    }
  }

  /// The bytes after CONNECT are for the tunnel that there is not.
  @Test(arguments: [
    "", "Connection: keep-alive\r\n", "Expect: 100-continue\r\nContent-Length: 5\r\n", "Content-Length: 5\r\n",
    "Proxy-Connection: keep-alive\r\n",
  ])
  func whatFollowsCONNECTIsNotRead(_ headers: String) async throws {
    try await withServer { _, port in
      let head = Array("CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\(headers)\r\n".utf8)
      for parts in [[head + isMuted], [head, isMuted]] {
        let answer = await exchange(parts, port: port, endsInput: false)
        #expect(answer.hasPrefix("HTTP/1.1 501 ") && Self.answerCount(answer) == 1, "\(answer)")
        #expect(answer.contains("\r\nConnection: close\r\n") && answer.contains("is no proxy"), "\(answer)")
      }
    }
  }

  // MARK: Expectations

  @Test(arguments: ["200-ok", "100-continue, x", "100-continue;a=b", "x\r\nExpect: 100-continue"])
  func unknownExpectationsAreRefused(_ value: String) async throws {
    try await withServer { _, port in
      for length in [0, isMutedBody.utf8.count] {
        let request = Self.post("Expect: \(value)\r\nContent-Length: \(length)", "")
        let answer = await exchange(request, port: port, endsInput: false)
        #expect(answer.hasPrefix("HTTP/1.1 417 ") && Self.answerCount(answer) == 1, "\(answer)")
        #expect(answer.contains("\r\nConnection: close\r\n") && answer.contains("100-continue"), "\(answer)")
      }
    }
  }

  /// A client that has sent the body waits for nothing, and HTTP/1.0 has no `100 Continue`.
  @Test(arguments: [
    ("100-continue", "1.1"), ("100-continue, 100-Continue", "1.1"), ("", "1.1"), ("100-continue", "1.0"),
    ("200-ok", "1.0"),
  ])
  func leaveIsOnlyGivenToThoseWhoWait(_ value: String, _ version: String) async throws {
    try await withServer { _, port in
      for framing in [
        ("Content-Length: \(isMutedBody.utf8.count)", isMutedBody), ("Transfer-Encoding: chunked", Self.chunks),
      ] {
        if version == "1.0", framing.1 == Self.chunks { continue }
        let request = Self.post("Expect: \(value)\r\n\(framing.0)", version: version, framing.1)
        let answer = await exchange(request, port: port)
        #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix(#"{"is_muted":false}"#), "\(answer)")
      }
    }
  }

  /// Wherever the network cuts the head.
  @Test(arguments: [1, 2, 3, 7, 64, 1000]) func leaveIsGivenAfterHeadsInParts(_ size: Int) async throws {
    try await withServer { _, port in
      let head = Self.post("Expect: 100-continue\r\nContent-Length: \(isMutedBody.utf8.count)", "")
      let parts = stride(from: 0, to: head.count, by: size).map { Array(head[$0..<min($0 + size, head.count)]) }
      let answer = await exchange(parts, whenAllowed: Array(isMutedBody.utf8), port: port)
      #expect(answer.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 "), "\(answer)")
      #expect(answer.hasSuffix(#"{"is_muted":false}"#), "\(answer)")
    }
  }

  @Test func leaveIsGivenOnceTheChecksPass() async throws {
    try await withServer { _, port in
      let start = #"{"user_id":"u","file_name":"a.png","file_size":3}"#
      #expect(await exchange(request("/api/v1/media/upload/start", start), port: port).contains("upload-1"))
      let head = "PUT /api/v1/media/upload/upload-1/bytes HTTP/1.1\r\nHost: localhost\r\nExpect: 100-Continue\r\n"
      // Without a body there is nothing to wait for.
      let other = "GET /nowhere HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\r\n"
      let answer = await exchange(
        [Array("\(head)Content-Length: 3\r\n\r\n".utf8)], whenAllowed: Array("abc\(other)".utf8), port: port)
      #expect(answer.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 "), "\(answer)")
      #expect(answer.ranges(of: "100 Continue").count == 1 && answer.contains("}HTTP/1.1 404 "), "\(answer)")
    }
  }

  // MARK: Refusals before the body

  private static let early: [(String, String, Int)] = [
    ("POST \(isMutedPath)", "Content-Type: application/json\r\nContent-Length: 30", 401),
    ("POST \(isMutedPath)", "Authorization: Bearer x\r\nContent-Type: application/json\r\nContent-Length: 30", 401),
    ("POST \(isMutedPath)", "Content-Type: application/json\r\nTransfer-Encoding: chunked", 401),
    ("POST /_nova/nowhere", "Content-Type: application/json\r\nContent-Length: 30", 404),
    ("POST /_nova/state", "Content-Type: application/json\r\nContent-Length: 30", 405),
    ("POST /_nova/clock", "Content-Type: text/plain\r\nContent-Length: 30", 415),
    ("GET /api/v1/events/ws", "Content-Type: application/json\r\nContent-Length: 30", 426),
    (
      "GET /api/v1/events/ws",
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nContent-Type: application/json\r\nContent-Length: 30", 400
    ),
  ]

  @Test(arguments: early)
  func whatTheHeadDecidesComesBeforeTheBody(line: String, headers: String, status: Int) async throws {
    let backend = MockBackend(dataSet: .empty, requiresTokens: true)
    try await withServer(backend, hasAdmin: true, webSockets: [.events(of: backend)]) { _, port in
      let head = "\(line) HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\(headers)\r\n\r\n"
      // The body does not come, so the answer must.
      let answer = await exchange(Array(head.utf8), port: port, endsInput: false)
      #expect(answer.hasPrefix("HTTP/1.1 \(status) ") && answer.contains("\r\nConnection: close\r\n"), "\(answer)")
    }
  }

  /// A stub requires no token, and may look at the body.
  @Test func aStubbedCallMayWait() async throws {
    let backend = MockBackend(dataSet: .empty, requiresTokens: true)
    try await withServer(backend, hasAdmin: true) { _, port in
      let stub = #"{"rpc":"graph.IsMuted","body":{"is_muted":true}}"#
      #expect(await exchange(request("/_nova/stubs", stub), port: port).hasPrefix("HTTP/1.1 201 "))
      let head = Self.post("Expect: 100-continue\r\nContent-Length: \(isMutedBody.utf8.count)", "")
      let answer = await exchange([head], whenAllowed: Array(isMutedBody.utf8), port: port)
      #expect(answer.hasPrefix("HTTP/1.1 100 ") && answer.hasSuffix(#"{"is_muted":true}"#), "\(answer)")
    }
  }

  /// The refusal of an unknown path takes its time, and the input ends in an error before it comes.
  @Test func aRefusedInputIsAnsweredOnce() async throws {
    let backend = MockBackend(dataSet: .empty, faults: try Faults(["latency=300ms"], seed: 1))
    try await withServer(backend) { _, port in
      let head =
        "POST /nowhere HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Type: application/json\r\n"
      let answer = await exchange(Array("\(head)Content-Length: 3\r\n\r\n".utf8), port: port)
      #expect(Self.answerCount(answer) <= 1, "\(answer)")
      let next = request(isMutedPath, isMutedBody, headers: "Connection: close\r\n")
      #expect(await exchange(next, port: port, endsInput: false).hasSuffix(#"{"is_muted":false}"#))
    }
  }
}
