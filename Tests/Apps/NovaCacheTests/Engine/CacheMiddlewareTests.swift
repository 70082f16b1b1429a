import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCache

struct CacheMiddlewareTests {
  private static let fresh: HTTPHeaders = ["Cache-Control": "max-age=60"]

  @Test func reportsWhereResponsesCameFrom() async throws {
    let fixture = CacheFixture(headers: ["Cache-Control": "max-age=60", "ETag": "\"1\""])
    #expect(try await fixture.text() == "0 nova; fwd=uri-miss; stored")
    fixture.clock.advance(by: .seconds(20))
    let hit = try await fixture.send()
    #expect(hit.headers["Age"] == "20")
    #expect(hit.headers["Cache-Status"] == "nova; hit; ttl=40")
    fixture.clock.advance(by: .seconds(41))
    #expect(try await fixture.text() == "1 nova; fwd=stale; fwd-status=200; stored")
    #expect(fixture.server.requests.last?.headers["If-None-Match"] == "\"1\"")
    #expect(try await fixture.text(headers: ["Cache-Control": "no-store"]) == "2 nova; fwd=request")
    let usage = await fixture.cache.usage()
    #expect([usage.entries, usage.hits, usage.misses, usage.revalidated] == [1, 1, 3, 0])
  }

  @Test func keepsAccountsApart() async throws {
    let fixture = CacheFixture(headers: Self.fresh)
    #expect(try await fixture.text(token: Canary.secret) == "0 nova; fwd=uri-miss; stored")
    #expect(try await fixture.text(token: "bob") == "1 nova; fwd=uri-miss; stored")
    #expect(try await fixture.text(token: Canary.secret) == "0 nova; hit; ttl=60")
    #expect(try await fixture.text() == "2 nova; fwd=uri-miss; stored")
    #expect(try await fixture.text() == "2 nova; hit; ttl=60")
  }

  @Test(arguments: [
    ("public, max-age=60", true), ("must-revalidate, max-age=60", true), ("private, max-age=60", false),
  ])
  func storesForAllWhatTheServerAllows(control: String, isStored: Bool) async throws {
    let fixture = CacheFixture(headers: ["Cache-Control": control])
    for token in ["ada", "bob", nil] { _ = try await fixture.send(token: token) }
    #expect(fixture.requestCount == (isStored ? 1 : 3))
  }

  /// The response to the caller is read from the file, and must not bring removed bytes back into memory.
  @Test(arguments: ["no-store", "private, no-store, max-age=60"])
  func keepsNothingThatAConfirmationForbidsToStore(control: String) async throws {
    let folder = try TemporaryFolder()
    let headers: HTTPHeaders = ["Cache-Control": "no-cache", "ETag": "\"1\""]
    _ = try await CacheFixture(.init(directory: folder.path), headers: headers).text()
    let fixture = CacheFixture(.init(directory: folder.path)) { number, request in
      #expect((request.headers["If-None-Match"] == nil) == (number > 0))
      guard number == 0 else { throw TransportError(.connectionRefused, "refused", requestMayHaveLeft: false) }
      return HTTPResponse(status: 304, headers: ["Cache-Control": control])
    }
    #expect(try await fixture.text() == "0 nova; fwd=stale; fwd-status=304")
    #expect(await fixture.cache.usage().entries == 0)
    await #expect(throws: TransportError.self) { try await fixture.text() }
  }

  /// A response that depends on a cookie or a key, which are not stored, is for its caller only.
  @Test(arguments: ["Cookie", "X-Api-Key"]) func storesNothingThatOtherSecretsSelect(name: String) async throws {
    let fixture = CacheFixture(headers: Self.fresh)
    for value in ["1", "2"] { _ = try await fixture.send(headers: HTTPHeaders([.init(name: name, value: value)])) }
    #expect(fixture.requestCount == 2)
    #expect(await fixture.cache.usage().entries == 0)
  }

  /// Tokens, their digests, URLs, and cookies are not on disk.
  @Test func keepsSecretsOffTheDisk() async throws {
    let folder = try TemporaryFolder()
    let cookie = CacheFixture(
      .init(directory: folder.path), headers: ["Cache-Control": "max-age=60", "Set-Cookie": "a=\(Canary.secret)"])
    _ = try await cookie.send(token: "ada")
    #expect(await cookie.cache.usage().diskBytes == 0)
    let fixture = CacheFixture(
      .init(directory: folder.path), headers: ["Cache-Control": "max-age=60", "Vary": "Authorization"])
    _ = try await fixture.send(
      "/\(Canary.secret)", token: Canary.secret)
    #expect(await fixture.cache.usage().diskBytes > 0)
    let shards = SystemIO.fileNames(in: "\(folder.path)/v3")
    for shard in shards {
      for name in SystemIO.fileNames(in: "\(folder.path)/v3/\(shard)") {
        let bytes = try #require(try SystemIO.readFile("\(folder.path)/v3/\(shard)/\(name)"))
        let text = name + String(decoding: bytes, as: UTF8.self)
        #expect(Canary.leaks(in: text).isEmpty)
      }
    }
  }

