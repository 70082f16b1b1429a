import NovaContent
import NovaCore
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaOffline

/// One store for many users and clients.
@Suite(.hangLimit) struct ManyUsersTests {
  private static let owners = [
    "a1": "ada", "a2": "ada", "b1": "bob", "plain": "ada", "forged": "mallory",
  ]
  private let gateway = MarkingGateway("one", owners: owners)
  private let folder: TemporaryFolder
  private let clock = ManualClock(unixTime: 1_750_000_000)
  private let store: OfflineStore
  private let server: APIClient

  init() throws {
    folder = try TemporaryFolder()
    store = OfflineStore(directory: folder.path, clock: clock)
    server = try Self.client(gateway, store: store, clock: clock)
  }

  private static func client(
    _ gateway: any HTTPTransport, store: OfflineStore, clock: ManualClock, tokens: (any TokenProvider)? = nil,
    baseURL: String = "https://one.example"
  ) throws -> APIClient {
    try APIClient.test(gateway, baseURL: baseURL, token: nil, tokens: tokens, store: store, clock: clock)
  }

  private func seat(_ token: String, user: String?, of client: APIClient? = nil) throws -> Seat {
    let token = try AccessToken(token, user: user)
    return Seat(
      client: client ?? server, options: CallOptions(token: token), gateway: "one", user: user, description: "")
  }

  private func content(_ seat: Seat, _ cache: CachePolicy) async throws -> String? {
    var options = seat.options
    options.cache = cache
    do {
      return try await seat.client.respond(ContentRPC.getPost, .init(postId: "p"), options: options).value.post?.content
    } catch let error as APIError where error.code == .notFound {
      return nil
    }
  }

  private func like(_ seat: Seat, _ delivery: DeliveryPolicy = .automatic) async throws -> ResponseSource {
    var options = seat.options
    options.delivery = delivery
    let request = CreateLikeRequest(userId: seat.user ?? "ada", postId: "p")
    return try await seat.client.respond(SocialRPC.createLike, request, options: options).source
  }

  private func goOffline() { gateway.state.withLock { $0.isUp = false } }
  private func goOnline() { gateway.state.withLock { $0.isUp = true } }

  @Test(arguments: TestDepth.cases(1...24 as ClosedRange<UInt64>, sample: 4))
  func nobodySeesOrSendsWhatIsOfOthers(seed: UInt64) async throws {
    let history = try ManyUsersHistory(seed: seed)
    for step in 1...150 { try await history.step(step) }
    try await history.checkOutbox()
    try await history.settle()
  }

  @Test func readsAreStoredForTheUserOfEachCallsToken() async throws {
    let ada = try seat("a1", user: "ada")
    #expect(try await content(ada, .networkOnly) == "one/ada")
    // The same user with the next token.
    #expect(try await content(seat("a2", user: "ada"), .cacheOnly) == "one/ada")
    #expect(try await content(seat("b1", user: "bob"), .cacheOnly) == nil)
    // A token whose user is unknown is a caller of its own, also in a header.
    #expect(try await content(seat("a1", user: nil), .cacheOnly) == nil)
    let nobody = Seat(client: server, gateway: "one", user: nil, description: "")
    #expect(try await content(nobody, .cacheOnly) == nil)
    var header = nobody
    header.options.headers["Authorization"] = "Bearer plain"
    #expect(try await content(header, .networkOnly) == "one/ada")
    #expect(try await content(seat("plain", user: nil), .cacheOnly) == "one/ada")
  }

  @Test func writesOfATokensUserWaitForTheUsersNextCall() async throws {
    let (ada, bob) = (try seat("a1", user: "ada"), try seat("b1", user: "bob"))
    goOffline()
    #expect(try await like(ada) == .outbox)
    #expect(try await like(bob) == .outbox)
    #expect(try ada.offline.outbox.state.waiting == 1 && bob.offline.outbox.state.waiting == 1)
    #expect(try await ada.offline.outbox.entries.map(\.identity.user) == ["ada"])
    goOnline()
    #expect(try await content(seat("a2", user: "ada"), .networkOnly) == "one/ada")
    for await state in try ada.offline.outbox.states where state.waiting == 0 { break }
    #expect(gateway.state.withLock { $0.done.values.sorted() } == ["ada"])
    #expect(try await bob.offline.outbox.flush() == OutboxSummary(sent: 1))
    #expect(gateway.state.withLock { $0.done.values.sorted() } == ["ada", "bob"])
    #expect(gateway.state.withLock { $0.mistakes } == [])
  }

