import NovaContent
import NovaCore
import NovaGraph
import NovaOffline
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

@Suite struct ReadPolicyTests {
  let world = OfflineWorld()
  let ada: OfflineWorld.Program
  let bob: OfflineWorld.User
  private let rpc = GraphRPC.getFollowing
  private var request: GetFollowingRequest { GetFollowingRequest(userId: ada.user.id, limit: 10) }

  init() async throws {
    ada = try world.program(of: world.newUser("ada"))
    bob = try world.newUser("bob")
    _ = try world.mock.call(
      GraphRPC.createFollow, CreateFollowRequest(followerId: ada.user.id, followeeId: bob.id), token: ada.user.token)
  }

  @Test func answersFromTheStoreWhenTheGatewayIsAway() async throws {
    let online = try await ada.client.respond(rpc, request)
    #expect(online.source == .network)
    world.advance(seconds: 90)
    ada.set(.down)
    let offline = try await ada.client.respond(rpc, request)
    #expect(offline.value == online.value)
    #expect(offline.source == .cache(age: .seconds(90)))
  }

  @Test func throwsTheFailureWithoutAStoredAnswer() async throws {
    ada.set(.down)
    let error = await apiError { try await ada.client.respond(rpc, request) }
    #expect(error?.code == .networkError)
    let missing = await apiError { try await ada.client.respond(rpc, request, options: CallOptions(cache: .cacheOnly)) }
    #expect(missing?.code == .notFound)
    #expect(missing?.message.contains("not stored") == true)
  }

  @Test(arguments: [(59, 1), (301, 2)])
  func readsAgainAfterTheTimeToLive(seconds: Int, requests: Int) async throws {
    let options = CallOptions(cache: .cacheFirst())
    _ = try await ada.client.respond(rpc, request, options: options)
    world.advance(seconds: Int64(seconds))
    let second = try await ada.client.respond(rpc, request, options: options)
    #expect(ada.transport.requestCount == requests)
    #expect((second.source == .network) == (requests == 2))
  }

  @Test func takesTheMaximumAgeOfACall() async throws {
    _ = try await ada.client.respond(rpc, request)
    world.advance(seconds: 10)
    for (maxAge, source) in [
      (Duration.seconds(10), ResponseSource.cache(age: .seconds(10))), (.seconds(9), .network),
    ] {
      let response = try await ada.client.respond(
        rpc, request, options: CallOptions(cache: .cacheFirst(maxAge: maxAge)))
      #expect(response.source == source)
    }
  }

  @Test func composesAnswersOfOtherRequests() async throws {
    _ = try await ada.client.respond(rpc, request)
    // A smaller page, and a relation that the list shows.
    let first = try await ada.stored(rpc, GetFollowingRequest(userId: ada.user.id, limit: 1))
    #expect(first?.value == GetFollowingResponse(userIds: [bob.id], totalCount: 1, hasMore: false))
    let relation = try await ada.stored(
      GraphRPC.isFollowing, IsFollowingRequest(followerId: ada.user.id, followeeId: bob.id))
    #expect(relation?.value.isFollowing == true)
    let other = try await ada.stored(
      GraphRPC.isFollowing, IsFollowingRequest(followerId: ada.user.id, followeeId: "eve"))
    #expect(other?.value.isFollowing == false, "the whole list is known, and eve is not in it")
  }

  @Test func neverShowsWhatAnotherAccountHasRead() async throws {
    _ = try await ada.client.respond(rpc, request)
    ada.token.current = try AccessToken(bob.token)
    #expect(try await ada.stored(rpc, request) == nil)
    ada.token.current = nil
    #expect(try await ada.stored(rpc, request) == nil)
    ada.token.current = try AccessToken(ada.user.token)
    #expect(try await ada.stored(rpc, request) != nil)
  }