  @Test func forgetsWhatAnotherMethodChanged() async throws {
    let fixture = CacheFixture(.init()) { number, request in
      let location = request.method == .post ? "/b" : nil
      var response = HTTPResponse(status: 200, headers: Self.fresh, body: Array("\(number)".utf8))
      response.headers["Location"] = location
      return response
    }
    _ = try await fixture.text("/a", token: "ada")
    _ = try await fixture.text("/b")
    _ = try await fixture.send("/a", method: .post)
    #expect(try await fixture.text("/a", token: "ada") == "3 nova; fwd=uri-miss; stored")
    #expect(try await fixture.text("/b") == "4 nova; fwd=uri-miss; stored")
  }

  /// If something changed while a request was running, its response may be the old one.
  @Test func storesNothingThatWasChangedMeanwhile() async throws {
    let (arrived, gate) = (Gate(), Gate())
    let fixture = CacheFixture(.init()) { number, request in
      if number == 0 {
        arrived.open()
        await gate.wait()
      }
      return HTTPResponse(status: 200, headers: Self.fresh, body: Array("\(number)".utf8))
    }
    async let old = fixture.text()
    await arrived.wait()
    _ = try await fixture.send(method: .put)
    gate.open()
    #expect(try await old == "0 nova; fwd=uri-miss")
    #expect(try await fixture.text() == "2 nova; fwd=uri-miss; stored")
  }

  @Test func answersWhileTheServerFails() async throws {
    let fixture = CacheFixture(.init()) { number, _ in
      switch number {
      case 0, 3: return HTTPResponse(status: 200, headers: ["Cache-Control": "max-age=1"], body: [1])
      case 1: throw TransportError(.connectionRefused, "refused", requestMayHaveLeft: false)
      default: return HTTPResponse(status: 503)
      }
    }
    _ = try await fixture.send()
    fixture.clock.advance(by: .seconds(5))
    #expect(try await fixture.text() == "\u{1} nova; hit; fwd=stale; detail=failure")
    #expect(try await fixture.send().status == 503)
  }

  @Test func prefersAnErrorToWhatMustNotBeStale() async throws {
    let fixture = CacheFixture(.init()) { number, _ in
      guard number == 0 else { throw TransportError(.connectionRefused, "refused", requestMayHaveLeft: false) }
      return HTTPResponse(status: 200, headers: ["Cache-Control": "max-age=1, must-revalidate"], body: [1])
    }
    _ = try await fixture.send()
    fixture.clock.advance(by: .seconds(5))
    await #expect(throws: TransportError.self) { try await fixture.send() }
  }