  /// Nothing could send it later.
  @Test func writesOfATokenOfWhichNoUserIsKnownDoNotWait() async throws {
    let ada = try seat("plain", user: nil)
    #expect(await apiError { try await like(ada, .enqueue) }?.code == .failedPrecondition)
    #expect(await apiError { try await like(ada, .enqueue) }?.message.contains("AccessToken(_:user:)") == true)
    goOffline()
    #expect(await apiError { try await like(ada) }?.code == .networkError)
    goOnline()
    #expect(try await like(ada) == .network)
    #expect(try await ada.offline.outbox.otherEntries.isEmpty)
  }

  @Test func entriesOfOthersCanOnlyBeDiscardedOnPurpose() async throws {
    let (ada, bob) = (try seat("a1", user: "ada"), try seat("b1", user: "bob"))
    goOffline()
    _ = try await like(ada)
    let entry = try #require(try await ada.offline.outbox.entries.first)
    #expect(await apiError { try await bob.offline.outbox.discard(entry.id, cascade: true) }?.code == .notFound)
    #expect(await apiError { try await bob.offline.outbox.retry(entry.id) }?.code == .notFound)
    #expect(await apiError { try await bob.offline.outbox.edit(entry.id, to: entry.request) }?.code == .notFound)
    try await bob.offline.outbox.discard(entry.id, includesOthers: true)
    #expect(try await ada.offline.outbox.entries.isEmpty)
  }

  @Test func equalReadsOfTwoUsersAreTwoRequests() async throws {
    let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
    let (opened, opening) = AsyncStream.makeStream(of: Void.self)
    let transport = RecordingTransport { [gateway] _, request in
      if request.headers["Authorization"] == "Bearer a1" {
        arrival.yield()
        for await _ in opened { break }
      }
      return try await gateway.send(request)
    }
    let client = try Self.client(transport, store: store, clock: clock)
    let (ada, bob) = (try seat("a1", user: "ada", of: client), try seat("b1", user: "bob", of: client))
    async let first = content(ada, .networkOnly)
    for await _ in arrived { break }
    #expect(try await content(bob, .networkOnly) == "one/bob")
    opening.yield()
    #expect(try await first == "one/ada")
  }

  @TaskLocal private static var trace = ""

  /// The request of equal reads belongs to the first call's trace.
  @Test func theRequestOfAReadHasTheTaskLocalValuesOfItsCall() async throws {
    let seen = Locked("")
    let transport = RecordingTransport { _, request in
      seen.withLock { $0 = Self.trace }
      return try await gateway.send(request)
    }
    let client = try Self.client(transport, store: store, clock: clock)
    let ada = try seat("a1", user: "ada", of: client)
    try await Self.$trace.withValue("the call's") { _ = try await content(ada, .networkOnly) }
    #expect(seen.withLock { $0 } == "the call's")
  }

  // MARK: Clients

  @Test func eachClientSendsItsOwnCalls() async throws {
    let two = MarkingGateway("two", owners: Self.owners)
    let other = try Self.client(two, store: store, clock: clock, baseURL: "https://two.example")
    #expect(try await content(seat("a1", user: "ada"), .networkOnly) == "one/ada")
    #expect(try await content(seat("a1", user: "ada", of: other), .cacheOnly) == nil)
    #expect(try await content(seat("a1", user: "ada", of: other), .networkOnly) == "two/ada")
    #expect(try await content(seat("a1", user: "ada"), .cacheOnly) == "one/ada")
    // One gateway's connection says nothing about the other's.
    goOffline()
    #expect(try await like(seat("a1", user: "ada")) == .outbox)
    #expect(try await like(seat("a1", user: "ada", of: other)) == .network)
  }

