import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCache

@Suite struct SharedResponsesTests {
  /// A store with only what it must have: no loads that wait, no early refreshes, no messages.
  private final class PlainStore: SharedResponses {
    private let stored = Locked<[SharedPlace: [String: [UInt8]]]>([:])

    func find(_ place: SharedPlace) async -> SharedVariants? {
      SharedVariants(Array((stored.withLock { $0[place] } ?? [:]).values), epoch: "1")
    }

    func publish(
      _ bytes: [UInt8], variant: String, at place: SharedPlace, since epoch: String, for lifetime: Duration
    ) async { stored.withLock { $0[place, default: [:]][variant] = bytes } }

    func remove(url: String) async { stored.withLock { $0 = $0.filter { $0.key.url != url } } }
    func removeAll() async { stored.withLock { $0 = [:] } }
  }

  /// A store that reports what a test removes.
  private final class ReportingStore: SharedResponses {
    private let receiver = Locked<(@Sendable (SharedRemoval) -> Void)?>(nil)
    var reportsRemovals: Bool { true }
    var isWatched: Bool { receiver.withLock { $0 != nil } }

    func report(_ removal: SharedRemoval) { receiver.withLock { $0 }?(removal) }
    func watchRemovals(_ receive: @escaping @Sendable (SharedRemoval) -> Void) async {
      receiver.withLock { $0 = receive }
    }

    func find(_ place: SharedPlace) async -> SharedVariants? { SharedVariants([], epoch: "1") }
    func publish(
      _ bytes: [UInt8], variant: String, at place: SharedPlace, since epoch: String, for lifetime: Duration
    ) async {}
    func remove(url: String) async {}
    func removeAll() async {}
  }

  private func get(
    _ cache: HTTPCache, _ url: HTTPURL, by send: @escaping @Sendable () async -> Int
  ) async throws -> Int {
    let call = CacheCall(request: HTTPRequest(method: .get, url: url), key: CacheKey(url: url, identity: nil)) { _ in
      HTTPResponse(status: 200, headers: ["Cache-Control": "max-age=60"], body: Array("\(await send())".utf8))
    }
    let response = try await cache.engine.answer(call).response
    await cache.waitUntilIdle()
    return Int(String(decoding: response.body.inMemory, as: UTF8.self)) ?? 0
  }

  @Test func aPlainStoreServesSeveralCaches() async throws {
    let (store, url) = (PlainStore(), try HTTPURL(parsing: "http://localhost/a"))
    #expect(try await get(HTTPCache(shared: store), url) { 1 } == 1)
    let second = HTTPCache(shared: store, random: { 0 })
    #expect(try await get(second, url) { 2 } == 1)
    #expect(try await get(second, url) { 3 } == 1)
    await second.remove(url)
    #expect(try await get(HTTPCache(shared: store), url) { 4 } == 4)
  }

  @Test func keepsResponsesInMemoryOnlyWhileRemovalsAreReported() async throws {
    let (store, url) = (ReportingStore(), try HTTPURL(parsing: "http://localhost/a"))
    let cache = HTTPCache(shared: store)
    #expect(try await get(cache, url) { 1 } == 1)
    try await waitUntil { store.isWatched }
    #expect(try await get(cache, url) { 2 } == 2)
    store.report(.begun)
    #expect(try await get(cache, url) { 3 } == 3)
    #expect(try await get(cache, url) { 4 } == 3)
    store.report(.lost)
    #expect(try await get(cache, url) { 5 } == 5)
    store.report(.begun)
    #expect(try await get(cache, url) { 6 } == 6)
    store.report(.all)
    #expect(try await get(cache, url) { 7 } == 7)
    store.report(.url(url.text))
    #expect(try await get(cache, url) { 8 } == 8)
    store.report(.url("http://localhost/b"))
    #expect(try await get(cache, url) { 9 } == 8)
  }

  @Test func keepsNothingThatWasRequestedBeforeARemoval() async throws {
    let (store, url) = (ReportingStore(), try HTTPURL(parsing: "http://localhost/a"))
    let cache = HTTPCache(shared: store)
    #expect(try await get(cache, url) { 1 } == 1)
    try await waitUntil { store.isWatched }
    store.report(.begun)
    for (number, removal) in [SharedRemoval.url(url.text), .begun, .all].enumerated() {
      let late = try await get(cache, url) {
        store.report(removal)
        return 10 * number
      }
      #expect(late == 10 * number)
      #expect(try await get(cache, url) { 10 * number + 1 } == 10 * number + 1)
      store.report(.all)
    }
  }

  @Test(arguments: ["avatar 1", "ä/#?", "a%20b", ""]) func removesNamedImages(name: String) async throws {
    let (store, url) = (ReportingStore(), try HTTPURL(parsing: "http://localhost/a%20b?signature=1"))
    let cache = HTTPCache(shared: store)
    #expect(try await get(cache, url) { 1 } == 1)
    try await waitUntil { store.isWatched }
    store.report(.begun)
    let key = CacheKey.named(name, at: url)
    let other = CacheKey.named("other", at: url)
    let response = HTTPResponse(status: 200, headers: ["Cache-Control": "max-age=60"])
    let head = StoredHead(response, requestTime: 0, responseTime: 0)
    for key in [key, other] { cache.engine.store.insert(head, [1], for: key, since: cache.engine.store.mark) }
    store.report(.url(key.url.text))
    #expect(cache.engine.store.find(key, [:]).response == nil)
    #expect(cache.engine.store.find(other, [:]).response != nil)
  }
}
