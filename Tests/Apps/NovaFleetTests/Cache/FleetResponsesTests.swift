import NovaCache
import NovaCore
import NovaMedia
import NovaRedis
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaFleet

@Suite(.hangLimit) struct FleetResponsesTests {
  static let keys = Result {
    try FleetKeys(names: String(repeating: "ab", count: 32), sealing: [("k", String(repeating: "cd", count: 32))])
  }

  /// A cache in one process.
  private struct Machine {
    let cache: HTTPCache
    let gateway: CountedGateway
    /// Held, because it ends with the last reference.
    private let server: RedisServer

    init(
      _ server: RedisServer, _ gateway: CountedGateway, clock: ManualClock = ManualClock(),
      delay: Duration = .seconds(20)
    ) throws {
      var options = FleetResponses.Options()
      options.maximumDelay = delay
      self.server = server
      let shared = FleetResponses(
        try RedisPool.patient(server.url), keys: try FleetResponsesTests.keys.get(), options: options)
      (cache, self.gateway) = (HTTPCache(shared: shared, clock: clock), gateway)
    }

    func get(_ headers: HTTPHeaders = [:], token: String? = "t-ada", method: HTTPMethod = .get) async throws -> String {
      let url = try HTTPURL(parsing: "http://localhost/a?signature=secret")
      var request = HTTPRequest(method: method, url: url, headers: headers)
      if let token { request.headers["Authorization"] = "Bearer \(token)" }
      let context = CallContext(rpc: MediaRPC.getUpload.descriptor, requestID: "test")
      let response = try await CacheMiddleware(cache).intercept(request, context) { try await gateway.send($0) }
      let body = try await response.body.collect(upTo: 1 << 20)
      await cache.waitUntilIdle()
      return String(decoding: body, as: UTF8.self).filter(\.isNumber)
    }
  }

  private func machines(
    _ headers: HTTPHeaders, clock: ManualClock = ManualClock()
  ) throws -> (RedisServer, CountedGateway, Machine, Machine) {
    let (server, gateway) = (try RedisServer(), CountedGateway(headers: headers))
    let first = try Machine(server, gateway, clock: clock)
    return (server, gateway, first, try Machine(server, gateway, clock: clock))
  }

  @Test func answersOnOtherMachinesAndForNobodyElse() async throws {
    let (server, gateway, first, second) = try machines(["Cache-Control": "private, max-age=60"])
    #expect(try await first.get() == "1")
    #expect(try await second.get() == "1")
    #expect(try await second.get(token: "t-bob") == "2")
    #expect(try await first.get(token: "t-bob") == "2")
    #expect(try await first.get(token: nil) == "3")
    #expect(gateway.requests == 3)
    let redis = try RedisPool.patient(server.url)
    for name in try await redis.send(["KEYS", "*"]).array ?? [] {
      let text = name.text ?? ""
      #expect(!text.contains("secret") && !text.contains("localhost"))
      // A short one can have ended since it was listed.
      #expect(try await redis.send(["PTTL", RedisArgument(text)]).integer != -1)
      guard try await redis.send(["TYPE", RedisArgument(text)]) == "hash" else { continue }
      for field in try await redis.send(["HVALS", RedisArgument(text)]).array ?? [] {
        #expect(field.text?.contains("secret") == false)
      }
    }
  }

  @Test func keepsTheRulesOfTheCache() async throws {
    let clock = ManualClock()
    let (_, _, first, second) = try machines(["Cache-Control": "private, max-age=60", "Vary": "X-Kind"], clock: clock)
    #expect(try await first.get(["X-Kind": "a"]) == "1")
    #expect(try await second.get(["X-Kind": "b"]) == "2")
    #expect(try await second.get(["X-Kind": "a"]) == "1")
    #expect(try await first.get(["X-Kind": "b"]) == "2")
    clock.advance(by: .seconds(61))
    #expect(try await first.get(["X-Kind": "a"]) == "3")
    #expect(try await second.get(["X-Kind": "a"]) == "3")
  }

  @Test func storesNothingThatForbidsIt() async throws {
    let (server, _, first, second) = try machines(["Cache-Control": "no-store"])
    #expect(try await first.get() == "1")
    #expect(try await second.get() == "2")
    let redis = try RedisPool.patient(server.url)
    for name in try await redis.send(["KEYS", "*"]).array ?? [] {
      #expect(try await redis.send(["TYPE", RedisArgument(name.text ?? "")]) != "hash")
    }
  }

  @Test func removesWhatAWriteChanged() async throws {
    let (_, _, first, second) = try machines(["Cache-Control": "private, max-age=60"])
    #expect(try await first.get() == "1")
    #expect(try await second.get(method: .delete) == "2")
    #expect(try await second.get() == "3")
    await first.cache.removeAll()
    #expect(try await first.get() == "4")
  }

  @Test func continuesWithoutTheStore() async throws {
    let (server, gateway) = (try RedisServer(), CountedGateway(headers: ["Cache-Control": "private, max-age=60"]))
    let machine = try Machine(server, gateway, delay: .milliseconds(100))
    server.freeze()
    #expect(try await machine.get() == "1")
    #expect(try await machine.get() == "1")
    server.thaw()
    server.stop()
    #expect(try await machine.get(token: "t-bob") == "2")
  }

  @Test func ignoresWhatWasChangedOrMoved() async throws {
    let (server, _, first, second) = try machines(["Cache-Control": "private, max-age=60"])
    #expect(try await first.get() == "1")
    #expect(try await first.get(token: "t-bob") == "2")
    let redis = try RedisPool.patient(server.url)
    let pattern = RedisArgument("*}:" + String(repeating: "?", count: 64))
    let names = (try await redis.send(["KEYS", pattern]).array ?? []).compactMap(\.text)
    #expect(names.count == 2)
    for name in names where name != names[0] {
      _ = try await redis.send(["COPY", RedisArgument(name), RedisArgument(names[0]), "REPLACE"])
    }
    let answers = [try await second.get(), try await second.get(token: "t-bob")]
    #expect(answers.contains("3") && (answers[0] == "1" || answers[1] == "2"))
  }
}
