import NovaHTTP
import NovaSupport
import NovaTestSupport
import NovaTesting
import Testing

/// What the head of a response shows about its bytes.
@Suite(.hangLimit) struct BodyExtentTests {
  private static let plain = [
    "UTF-8", "utf8", "binary", "none", "identity", "Identity, identity", "", "  ", ",", "aws-chunked", "8bit",
    "iso-8859-1",
    "base64", "null", "text/html", "chunked", "identity;q=1",
  ]
  private static let encoded = [
    "gzip", "GZIP", "x-gzip", "br", "zstd", "deflate", "compress", "identity, gzip", "gzip, identity",
    "aws-chunked,gzip",
    "\"gzip\"", "gzip;q=1.0", "dcz", "aes128gcm", "xz",
  ]

  @Test(arguments: plain) func otherNamesAreNoCodings(_ value: String) {
    #expect(!(["Content-Encoding": value] as HTTPHeaders).isEncoded)
  }

  @Test(arguments: encoded) func codingsAreFound(_ value: String) {
    #expect((["content-encoding": value] as HTTPHeaders).isEncoded)
    var headers: HTTPHeaders = ["Content-Encoding": "none"]
    headers.append(name: "Content-Encoding", value: value)
    #expect(headers.isEncoded, "in a second field")
  }

  private struct Row {
    let status: Int
    var range: String?
    var length: Int?
    var total: Int?
    var other: HTTPHeaders = [:]
    let expected: BodyExtent
  }

  private static let rows = [
    Row(status: 200, expected: .whole(nil)), Row(status: 200, length: 0, expected: .whole(0)),
    Row(status: 203, length: 9, expected: .whole(9)),
    Row(status: 200, range: "bytes 0-99/100", length: 100, expected: .whole(100)),
    Row(status: 200, range: "bytes 0-99/100", expected: .whole(100)),
    Row(status: 200, range: "bytes 40-99/100", length: 60, expected: .part(40..<100, of: 100)),
    Row(status: 200, range: "bytes 40-99/100", expected: .part(40..<100, of: 100)),
    Row(status: 200, range: "bytes 40-99/*", length: 60, expected: .part(40..<100, of: nil)),
    // The status, the length, and the size agree.
    Row(status: 200, range: "bytes 40-99/100", length: 100, expected: .whole(100)),
    Row(status: 200, range: "bytes 40-99/100", length: 50, expected: .unusable(.lengths(body: 50, range: 60))),
    Row(status: 200, range: "bytes 0-99/100", length: 50, expected: .unusable(.lengths(body: 50, range: 100))),
    Row(status: 200, range: "nonsense", length: 50, expected: .whole(50)),
    Row(status: 200, range: "bytes */*", length: 50, expected: .whole(50)),
    Row(status: 200, range: "", length: 50, expected: .whole(50)),
    Row(status: 200, range: "bytes */100", length: 100, expected: .whole(100)),
    Row(status: 200, range: "bytes */100", length: 50, expected: .unusable(.unclearRange("bytes */100"))),
    Row(status: 200, range: "bytes */100", expected: .unusable(.unclearRange("bytes */100"))),
    Row(status: 200, range: "bytes=0-99/100", length: 100, expected: .whole(100)),
    Row(status: 200, range: "bytes=0-49/100", length: 50, expected: .unusable(.unclearRange("bytes=0-49/100"))),
    Row(status: 200, range: "bytes 0 - 49/100", length: 50, expected: .unusable(.unclearRange("bytes 0 - 49/100"))),
    Row(status: 200, range: "bytes 0-49 /100", length: 50, expected: .unusable(.unclearRange("bytes 0-49 /100"))),
    Row(status: 200, range: "bytes 0-49", length: 50, expected: .unusable(.unclearRange("bytes 0-49"))),
    Row(status: 203, range: "bytes 0-49/abc", length: 50, expected: .unusable(.unclearRange("bytes 0-49/abc"))),
    // The size is known from elsewhere.
    Row(status: 200, range: "bytes 0-49", length: 50, total: 50, expected: .whole(50)),
    Row(
      status: 200, range: "bytes 0-49/abc", length: 50, total: 60, expected: .unusable(.unclearRange("bytes 0-49/abc"))),
    // An empty file, in the form that some servers send.
    Row(status: 200, range: "bytes 0--1/0", length: 0, expected: .whole(0)),
    // Other units count only if they are complete.
    Row(status: 200, range: "items 0-9/10", length: 50, expected: .whole(50)),
    Row(status: 200, range: "0-9/10", length: 50, expected: .whole(50)),
    Row(status: 200, range: "items 0-9/30", length: 30, expected: .unusable(.unclearRange("items 0-9/30"))),
    Row(status: 200, range: "0-9/*", length: 50, expected: .unusable(.unclearRange("0-9/*"))),
    Row(status: 206, range: "bytes 40-99/100", length: 60, expected: .part(40..<100, of: 100)),
    Row(status: 206, range: "bytes 40-99/*", expected: .part(40..<100, of: nil)),
    Row(status: 206, range: "bytes 0-99/100", length: 100, expected: .whole(100)),
    Row(status: 206, range: "bytes 0-99/*", length: 100, expected: .part(0..<100, of: nil)),
    Row(status: 206, range: "bytes 40-99/100", length: 100, expected: .unusable(.lengths(body: 100, range: 60))),
    Row(status: 206, length: 60, expected: .unusable(.noRange)),
    Row(status: 206, range: "bytes */100", length: 60, expected: .unusable(.noRange)),
    Row(
      status: 206, length: 60, other: ["Content-Type": "multipart/byteranges; boundary=x"],
      expected: .unusable(.severalParts)),
    Row(
      status: 206, range: "bytes 40-99/100", length: 60, other: ["Content-Type": "Multipart/ByteRanges; boundary=x"],
      expected: .unusable(.severalParts)),
    Row(status: 416, range: "bytes */100", expected: .none(of: 100)), Row(status: 416, expected: .none(of: nil)),
    Row(status: 416, range: "bytes 0-1/100", expected: .none(of: nil)),
    Row(status: 201, length: 5, expected: .unusable(.status(201))),
    Row(status: 202, length: 5, expected: .unusable(.status(202))), Row(status: 204, expected: .unusable(.status(204))),
    Row(status: 205, expected: .unusable(.status(205))), Row(status: 304, expected: .unusable(.status(304))),
    Row(status: 404, length: 5, expected: .unusable(.status(404))),
    Row(status: 200, length: 5, other: ["Content-Encoding": "gzip"], expected: .unusable(.encoded("gzip"))),
    Row(
      status: 206, range: "bytes 0-4/5", length: 5, other: ["Content-Encoding": "none, BR"],
      expected: .unusable(.encoded("br"))),
    Row(status: 200, length: 5, other: ["Content-Encoding": "utf-8"], expected: .whole(5)),
  ]

