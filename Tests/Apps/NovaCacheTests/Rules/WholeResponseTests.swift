import NovaCore
import NovaTestSupport
import Testing

@testable import NovaCache

/// Only whole responses are stored, whatever their status.
@Suite struct WholeResponseTests {
  @Test(arguments: [
    ("bytes 0-0/9", false), ("bytes 4-4/9", false), ("bytes 0-0/*", false), ("bytes 0-0/1", true), ("bytes */9", false),
    ("bytes */1", true),
    ("none", true), ("bytes 0-8/9", false), ("items 4-4/9", false), ("items 0-4/5", true), ("bytes=4-4/9", false),
    ("bytes 4-4", false), ("bytes 3-3/1", true),
  ]) func aPartWithStatus200IsNotStored(_ range: String, isStored: Bool) async throws {
    let fixture = CacheFixture(headers: [
      "Cache-Control": "max-age=60", "Content-Range": range, "Content-Length": "1", "ETag": "\"1\"",
    ])
    for streams in [false, true] {
      let path = streams ? "/a" : "/b"
      for _ in 0..<2 { _ = try await fixture.send(path, streams: streams).body.collect(upTo: 100) }
    }
    #expect(fixture.requestCount == (isStored ? 2 : 4))
  }

  /// Responses that an earlier version stored are not used.
  @Test func aStoredPartIsNotReused() async throws {
    let fixture = CacheFixture(headers: ["Cache-Control": "max-age=60"])
    var head = StoredHead(
      HTTPResponse(status: 200, headers: ["Cache-Control": "max-age=60", "Content-Range": "bytes 0-2/9"]),
      requestTime: fixture.clock.unixTime, responseTime: fixture.clock.unixTime)
    head.selection = []
    let key = CacheKey(url: "http://localhost/a", identity: nil)
    fixture.cache.engine.store.insertInMemory(head, [1, 2, 3], for: key, since: fixture.cache.engine.store.mark)
    #expect(try await fixture.text() == "0 nova; fwd=uri-miss; stored")
  }

  /// Unknown codings don't change a body, and compressed bytes are kept separate.
  @Test(arguments: [
    ("UTF-8", true), ("", true), ("none", true), ("aws-chunked", true), ("gzip", false), ("none, br", false),
  ])
  func onlyCodingsKeepBytesOut(_ value: String, isStored: Bool) async throws {
    let fixture = CacheFixture(headers: ["Cache-Control": "max-age=60", "Content-Encoding": value])
    for _ in 0..<2 {
      var request = HTTPRequest(method: .get, url: "http://localhost/a")
      request.decompressesResponse = false
      let call = CacheCall(request: request, key: CacheKey(url: request.url, identity: nil)) {
        try await fixture.server.send($0)
      }
      _ = try await fixture.cache.engine.answer(call)
    }
    #expect(fixture.requestCount == (isStored ? 1 : 2))
  }

  /// The announced length counts, unless the body is compressed.
  @Test func aTruncatedBodyIsNotStored() async throws {
    for (coding, isStored) in [("UTF-8", false), ("identity", false), ("gzip", true)] {
      let fixture = CacheFixture(headers: [
        "Cache-Control": "max-age=60", "Content-Encoding": coding, "Content-Length": "9",
      ])
      for _ in 0..<2 { _ = try await fixture.send() }
      #expect(fixture.requestCount == (isStored ? 1 : 2), "\(coding)")
    }
  }
}