  @Test func answersWithNoAgeAfterTheClockWasSetBack() async throws {
    _ = try await ada.client.respond(rpc, request)
    await ada.store.end()
    let early = OfflineStore(directory: ada.folder.path, clock: ManualClock(unixTime: Double(MockCaller.start) - 3600))
    let client = try APIClient.test(ada.transport, tokens: ada.token, store: early)
    let response = try await client.respond(rpc, request, options: CallOptions(cache: .cacheOnly))
    #expect(response.source == .cache(age: nil))
    let fresh = try await client.respond(rpc, request, options: CallOptions(cache: .cacheFirst()))
    #expect(fresh.source == .network)
  }

  @Test func keepsAnswersWhenTheProgramStartsAgain() async throws {
    let online = try await ada.client.respond(rpc, request)
    try await ada.restart()
    ada.set(.down)
    #expect(try await ada.client.respond(rpc, request).value == online.value)
  }

  @Test func refusesArgumentsBeforeTheStoreIsAsked() async throws {
    let error = await apiError {
      try await ada.client.respond(rpc, GetFollowingRequest(userId: ""), options: CallOptions(cache: .cacheOnly))
    }
    #expect(error?.code == .invalidArgument)
  }

  @Test(arguments: [(Int.max, 10), (1 << 41, 10), (-1, 10), (.min, .max), (5, .max)])
  func answersNothingForPagesThatNoListHas(offset: Int, limit: Int) async throws {
    _ = try await ada.client.respond(rpc, request)
    let request = GetFollowingRequest(userId: ada.user.id, limit: limit, offset: offset)
    let options = CallOptions(checksArguments: false, cache: .cacheOnly)
    do {
      let page = try await ada.client.respond(rpc, request, options: options).value
      #expect(page.userIds.isEmpty)
      #expect(offset >= 0)
    } catch let error as APIError {
      #expect(error.code == .notFound)
    }
    var pages = try ada.offline.observe(rpc, request).makeAsyncIterator()
    _ = await pages.next()
  }

  @Test func servesTwoClients() async throws {
    let other = try APIClient.test(
      ada.transport, tokens: StoredToken(AccessToken(bob.token)), store: ada.store, clock: world.clock)
    _ = try await ada.client.respond(rpc, request)
    let options = CallOptions(cache: .cacheOnly)
    #expect(await apiError { try await other.respond(rpc, request, options: options) }?.code == .notFound)
    _ = try await ada.client.respond(rpc, request, options: options)
  }

  @Test func asksAgainWhetherSomethingExists() async throws {
    let options = CallOptions(cache: .cacheFirst())
    _ = try await ada.client.respond(ContentRPC.getPost, GetPostRequest(postId: "post-1"), options: options)
    let post = CreatePostRequest(creatorId: bob.id, content: "hello")
    _ = try world.mock.call(ContentRPC.createPost, post, token: bob.token)
    world.advance(seconds: 400)
    let found = try await ada.client.respond(ContentRPC.getPost, GetPostRequest(postId: "post-1"), options: options)
    #expect(found.value.found)
  }

  @Test func needsAStoreForCacheOnly() async throws {
    let client = try APIClient.test(ada.transport, tokens: ada.token)
    let error = await apiError { try await client.respond(rpc, request, options: CallOptions(cache: .cacheOnly)) }
    #expect(error?.code == .failedPrecondition)
    #expect(error?.message.contains("NovaClient(configuration:) { $0.store = … }") == true)
  }

  @Test func deliversTheStoredValueAndThenTheFreshOne() async throws {
    _ = try await ada.graph.getFollowing(userId: ada.user.id)
    let eve = try world.newUser("eve")
    let id = ada.user.id
    func values() async throws -> [SourcedValue<GetFollowingResponse>] {
      var values: [SourcedValue<GetFollowingResponse>] = []
      for try await value in ada.graph.cacheThenNetwork({ try await $0.getFollowing(userId: id) }) {
        values.append(value)
      }
      return values
    }
    // Equal: only the stored one.
    #expect(try await values().map(\.source) == [.cache(age: .zero)])
    _ = try world.mock.call(
      GraphRPC.createFollow, CreateFollowRequest(followerId: id, followeeId: eve.id), token: ada.user.token)
    let both = try await values()
    #expect(both.map(\.source) == [.cache(age: .zero), .network])
    #expect(both.map(\.value.totalCount) == [1, 2])
  }
}