  /// Many stale responses start a single revalidation, which ends with the cache.
  @Test func revalidatesOnceInTheBackground() async throws {
    let gate = Gate()
    let fixture = CacheFixture(.init()) { number, _ in
      if number > 0 { await gate.wait() }
      return HTTPResponse(
        status: 200, headers: ["Cache-Control": "max-age=1, stale-while-revalidate=60"], body: Array("\(number)".utf8))
    }
    _ = try await fixture.send()
    fixture.clock.advance(by: .seconds(5))
    for _ in 0..<50 { #expect(try await fixture.text() == "0 nova; hit; ttl=-4") }
    gate.open()
    await fixture.cache.waitUntilIdle()
    #expect(fixture.requestCount == 2)
    #expect(try await fixture.text() == "1 nova; hit; ttl=1")
    fixture.clock.advance(by: .seconds(5))
    await fixture.cache.shutdown()
    _ = try await fixture.send()
    #expect(fixture.requestCount == 2)
  }

  /// A body that differs from its announced length is passed on and not stored.
  @Test(arguments: [false, true])
  func storesOnlyWholeBodies(streams: Bool) async throws {
    let fixture = CacheFixture(.init()) { _, request in
      let headers: HTTPHeaders = ["Cache-Control": "max-age=60", "Content-Length": "5"]
      let chunks = AsyncStream<[UInt8]> { continuation in
        continuation.yield([1, 2, 3])
        continuation.finish()
      }
      let body = request.streamsResponse ? HTTPBody.stream(HTTPBodyStream(chunks)) : .bytes([1, 2, 3])
      return HTTPResponse(status: 200, headers: headers, body: body)
    }
    for _ in 0..<2 { #expect(try await fixture.send(streams: streams).body.collect(upTo: 10) == [1, 2, 3]) }
    #expect(fixture.requestCount == 2)
  }

  /// Large bodies are written to and read from the disk in pieces. A body that is not read to its end is not stored.
  @Test func streamsLargeBodies() async throws {
    let folder = try TemporaryFolder()
    let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    let options = HTTPCache.Options(memoryBytes: 1 << 20, diskBytes: 100 << 20, directory: folder.path)
    let fixture = CacheFixture(options) { _, _ in
      let chunks = AsyncStream<[UInt8]> { continuation in
        for start in stride(from: 0, to: body.count, by: 100_000) {
          continuation.yield(Array(body[start..<(start + 100_000)]))
        }
        continuation.finish()
      }
      return HTTPResponse(
        status: 200, headers: ["Cache-Control": "max-age=60"], body: .stream(HTTPBodyStream(chunks, length: body.count))
      )
    }
    for try await _ in try await fixture.send(streams: true).body { break }
    #expect(await fixture.cache.usage().entries == 0)
    #expect(try await fixture.send(streams: true).body.collect(upTo: 1 << 24) == body)
    let hit = try await fixture.send(streams: true)
    #expect(hit.body.bytes == nil)
    #expect(try await hit.body.collect(upTo: 1 << 24) == body)
    let part = try await fixture.send(headers: ["Range": "bytes=1000000-1000009"], streams: true)
    #expect(part.status == 206)
    #expect(try await part.body.collect(upTo: 100) == Array(body[1_000_000..<1_000_010]))
    #expect(fixture.requestCount == 2)
    #expect(await fixture.cache.usage().memoryBytes == 0)
  }

  /// A damaged file is fetched again.
  @Test func healsDamage() async throws {
    let folder = try TemporaryFolder()
    let fixture = CacheFixture(.init(memoryBytes: 0, directory: folder.path), headers: Self.fresh)
    _ = try await fixture.send()
    let shard = try #require(SystemIO.fileNames(in: "\(folder.path)/v3").first)
    let name = try #require(SystemIO.fileNames(in: "\(folder.path)/v3/\(shard)").first)
    var bytes = try folder.bytes("v3/\(shard)/\(name)")
    bytes[bytes.count - 1] ^= 1
    _ = try folder.write(bytes, to: "v3/\(shard)/\(name)")
    #expect(try await fixture.text() == "1 nova; fwd=uri-miss; stored")
    #expect(try await fixture.text() == "1 nova; hit; ttl=60")
    #expect(await fixture.cache.usage().healed == 1)
  }

  /// Two caches with the same folder, as in two processes.
  @Test func sharesAFolder() async throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    let first = CacheFixture(.init(directory: folder.path), clock: clock, headers: Self.fresh)
    let second = CacheFixture(.init(directory: folder.path), clock: clock, headers: Self.fresh)
    for path in ["/a", "/b"] { _ = try await first.send(path) }
    for path in ["/a", "/b"] { _ = try await second.send(path) }
    #expect([first.requestCount, second.requestCount] == [2, 0])
    await second.cache.removeAll()
    #expect(await second.cache.usage().entries == 0)
    #expect(await first.cache.usage().diskBytes == 0)
  }

  /// A response to an anonymous request is not returned for an account, unless the server allows it.
  @Test(arguments: [("max-age=60", 2), ("public, max-age=60", 1)])
  func keepsAnonymousResponsesFromAccounts(control: String, requests: Int) async throws {
    let fixture = CacheFixture(headers: ["Cache-Control": control])
    _ = try await fixture.send()
    _ = try await fixture.send(headers: ["Authorization": "Bearer x"])
    #expect(fixture.requestCount == requests)
    #expect(try await fixture.text() == "0 nova; hit; ttl=60")
  }

  /// A server that makes each request select another response can fill neither memory nor disk.
  @Test func limitsVariants() async throws {
    let folder = try TemporaryFolder()
    let fixture = CacheFixture(
      .init(directory: folder.path), headers: ["Cache-Control": "max-age=60", "Vary": "X-Number"])
    for number in 0..<100 { _ = try await fixture.send(headers: ["X-Number": "\(number)"]) }
    #expect(await fixture.cache.usage().entries <= 2 * MemoryStore.maximumVariants + 1)
    #expect(try await fixture.text(headers: ["X-Number": "99"]) == "99 nova; hit; ttl=60")
    let key = CacheKey(url: "http://localhost/a", identity: Identity(gateway: "", caller: .anonymous))
    #expect(fixture.cache.engine.store.find(key, [:]).response == nil)
    let shard = try #require(SystemIO.fileNames(in: "\(folder.path)/v3").first)
    #expect(SystemIO.fileNames(in: "\(folder.path)/v3/\(shard)").count == MemoryStore.maximumVariants)
  }
}
