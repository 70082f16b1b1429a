import NovaCore
import NovaCrypto
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaServer

/// Chunks that are written to the disk while they arrive, and files that are sent from it.
@Suite struct UploadStreamTests {
  private let backend = MockBackend(dataSet: .empty)
  /// Made once, because unoptimized code takes long for it.
  private static let file = (0..<(12 << 20)).map { UInt8(truncatingIfNeeded: $0 / 251) }
  private var file: [UInt8] { Self.file }

  private func start(_ size: Int) throws -> String {
    let body = #"{"user_id":"u","file_name":"a.mp4","file_size":\#(size),"content_type":"video/mp4"}"#
    let response = backend.respond(
      to: HTTPRequest(method: .post, url: "/api/v1/media/upload/start", body: Array(body.utf8)))
    return try #require(try JSONValue(jsonUTF8: response.body.inMemory)["upload_url"]?.stringValue)
  }

  private func storedSize() throws -> Int? {
    let response = backend.respond(
      to: HTTPRequest(
        method: .post, url: "/api/v1/media/upload", body: Array(#"{"upload_id":"upload-1"}"#.utf8)))
    return try JSONValue(jsonUTF8: response.body.inMemory)["upload"]?["uploaded_size"]?.integerValue
  }

  private func complete() throws -> String {
    let digest = Hexadecimal.encode(try SHA256.digest(of: file))
    let response = backend.respond(
      to: HTTPRequest(
        method: .post, url: "/api/v1/media/upload/complete",
        body: Array(#"{"upload_id":"upload-1","sha256":"\#(digest)"}"#.utf8)))
    return try #require(try JSONValue(jsonUTF8: response.body.inMemory)["upload"]?["url"]?.stringValue)
  }

  private func put(_ path: String, count: Int, headers: String = "") -> [UInt8] {
    Array("PUT \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(count)\r\n\(headers)\r\n".utf8)
  }

  @Test(arguments: [false, true]) func aLargeChunkIsNotInMemory(isChunked: Bool) async throws {
    let budget = MemoryBudget(limit: 1 << 20, allowance: 64 << 10)
    try await withServer(backend, budget: budget) { server, port in
      let path = try start(file.count)
      let framed: [[UInt8]] =
        isChunked
        ? [
          Array("PUT \(path) HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n".utf8),
          Array("\(String(file.count, radix: 16))\r\n".utf8), file, Array("\r\n0\r\n\r\n".utf8),
        ] : [put(path, count: file.count), file]
      let answer = await exchange(framed + [isMuted], port: port)
      #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.contains(#""uploaded_size":\#(file.count)"#), "\(answer)")
      #expect(answer.hasSuffix(#"{"is_muted":false}"#), "the next request is answered")
      try await waitUntil { server.heldBytes == 0 }
      let client = try HostileClient(port: port)
      let got = await client.finish(request(try complete(), verb: "GET"))
      #expect(got.suffix(file.count).elementsEqual(file) && got.starts(with: Array("HTTP/1.1 200 OK\r\n".utf8)))
    }
  }

  /// The first chunk has the digest of the file so far, the next ones have their own.
  @Test func partsOfAnySizeKeepTheirOrder() async throws {
    try await withServer(backend) { server, port in
      let path = try start(file.count)
      var sizes = SeededGenerator(seed: 7)
      for range in [0..<(1 << 20), (1 << 20)..<file.count] {
        let chunk = Array(file[range])
        let digest = String(decoding: Base64.encode(try SHA256.digest(of: chunk)), as: UTF8.self)
        let head =
          "PUT \(path) HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Digest: sha-256=:\(digest):\r\n"
          + "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.count)\r\n\r\n"
        var (body, sent) = (Array(head.utf8), 0)
        while sent < chunk.count {
          let size = min(1 << Int.random(in: 0...17, using: &sizes), chunk.count - sent)
          body += Array("\(String(size, radix: 16))\r\n".utf8) + chunk[sent..<sent + size] + [13, 10]
          sent += size
        }
        let answer = await exchange(body + Array("0\r\n\r\n".utf8), port: port)
        #expect(answer.contains(#""uploaded_size":\#(range.upperBound)"#), "\(answer)")
      }
      _ = try complete()
      try await waitUntil { server.heldBytes == 0 }
    }
  }

  /// What a page in a browser sends is dropped as it arrives, or not sent at all.
  @Test func bodiesOfRefusedRequestsAreNotStored() async throws {
    let budget = MemoryBudget(limit: 0, allowance: 16 << 10)
    try await withServer(backend, budget: budget) { _, port in
      let path = try start(file.count)
      let origin = "Origin: https://example.com\r\n"
      let read = await exchange([put(path, count: file.count, headers: origin), file, isMuted], port: port)
      #expect(read.hasPrefix("HTTP/1.1 403 ") && read.hasSuffix(#"{"is_muted":false}"#), "\(read)")
      let asked = await exchange(
        [put(path, count: file.count, headers: origin + "Expect: 100-continue\r\n")], port: port, endsInput: false)
      #expect(asked.hasPrefix("HTTP/1.1 403 ") && asked.contains("\r\nConnection: close\r\n"), "\(asked)")
      #expect(try storedSize() == 0)
    }
  }

  @Test func manyClientsSendAtOnceWithinTheBudget() async throws {
    let budget = MemoryBudget(limit: 256 << 10, allowance: 64 << 10)
    try await withServer(backend, budget: budget) { server, port in
      let paths = try (0..<12).map { _ in try start(1 << 20) }
      let part = Array(file.prefix(1 << 20))
      let answers = await withTaskGroup(of: String.self) { group in
        for path in paths { group.addTask { await exchange([put(path, count: part.count), part], port: port) } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.allSatisfy { $0.hasPrefix("HTTP/1.1 200 ") }, "\(answers)")
      try await waitUntil { server.heldBytes == 0 }
    }
  }

  @Test func aConnectionThatIsLostStoresNothing() async throws {
    try await withServer(backend) { server, port in
      let path = try start(file.count)
      do {
        let client = try HostileClient(port: port)
        try client.send(put(path, count: file.count) + file.prefix(3 << 20))
      }
      try await waitUntil { server.openConnections == 0 && server.heldBytes == 0 }
      #expect(try storedSize() == 0)
      let answer = await exchange([put(path, count: file.count), file], port: port)
      #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
    }
  }

  @Test func refusedChunksAreReadToTheirEnd() async throws {
    try await withServer(backend) { _, port in
      let path = try start(1000)
      let large = Array(repeating: [UInt8](repeating: 1, count: 4 << 20), count: 20)
      let answer = await exchange([put(path, count: 80 << 20)] + large + [isMuted], port: port)
      #expect(answer.hasPrefix("HTTP/1.1 413 ") && answer.hasSuffix(#"{"is_muted":false}"#), "\(answer)")
      let digest = "Content-Digest: sha-256=:uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=:\r\n"
      let wrong = await exchange([put(path, count: 1000, headers: digest), Array(file.prefix(1000))], port: port)
      #expect(wrong.hasPrefix("HTTP/1.1 422 "), "\(wrong)")
      #expect(try storedSize() == 0)
    }
  }

  @Test func aClientThatAsksMaySendItsBytes() async throws {
    try await withServer(backend) { _, port in
      let path = try start(3)
      let answer = await exchange(
        [put(path, count: 3, headers: "Expect: 100-continue\r\n")], whenAllowed: [1, 2, 3], port: port)
      #expect(answer.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"), "\(answer)")
    }
  }

  @Test func partsAndHeadsOfFiles() async throws {
    try await withServer(backend) { _, port in
      let path = try backend.store(Array("0123456789".utf8), name: "a.txt", type: "text/plain")
      let part = await exchange(request(path, verb: "GET", headers: "Range: bytes=2-4\r\n"), port: port)
      #expect(part.hasPrefix("HTTP/1.1 206 Partial Content\r\n") && part.hasSuffix("\r\n\r\n234"), "\(part)")
      #expect(part.contains("\r\nContent-Range: bytes 2-4/10\r\n"))
      #expect(part.split(separator: "Content-Length: 3\r\n", omittingEmptySubsequences: false).count == 2)
      let head = await exchange(request(path, verb: "HEAD", headers: "Range: bytes=2-4\r\n"), port: port)
      #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n") && head.contains("\r\nContent-Length: 10\r\n"), "\(head)")
      #expect(head.hasSuffix("\r\n\r\n"))
      let past = await exchange(request(path, verb: "GET", headers: "Range: bytes=10-\r\n"), port: port)
      #expect(past.hasPrefix("HTTP/1.1 416 ") && past.contains("\r\nContent-Range: bytes */10\r\n"), "\(past)")
      let known = await exchange(request(path, verb: "GET", headers: "If-None-Match: *\r\n"), port: port)
      #expect(known.hasPrefix("HTTP/1.1 304 Not Modified\r\n") && known.hasSuffix("\r\n\r\n"), "\(known)")
    }
  }

  @Test func faultsCutAndDamageFiles() async throws {
    try await withServer(backend) { server, port in
      let path = try backend.store(Array("0123456789".utf8), name: "a.txt", type: "text/plain")
      let cut = await exchange(request(path, verb: "GET", headers: "Nova-Fault: cut 4\r\n"), isMuted, port: port)
      #expect(cut.hasSuffix("\r\n\r\n0123") && cut.contains("\r\nContent-Length: 10\r\n"), "\(cut)")
      let damaged = await exchange(request(path, verb: "GET", headers: "Nova-Fault: corrupt\r\n"), isMuted, port: port)
      #expect(damaged.contains("\r\n\r\n0123446789HTTP/1.1 200 OK"), "\(damaged)")
      try await waitUntil { server.openConnections == 0 }
    }
  }
}