  @Test func everyHeadHasOneMeaning() {
    for row in Self.rows {
      var headers = row.other
      headers["Content-Range"] = row.range
      let extent = BodyExtent(status: row.status, headers: headers, length: row.length, total: row.total)
      #expect(extent == row.expected, "\(row)")
    }
    let headers: HTTPHeaders = ["Content-Encoding": "gzip"]
    #expect(BodyExtent(status: 200, headers: headers, length: 5, isDecoded: true) == .whole(nil))
  }

  /// Of two different values, one is wrong. Equal ones are harmless.
  @Test func contradictoryRangesAreUnclear() {
    func extent(_ status: Int, _ ranges: String...) -> BodyExtent {
      let headers = HTTPHeaders(ranges.map { HTTPHeaders.Field(name: "Content-Range", value: $0) })
      return BodyExtent(status: status, headers: headers, length: 60)
    }
    #expect(extent(206, "bytes 40-99/100", "bytes 40-99/100") == .part(40..<100, of: 100))
    #expect(extent(206, "bytes 40-99/100", "bytes 0-59/100") == .unusable(.noRange))
    #expect(extent(200, "bytes 40-99/100", "bytes 0-59/100") == .unusable(.unclearRange("bytes 40-99/100")))
    #expect(extent(200, "bytes */60", "bytes 0-59/100") == .unusable(.unclearRange("bytes */60")))
    #expect(extent(416, "bytes */100", "bytes */90") == .none(of: nil))
  }

  // MARK: Over a connection

  /// Bytes with an unknown coding are passed on, and the next response is decompressed again.
  @Test(arguments: plain) func plainBytesArrive(_ value: String) async throws {
    let requests = Locked(0)
    try await withTransport(to: { connection in
      while try connection.readRequest() != nil {
        let number = requests.withLock { count in
          count += 1
          return count
        }
        let labels = number % 2 == 1 ? value : "gzip"
        try connection.respond(headers: ["Content-Encoding: \(labels)"], body: Array("plain bytes".utf8))
      }
    }) { transport, server in
      for _ in 0..<2 {
        let response = try await transport.send(.get(server.url()))
        #expect(response.body.inMemory == Array("plain bytes".utf8))
        let error = await #expect(throws: TransportError.self) { try await transport.send(.get(server.url())) }
        #expect(error?.kind == .malformedResponse, "not the rest of the handle's life")
      }
    }
  }

  /// libcurl stops at the end of the first member, and reports a write error.
  @Test func bytesAfterTheEndAreNoProblemOfTheReader() async throws {
    // "a" as a gzip file.
    let member: [UInt8] = [
      0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x4B, 4, 0, 0x43, 0xBE, 0xB7, 0xE8, 1, 0, 0, 0,
    ]
    for tail in [member, [0, 0, 0, 0]] {
      try await withTransport(to: {
        try $0.respondToAll("200 OK", headers: ["Content-Encoding: gzip"], body: member + tail)
      }) { (transport, server) async throws in
        do {
          // A later libcurl may support them.
          #expect(try await transport.send(.get(server.url())).body.inMemory.first == UInt8(ascii: "a"))
        } catch let error as TransportError {
          #expect(error.kind == .malformedResponse && error.message.contains("decompressed"), "\(error)")
        }
      }
    }
  }

  /// A failure with an unreadable body is still reported as that failure.
  @Test(arguments: ["gzip", "br", "UTF-8", "gzip, UTF-8"], [404, 503])
  func aFailureIsNotHidden(_ value: String, status: Int) async throws {
    try await withTransport(to: {
      try $0.respondToAll("\(status) No", headers: ["Content-Encoding: \(value)"], body: Array("not here".utf8))
    }) { transport, server in
      for _ in 0..<2 {
        let response = try await transport.send(.get(server.url()))
        #expect(response.status == status)
      }
    }
  }
}
