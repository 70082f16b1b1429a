import NovaCache
import NovaCore
import NovaRedis
import NovaTestSupport
import Testing

@testable import NovaFleet

@Suite(.hangLimit) struct FleetRemovalsTests {
  private static let private60: HTTPHeaders = ["Cache-Control": "private, max-age=60"]

  /// Machines that keep responses in memory, because messages arrive.
  private func machines(_ server: RedisServer, _ gateway: CountedGateway) async throws -> [ResponseMachine] {
    let machines = try (0..<2).map { _ in try ResponseMachine(server, gateway, messages: true) }
    for machine in machines { try await fill(machine) }
    return machines
  }

  private func fill(_ machine: ResponseMachine) async throws {
    try await waitUntil {
      _ = try await machine.get()
      return await machine.cache.usage().memoryBytes > 0
    }
    await machine.cache.waitUntilIdle()
  }

  @Test(arguments: [false, true]) func memoryFollowsWhatOthersRemove(removesAll: Bool) async throws {
    let (server, gateway) = (try RedisServer(), CountedGateway(headers: Self.private60))
    let machines = try await machines(server, gateway)
    let before = try await machines[0].get()
    #expect(try await machines[1].get() == before)
    if removesAll { await machines[1].cache.removeAll() } else { _ = try await machines[1].get(method: .delete) }
    try await waitUntil { await machines[0].cache.usage().memoryBytes == 0 }
    let after = try await machines[0].get()
    #expect(after != before)
    await machines[0].cache.waitUntilIdle()
    #expect(try await machines[1].get() == after)
    // Its own message does not remove what it stored later.
    #expect(try await machines[1].get() == after)
  }

  @Test func memoryIsEmptyWhileMessagesAreLost() async throws {
    let (server, gateway) = (try RedisServer(), CountedGateway(headers: Self.private60))
    let machine = try await machines(server, gateway)[0]
    server.stop()
    try await waitUntil { await machine.cache.usage().memoryBytes == 0 }
    let before = gateway.requests
    for number in 1...3 { #expect(try await machine.get() == "\(before + number)") }
    try server.start()
    try await fill(machine)
    await machine.cache.shutdown()
    #expect(await machine.cache.usage().memoryBytes == 0)
  }

  @Test func responsesComeFromRedisWhileMemoryIsNotUsed() async throws {
    let (server, gateway) = (try RedisServer(), CountedGateway(headers: Self.private60))
    let machine = try ResponseMachine(server, gateway, messages: true)
    await machine.cache.shutdown()
    for _ in 0..<3 {
      #expect(try await machine.get() == "1")
      await machine.cache.waitUntilIdle()
    }
    #expect(await machine.cache.usage().memoryBytes == 0)
  }

  @Test func messagesRevealNothing() async throws {
    let (server, gateway) = (try RedisServer(), CountedGateway(headers: Self.private60))
    let redis = try RedisPool.patient(server.url)
    var messages = redis.messages(on: "nova:responses:removed").makeAsyncIterator()
    #expect(try await messages.next() == [])
    let machine = try ResponseMachine(server, gateway)
    _ = try await machine.get(method: .delete)
    let text = String(decoding: try #require(await messages.next()), as: UTF8.self)
    #expect(!text.contains("secret") && !text.contains("localhost"))
  }

  /// A message that cannot be decrypted may be about any URL.
  @Test func memoryIsEmptiedByAMessageThatCannotBeRead() async throws {
    let (server, gateway) = (try RedisServer(), CountedGateway(headers: Self.private60))
    let machine = try await machines(server, gateway)[0]
    _ = try await RedisPool.patient(server.url).send(["PUBLISH", "nova:responses:removed", "x"])
    try await waitUntil { await machine.cache.usage().memoryBytes == 0 }
  }

  /// The response to a request that was sent before a removal, which the store has lost since.
  @Test(arguments: [["FLUSHALL"], ["DEL", "nova:responses:everything"]] as [[RedisArgument]])
  func lateResponsesAreNotStored(losing command: [RedisArgument]) async throws {
    let (server, gateway) = (try RedisServer(), CountedGateway(headers: Self.private60))
    let machines = try (0..<3).map { _ in try ResponseMachine(server, gateway) }
    let isOpen = Locked(false)
    gateway.wait { try await waitUntil { isOpen.withLock { $0 } } }
    let late = Task { try await machines[0].get() }
    try await waitUntil { gateway.requests == 1 }
    gateway.wait(nil)
    #expect(try await machines[1].get(method: .delete) == "2")
    _ = try await RedisPool.patient(server.url).send(command)
    isOpen.withLock { $0 = true }
    #expect(try await late.value == "1")
    await machines[0].cache.waitUntilIdle()
    #expect(try await machines[2].get() == "3")
  }

  @Test func responsesWithoutTheirEpochAreNotUsed() async throws {
    let (server, gateway) = (try RedisServer(), CountedGateway(headers: Self.private60))
    let machines = try (0..<2).map { _ in try ResponseMachine(server, gateway) }
    #expect(try await machines[0].get() == "1")
    await machines[0].cache.waitUntilIdle()
    let redis = try RedisPool.patient(server.url)
    let names = (try await redis.send(["KEYS", "*:epoch"]).array ?? []).compactMap(\.bytes)
    #expect(names.count == 1)
    for name in names { _ = try await redis.send(["DEL", RedisArgument(name)]) }
    #expect(try await machines[1].get() == "2")
  }

  @Test func removalsAreRepeatedUntilTheStoreHasThem() async throws {
    let (server, gateway) = (try RedisServer(), CountedGateway(headers: Self.private60))
    let first = try ResponseMachine(
      server, gateway,
      change: { options in
        (options.maximumDelay, options.pause) = (.milliseconds(100), .milliseconds(100))
      })
    let others = try (0..<2).map { _ in try ResponseMachine(server, gateway) }
    #expect(try await others[0].get() == "1")
    await others[0].cache.waitUntilIdle()
    server.freeze()
    #expect(try await first.get(method: .delete) == "2")
    server.thaw()
    try await waitUntil { try await RedisPool.patient(server.url).send(["KEYS", "*:epoch"]).array?.isEmpty == true }
    #expect(try await others[1].get() == "3")
    withExtendedLifetime(first) {}
  }

  @Test func aFullStoreStillAnswers() async throws {
    let (server, gateway) = (try RedisServer(), CountedGateway(headers: Self.private60))
    let (first, second) = (try ResponseMachine(server, gateway), try ResponseMachine(server, gateway))
    #expect(try await first.get() == "1")
    await first.cache.waitUntilIdle()
    let redis = try RedisPool.patient(server.url)
    _ = try await redis.send(["CONFIG", "SET", "maxmemory-policy", "noeviction"])
    _ = try await redis.send(["CONFIG", "SET", "maxmemory", "1"])
    #expect(try await second.get() == "1")
    #expect(try await second.get(token: "t-bob") == "2")
  }
}
