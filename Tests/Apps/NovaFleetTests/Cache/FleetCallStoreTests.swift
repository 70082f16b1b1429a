import NovaCore
import NovaGraph
import NovaRedis
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaFleet

@Suite(.hangLimit) struct FleetCallStoreTests {
  /// A client in one process.
  private struct Machine {
    let store: FleetCallStore
    let client: APIClient
    /// Held, because it ends with the last reference.
    private let server: RedisServer

    init(
      _ server: RedisServer, _ gateway: CountedGateway, token: String = "t-ada",
      change: (inout FleetCallStore.Options) -> Void = { _ in }
    ) throws {
      self.server = server
      var options = FleetCallStore.Options()
      options.cache.maximumDelay = .seconds(20)
      change(&options)
      let redis = try RedisPool.patient(server.url)
      store = FleetCallStore(
        redis, messages: nil, keys: try FleetResponsesTests.keys.get(), options: options)
      client = try .test(gateway, token: token, store: store, clock: ContinuousClock())
    }

    func read(_ policy: CachePolicy? = nil) async throws -> String {
      try await client.respond(GraphRPC.getFollowers, request, options: CallOptions(cache: policy)).value.userIds
        .joined()
    }

    func write() async throws {
      _ = try await client.respond(SocialRPC.createLike, CreateLikeRequest(userId: "me", postId: "p"))
    }
  }

  @Test func asksOnceForManyMachines() async throws {
    let (server, gateway) = (try RedisServer(), CountedGateway(delay: .milliseconds(50)))
    let machines = try (0..<10).map { _ in try Machine(server, gateway) }
    let values = try await withThrowingTaskGroup(of: String.self) { group in
      for machine in machines { for _ in 0..<3 { group.addTask { try await machine.read() } } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(values == ["secret-1"] && gateway.requests == 1)
    let redis = try RedisPool.patient(server.url)
    for name in try await redis.send(["KEYS", "*"]).array ?? [] {
      let value = try await redis.send(["GET", RedisArgument(name.text ?? "")]).text
      #expect(value?.contains("secret") == false && name.text?.contains("t-ada") == false)
    }
  }

  @Test func keepsIdentitiesApartAndForgetsOne() async throws {
    let (server, gateway) = (try RedisServer(), CountedGateway())
    let (ada, bob) = (try Machine(server, gateway), try Machine(server, gateway, token: "t-bob"))
    #expect(try await ada.read() == "secret-1")
    #expect(try await bob.read() == "secret-2")
    await ada.store.forget(try await ada.client.identity(for: CallOptions()))
    #expect(try await ada.read() == "secret-3")
    #expect(try await bob.read() == "secret-2")
  }

  @Test func forgetsWhatAWriteMayHaveChanged() async throws {
    let (server, gateway) = (try RedisServer(), CountedGateway())
    let (first, second) = (try Machine(server, gateway), try Machine(server, gateway))
    #expect(try await first.read() == "secret-1")
    try await second.write()
    #expect(try await first.read() == "secret-3")
    #expect(try await second.read() == "secret-3")
  }

  @Test func followsThePolicies() async throws {
    let (server, gateway) = (try RedisServer(), CountedGateway())
    let machine = try Machine(server, gateway)
    let error = await #expect(throws: APIError.self) { try await machine.read(.cacheOnly) }
    #expect(error?.code == .notFound && gateway.requests == 0)
    #expect(try await machine.read() == "secret-1")
    #expect(try await machine.read(.cacheOnly) == "secret-1")
    #expect(try await machine.read(.networkOnly) == "secret-2")
    #expect(try await machine.read() == "secret-3")
    gateway.goDown()
    let values = [try await machine.read(), try await machine.read(.networkFirst())]
    FleetOutcome.expect(
      .gatewayDown, of: .cache, on: .redis, values == ["secret-3", "secret-3"] ? [.storedAnswersAreUsed] : [])
  }

  @Test func sendsCallsWithoutTheStore() async throws {
    let (server, gateway) = (try RedisServer(), CountedGateway())
    let machine = try Machine(server, gateway) { $0.cache.maximumDelay = .milliseconds(100) }
    server.freeze()
    #expect(try await machine.read() == "secret-1")
    try await machine.write()
    server.thaw()
    server.stop()
    #expect(try await machine.read() == "secret-3")
  }

  @Test func asksAgainAfterEverythingWasLost() async throws {
    let (server, gateway) = (try RedisServer(), CountedGateway())
    let machine = try Machine(server, gateway)
    #expect(try await machine.read() == "secret-1")
    _ = try await RedisPool.patient(server.url).send(["FLUSHALL"])
    #expect(try await machine.read() == "secret-2")
  }

  @Test func doesNotShareAnswersOfOtherSchemas() async throws {
    let (server, gateway) = (try RedisServer(), CountedGateway())
    let (old, new) = (try Machine(server, gateway), try Machine(server, gateway) { $0.schema = 2 })
    #expect(try await old.read() == "secret-1")
    #expect(try await new.read() == "secret-2")
    #expect(try await old.read() == "secret-1")
  }
}

private let request = GetFollowersRequest(userId: "u1")
