import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaAuth

@Suite struct SessionCacheTests {
  /// What there was before the sign-out, what happens to it, and what is reported behind it.
  private static let cases: [(isSignedIn: Bool, isRemoved: Bool, signsIn: Bool, reported: [String])] = [
    (true, true, false, ["ended signedOut"]), (true, true, true, ["ended signedOut", "started"]),
    (true, false, false, ["started"]), (false, false, true, ["started"]), (false, false, false, []),
  ]

  /// However a session comes, its token is its user's: calls tell callers apart by it.
  @Test func tokensAreTheirUsers() throws {
    func cache() -> SessionCache {
      SessionCache(origin: "http://localhost:8080", policy: RefreshPolicy(), clock: ManualClock())
    }
    let session = try Session.canary(1)
    #expect(session.accessToken.user == nil)
    let (set, adopting) = (cache(), cache())
    #expect(set.set(session, stored: nil)?.accessToken.user == "u")
    #expect(set.set(session, stored: nil)?.accessToken.user == "u")
    adopting.adopt(StoredSession(session: session, origin: adopting.origin), unless: adopting.version)
    for cache in [set, adopting] {
      #expect(cache.current?.accessToken.user == "u")
      #expect(cache.refuse(try AccessToken("other"))?.user == "u")
      #expect(cache.set(try .canary(2), stored: nil)?.accessToken.user == "u")
      #expect(cache.usable?.accessToken.user == "u" && cache.unsaved?.session.accessToken.user == "u")
    }
  }

  @Test(arguments: cases) func whatIsThereAfterASignOutIsReported(
    isSignedIn: Bool, isRemoved: Bool, signsIn: Bool, reported: [String]
  ) async throws {
    let cache = SessionCache(origin: "http://localhost:8080", policy: RefreshPolicy(), clock: ManualClock())
    if isSignedIn { cache.set(try .canary(1), stored: nil) }
    let updates = cache.updates
    _ = cache.beginClosing()
    if isRemoved { cache.end(.signedOut) }
    if signsIn { cache.set(try .canary(2), stored: nil) }
    #expect(cache.current == nil)
    cache.endClosing()
    #expect((cache.current == nil) == (reported.last != "started"))
    cache.storeFailed(CancellationError())
    var names: [String] = []
    for await change in updates {
      if change.name.hasPrefix("storeFailed") { break }
      names.append(change.name)
    }
    #expect(names == reported)
  }
}
