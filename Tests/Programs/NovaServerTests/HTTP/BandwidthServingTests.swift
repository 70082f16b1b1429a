import NIOCore
import NovaCore
import NovaCrypto
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaServer

/// Limits of bandwidth on real connections: everything arrives, in both directions.
@Suite struct BandwidthServingTests {
  private let file = (0..<40_000).map { UInt8(ascii: "A") + UInt8($0 / 251 % 26) }

  private func backend() throws -> MockBackend {
    let backend = MockBackend(dataSet: .empty)
    let body = #"{"user_id":"u","file_name":"a.txt","file_size":\#(file.count),"content_type":"text/plain"}"#
    let response = backend.respond(
      to: HTTPRequest(method: .post, url: "/api/v1/media/upload/start", body: Array(body.utf8)))
    try #require(response.status == 200)
    return backend
  }

  /// A client that closes its side would not wait for what is late.
  private let close = "Connection: close\r\n"

  private func put(_ headers: String = "") -> [UInt8] {
    let head =
      "PUT /api/v1/media/upload/upload-1/bytes HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(file.count)\r\n"
      + "Content-Range: bytes 0-\(file.count - 1)/\(file.count)\r\n\(headers)\r\n"
    return Array(head.utf8) + file
  }

  private func storedSize(_ backend: MockBackend) throws -> Int? {
    let response = backend.respond(
      to: HTTPRequest(
        method: .post, url: "/api/v1/media/upload", body: Array(#"{"upload_id":"upload-1"}"#.utf8)))
    return try JSONValue(jsonUTF8: response.body.inMemory)["upload"]?["uploaded_size"]?.integerValue
  }

  @Test func anUploadAndItsFileArriveWhole() async throws {
    let backend = try backend()
    backend.faults = try Faults(["bandwidth 400kB/s"])
    try await withServer(backend) { server, port in
      // The next request on the connection waits for its turn.
      let next = request(isMutedPath, isMutedBody, headers: close)
      let answer = await exchange(put(), next, port: port, endsInput: false)
      #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix(#"{"is_muted":false}"#), "\(answer)")
      #expect(try storedSize(backend) == file.count)
      let digest = Hexadecimal.encode(try SHA256.digest(of: file))
      let complete = request(
        "/api/v1/media/upload/complete", #"{"upload_id":"upload-1","sha256":"\#(digest)"}"#, headers: close)
      let completed = await exchange(complete, port: port, endsInput: false)
      #expect(completed.hasPrefix("HTTP/1.1 200 "), "\(completed)")
      let get = request("/media/upload-1/a.txt", verb: "GET", headers: close)
      let download = await exchange(get, port: port, endsInput: false)
      #expect(download.contains("Content-Length: \(file.count)\r\n"), "\(download.prefix(400))")
      #expect(download.hasSuffix(String(decoding: file.suffix(100), as: UTF8.self)))
      try await waitUntil { server.heldBytes == 0 }
    }
    #expect(backend.faults.progress.map(\.hits) == [4])
  }

  @Test func aClientThatLeavesInAPauseLeavesNothing() async throws {
    let backend = try backend()
    backend.faults = try Faults(["bandwidth up 10kB/s"])
    try await withServer(backend) { server, port in
      let socket = try RawSocket.connected(to: Int(port))
      try socket.write(Array(put().prefix(20_000)))
      try await waitUntil { server.openConnections == 1 }
      socket.cut()
      try await waitUntil { server.openConnections == 0 && server.heldBytes == 0 }
    }
    #expect(try storedSize(backend) == 0)
  }

  @Test func itHoldsOverHTTP2() async throws {
    let backend = try backend()
    backend.faults = try Faults(["bandwidth 400kB/s"])
    try await withGRPC(backend) { _, client, _ in
      let stream = try await client.open(
        [
          (":method", "PUT"), (":scheme", "http"), (":path", "/api/v1/media/upload/upload-1/bytes"),
          (":authority", "127.0.0.1"), ("content-range", "bytes 0-\(file.count - 1)/\(file.count)"),
        ], endStream: false)
      try await stream.send(file, endStream: true)
      #expect(await stream.ended().httpStatus == "200")
      #expect(try storedSize(backend) == file.count)
    }
  }
}
