import NovaCache
import NovaCore
import NovaCrypto
import NovaRedis
import NovaTestSupport
import Testing

@testable import NovaFleet

@Suite(.hangLimit) struct FleetResponsesLoadTests {
  private static let private60: HTTPHeaders = ["Cache-Control": "private, max-age=60"]

  private func all(_ machines: [ResponseMachine]) async throws -> [String] {
    try await withThrowingTaskGroup(of: String.self) { group in
      for machine in machines { group.addTask { try await machine.get() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// Waits until the last load is forgotten.
  private func finishLoads(_ server: RedisServer) async throws {
    let redis = try RedisPool.patient(server.url)
    try await waitUntil { try await redis.send(["KEYS", "*:load"]).array?.isEmpty == true }
  }

  /// Takes the lock of the response, like a process that loads it.
  private func begin(_ machine: ResponseMachine) async throws {
    let identity = try ResponseMachine.context.identity(of: ResponseMachine.request())
    let place = SharedPlace(url: ResponseMachine.url, owner: Hexadecimal.encode(try identity.digest))
    let epoch = try #require(await machine.shared.find(place)).epoch
    guard case .begun = await machine.shared.beginLoad(at: place, since: epoch) else {
      Issue.record("the lock was taken")
      return
    }
  }

  @Test func oneMachineAsksWhileTheOthersWait() async throws {
    let (server, clock) = (try RedisServer(), ResponseMachine.Clock())
    let gateway = CountedGateway(delay: .milliseconds(300), headers: Self.private60)
    let machines = try (0..<12).map { _ in try ResponseMachine(server, gateway, clock: clock) }
    let cold = try await all(machines)
    #expect(Set(cold) == ["1"])
    #expect(gateway.requests == 1)
    try await finishLoads(server)
    clock.advance(by: 61)
    let stale = try await all(machines)
    #expect(Set(stale) == ["2"])
    #expect(gateway.requests == 2)
  }

  /// Each request is answered only when all have arrived, so nobody may wait for another one.
  @Test(arguments: ["no-store", "private, max-age=0", "no-cache"])
  func nobodyWaitsForWhatCannotBeShared(control: String) async throws {
    let server = try RedisServer()
    let gateway = CountedGateway(headers: ["Cache-Control": control, "ETag": "\"a\""])
    let machines = try (0..<6).map { _ in try ResponseMachine(server, gateway) }
    #expect(try await machines[0].get() == "1")
    await machines[0].cache.waitUntilIdle()
    gateway.wait { try await waitUntil { gateway.requests == 7 } }
    #expect(try await all(machines).count == 6)
  }

  @Test func waitingMachinesAskWhenTheResponseIsNotShared() async throws {
    let server = try RedisServer()
    let gateway = CountedGateway(delay: .milliseconds(200), headers: ["Cache-Control": "no-store"])
    let machines = try (0..<6).map { _ in try ResponseMachine(server, gateway) }
    #expect(Set(try await all(machines)).count == 6)
  }

  @Test func waitingMachinesAskWhenTheServerFails() async throws {
    let (server, gateway) = (try RedisServer(), CountedGateway(delay: .milliseconds(200), headers: Self.private60))
    gateway.goDown()
    gateway.wait { try await Task.sleep(for: .milliseconds(200)) }
    let machines = try (0..<6).map { _ in try ResponseMachine(server, gateway) }
    #expect(Set(try await all(machines)) == ["503"])
  }

  @Test func anotherMachineLoadsWhenTheCallerOfTheFirstStops() async throws {
    let (server, gateway) = (try RedisServer(), CountedGateway(headers: Self.private60))
    let (first, second) = (try ResponseMachine(server, gateway), try ResponseMachine(server, gateway))
    gateway.wait { try await Task.sleep(for: .seconds(600)) }
    let stopped = Task { try await first.get() }
    try await waitUntil { gateway.requests == 1 }
    gateway.wait(nil)
    let waiting = Task { try await second.get() }
    stopped.cancel()
    #expect(try await waiting.value == "2")
    _ = await stopped.result
  }

  @Test func anotherMachineLoadsWhenTheFirstDies() async throws {
    let (server, gateway) = (try RedisServer(), CountedGateway(headers: Self.private60))
    let machine = try ResponseMachine(server, gateway, change: { $0.loadTime = .milliseconds(300) })
    try await begin(machine)
    #expect(try await machine.get() == "1")
    await machine.cache.waitUntilIdle()
    #expect(try await ResponseMachine(server, gateway).get() == "1")
  }

  @Test(
    arguments: [
      ["Cache-Control": "no-cache"], ["Cache-Control": "no-store"], ["Cache-Control": "max-age=0"],
      ["Pragma": "no-cache"], ["Range": "bytes=0-1"], ["If-None-Match": "\"a\""], ["Cookie": "a=b"],
    ] as [HTTPHeaders])
  func callsThatNeedTheirOwnResponseDoNotWait(headers: HTTPHeaders) async throws {
    let (server, gateway) = (try RedisServer(), CountedGateway(headers: Self.private60))
    let machine = try ResponseMachine(server, gateway)
    try await begin(machine)
    #expect(try await machine.get(headers) == "1")
  }

  @Test func variantsDoNotWaitForEachOther() async throws {
    let server = try RedisServer()
    let gateway = CountedGateway(headers: ["Cache-Control": "private, max-age=60", "Vary": "X-Kind"])
    let (first, second) = (try ResponseMachine(server, gateway), try ResponseMachine(server, gateway))
    gateway.wait { try await Task.sleep(for: .milliseconds(100)) }
    async let own = first.get(["X-Kind": "a"])
    async let other = second.get(["X-Kind": "b"])
    #expect(Set([try await own, try await other]) == ["1", "2"])
    await first.cache.waitUntilIdle()
    await second.cache.waitUntilIdle()
    #expect(try await first.get(["X-Kind": "b"]) == second.get(["X-Kind": "b"]))
    #expect(gateway.requests == 2)
  }

  @Test func oneMachineRefreshesEarly() async throws {
    let (server, isDue) = (try RedisServer(), Locked(false))
    // With this cost, a draw of 0 makes a response due that has 60 seconds left.
    let gateway = CountedGateway(delay: .milliseconds(200), headers: Self.private60)
    let machines = try (0..<8).map { _ in
      try ResponseMachine(server, gateway, random: { isDue.withLock { $0 } ? 0 : 0.999_999 })
    }
    let finish = { for machine in machines { await machine.cache.waitUntilIdle() } }
    #expect(Set(try await all(machines)) == ["1"])
    await finish()
    try await finishLoads(server)
    isDue.withLock { $0 = true }
    #expect(Set(try await all(machines)) == ["1"])
    await finish()
    #expect(gateway.requests == 2)
    // The others take over what one has refreshed.
    isDue.withLock { $0 = false }
    #expect(try await ResponseMachine(server, gateway).get() == "2")
    #expect(gateway.requests == 2)
  }

  /// Different users need an image of a storage server, which receives no token.
  @Test func oneMachineLoadsAnImage() async throws {
    let server = try RedisServer()
    let storage = CountedGateway(delay: .milliseconds(200), headers: ["Cache-Control": "max-age=60"])
    let machines = try (0..<8).map { number in
      let client = try APIClient.test(storage, token: "t-\(number)", clock: ContinuousClock())
      return (client, MediaCache(client: client, cache: try ResponseMachine(server, storage).cache))
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (_, images) in machines {
        group.addTask {
          let image = try await images.image("https://storage.test/a.png?signature=1")
          #expect(!image.bytes.isEmpty)
        }
      }
      try await group.waitForAll()
    }
    #expect(storage.requests == 1)
  }

  @Test func nothingIsRefreshedEarlyWithoutEagerness() async throws {
    let (server, gateway) = (try RedisServer(), CountedGateway(delay: .milliseconds(200), headers: Self.private60))
    let machine = try ResponseMachine(server, gateway, random: { 0 }, change: { $0.eagerness = 0 })
    for _ in 0..<3 { #expect(try await machine.get() == "1") }
    await machine.cache.waitUntilIdle()
    #expect(gateway.requests == 1)
  }
}
