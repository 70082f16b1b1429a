import Foundation
import NIOCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaServer

/// Clients that send too little, too slowly, too much, or what is not HTTP.
@Suite struct HostileClientTests {
  private let impatient = ConnectionLimits(
    request: .milliseconds(300), idle: .milliseconds(600), period: .milliseconds(20))

  @Test(arguments: ["", "POST /api", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n12"])
  func silentClientsAreDisconnected(_ start: String) async throws {
    try await withServer(limits: impatient) { _, port in
      #expect(await exchange(Array(start.utf8), port: port, endsInput: false) == "")
      try await waitUntil { await isAnswered(at: port) }
    }
  }

  /// Slowloris: many connections, each with a header now and then and no end.
  @Test func slowHeadersHoldNoConnection() async throws {
    try await withServer(limits: impatient) { server, port in
      let slow = try (0..<50).map { _ in try RawSocket.connected(to: Int(port)) }
      for socket in slow { try socket.write(Array("GET / HTTP/1.1\r\n".utf8)) }
      // Others are answered meanwhile; on a slow machine the server's patience may end before they have asked.
      try await waitUntil { await isAnswered(at: port) }
      try await waitUntil {
        for socket in slow { try? socket.write(Array("X-Slow: 1\r\n".utf8)) }
        return server.openConnections == 0
      }
      try await waitUntil { await isAnswered(at: port) }
    }
  }

  @Test(arguments: [
    "ZZ\r\nabc\r\n0\r\n\r\n", "-5\r\nabcde\r\n", "FFFFFFFFFFFFFFFFF\r\n", "5\r\nabcdefgh\r\n0\r\n\r\n", "\r\n\r\n\r\n",
    "5",
    "5\r\nab", "\u{0}\u{1}\u{2}",
  ])
  func garbageInPlaceOfChunksIsRefused(_ chunks: String) async throws {
    try await withServer { _, port in
      let head = "POST \(isMutedPath) HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
      let answer = await exchange(Array((head + chunks).utf8), port: port)
      #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.hasSuffix(#""details":[]}"#), "\(answer)")
      #expect(answer.contains("\r\nConnection: close\r\n"))
      #expect(await isAnswered(at: port))
    }
  }

  @Test(arguments: ["garbage\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n"])
  func requestsBeforeGarbageGetResponses(_ garbage: String) async throws {
    try await withServer { _, port in
      let answer = await exchange(isMuted + Array(garbage.utf8), port: port)
      #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.contains("}HTTP/1.1 400 "), "\(answer)")
    }
  }

  @Test func headersWithoutEndAreRefused() async throws {
    try await withServer { _, port in
      let head = "GET / HTTP/1.1\r\nX-Long: " + String(repeating: "a", count: 200_000) + "\r\n\r\n"
      #expect(await exchange(Array(head.utf8), port: port).hasPrefix("HTTP/1.1 431 "))
      #expect(await isAnswered(at: port))
    }
  }

  /// It is read and dropped: the client sees why, and the connection lives on.
  @Test(arguments: [false, true]) func aHundredMegabytesAreRefused(isChunked: Bool) async throws {
    try await withServer { _, port in
      let piece = [UInt8](repeating: 0x20, count: 4 << 20)
      let body: [[UInt8]] =
        isChunked
        ? (0..<25).flatMap { _ in [Array("400000\r\n".utf8), piece, Array("\r\n".utf8)] } + [Array("0\r\n\r\n".utf8)]
        : Array(repeating: piece, count: 25)
      let length = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(100 << 20)"
      let head = Array("POST \(isMutedPath) HTTP/1.1\r\nHost: localhost\r\n\(length)\r\n\r\n".utf8)
      let answer = await exchange([head] + body + [isMuted], port: port)
      #expect(answer.hasPrefix("HTTP/1.1 413 ") && answer.contains("the body is larger than 8 MiB"), "\(answer)")
      #expect(answer.hasSuffix(#"{"is_muted":false}"#), "\(answer)")
    }
  }

  @Test func whoHangsUpIsForgotten() async throws {
    try await withServer { server, port in
      for _ in 0..<20 {
        let socket = try RawSocket.connected(to: Int(port))
        try socket.write(request(isMutedPath, isMutedBody, headers: "Nova-Fault: hang\r\n"))
      }
      try await waitUntil { server.openConnections == 0 }
      #expect(await isAnswered(at: port))
    }
  }
}