  /// A gateway, and a mock backend now and then.
  private final class FlippingTransport: MockingTransport {
    private let gateway: MarkingGateway
    private let mock = MarkingGateway("mock", owners: ManyUsersTests.owners)
    private let flag = Locked(false)

    init(_ gateway: MarkingGateway) { self.gateway = gateway }

    var isMock: Bool { flag.withLock { $0 } }
    func flip() { flag.withLock { $0.toggle() } }
    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
      try await (isMock ? mock : gateway).send(request)
    }
  }

  @Test func mockDataIsNoGatewaysData() async throws {
    let transport = FlippingTransport(gateway)
    let ada = try seat("a1", user: "ada", of: try Self.client(transport, store: store, clock: clock))
    #expect(try await content(ada, .networkOnly) == "one/ada")
    _ = try await like(ada, .enqueue)
    transport.flip()
    #expect(try await content(ada, .cacheOnly) == nil)
    #expect(try await ada.offline.outbox.entries.isEmpty)
    #expect(try await content(ada, .networkOnly) == "mock/ada")
    transport.flip()
    #expect(try await content(ada, .cacheOnly) == "one/ada")
  }

  @Test func theEndOfAClientEndsItsWorkOnly() async throws {
    let ada = StoredToken(try AccessToken("a1", user: "ada"))
    let first = try Self.client(gateway, store: store, clock: clock, tokens: ada)
    let second = try Self.client(gateway, store: store, clock: clock, tokens: ada)
    let (a, b) = (
      Seat(client: first, gateway: "one", user: nil, description: ""),
      Seat(client: second, gateway: "one", user: nil, description: "")
    )
    _ = try await content(a, .networkOnly)
    await first.shutdown()
    #expect(await apiError { try await content(a, .cacheOnly) }?.code == .cancelled)
    #expect(await apiError { _ = try a.offline }?.code == .cancelled)
    #expect(try await content(b, .cacheOnly) == "one/ada")
    // In the background, by the client that lives.
    goOffline()
    #expect(try await like(b) == .outbox)
    goOnline()
    try b.offline.connectivity.noteResponse()
    for await state in try b.offline.outbox.states where state.waiting == 0 { break }
    await second.shutdown()
    #expect(try await content(seat("b1", user: "bob"), .networkOnly) == "one/bob")
    await server.shutdown()
    #expect(await apiError { try await store.cacheInfo() }?.code == .cancelled)
    let next = try Self.client(gateway, store: store, clock: clock, tokens: ada)
    #expect(try await content(Seat(client: next, gateway: "one", user: nil, description: ""), .cacheOnly) == "one/ada")
    await store.end()
    #expect(await apiError { try await content(seat("a1", user: "ada", of: next), .cacheOnly) }?.code == .cancelled)
  }

  @Test func observersSeeWhatIsStoredForTheirCaller() async throws {
    let (ada, bob) = (try seat("a1", user: "ada"), try seat("b1", user: "bob"))
    var posts = try ada.offline.observe(Post.self, id: "p").makeAsyncIterator()
    #expect(await posts.next() == .some(nil))
    _ = try await content(bob, .networkOnly)
    _ = try await content(ada, .networkOnly)
    #expect(await posts.next()??.value.content == "one/ada")
    await store.forget(try await bob.identity)
    #expect(try await content(ada, .cacheOnly) == "one/ada")
    #expect(try await content(bob, .cacheOnly) == nil)
    await store.forget(try await ada.identity)
    #expect(await posts.next() == .some(nil))
  }

  /// What is kept in memory for an identity ends with its last entry and its calls.
  @Test func memoryDoesNotGrowWithTheNumberOfUsers() async throws {
    for number in 0..<1_500 {
      let identity = Identity(gateway: "https://one.example", caller: .user("user-\(number)"))
      let engine = try store.engine
      _ = await engine.cache.start(identity: identity)
      try await engine.cache.forget(identity: identity)
      await engine.load(identity)
    }
    #expect(try await store.engine.cache.identityCount <= 1_000)
    #expect(try store.engine.outbox.statuses.isEmpty)
  }
}
