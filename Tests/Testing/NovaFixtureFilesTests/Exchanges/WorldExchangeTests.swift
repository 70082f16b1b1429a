import NovaContract
import NovaCore
import NovaCrypto
import NovaFixtureFiles
import NovaFixtures
import NovaRegistry
import NovaTestSupport
import NovaUsers
import Testing

@Suite struct WorldExchangeTests {
  @Test(arguments: [1, 20]) func everyRPCSucceedsAndIsRefused(_ users: Int) async throws {
    let exchanges = try await FixtureExchange.shared(users: users)
    for rpc in RPCRegistry.nova.rpcs where !rpc.isServerStreaming {
      let own = exchanges.filter { $0.rpc == rpc.id }
      #expect(own.contains { $0.response.isSuccess }, "\(rpc.id) has no good answer")
      #expect(own.contains { !$0.response.isSuccess }, "\(rpc.id) has no failure")
      #expect(Set(own.map(\.name)).count == own.count, "\(rpc.id) has two exchanges of one name")
    }
    // In the contract's order.
    let order = RPCRegistry.nova.rpcs.map(\.id)
    let places = exchanges.map { order.firstIndex(of: $0.rpc) ?? -1 }
    #expect(places == places.sorted() && places.first != -1)
  }

  @Test func goodAnswersKeepTheContract() async throws {
    for exchange in try await FixtureExchange.shared() where exchange.response.isSuccess {
      let rpc = try #require(RPCRegistry.nova.rpc(named: exchange.rpc))
      // Bytes of a file go over a path of their own.
      guard exchange.request.url.text.contains(rpc.http.path.prefix { $0 != "{" }),
        exchange.request.method == rpc.http.method
      else { continue }
      let read = try? HTTPTranscoder.response(rpc.responseType, from: exchange.response.body.inMemory, rpc.http)
      #expect(
        read != nil,
        "\(exchange.rpc) \(exchange.name): \(String(decoding: exchange.response.body.inMemory, as: UTF8.self))")
    }
  }

  @Test func theSameInputsGiveTheSameBytes() async throws {
    let first = try await FixtureExchange.shared()
    #expect(try await FixtureExchange.all(of: World(seed: Seed(42), users: 20)) == first)
    let (one, other) = try await (FixtureExchange.shared(seed: 1, users: 5), FixtureExchange.shared(users: 5))
    #expect(other != one)
  }

  /// On every machine, too. These digests contain what the contract check asks and what the mock answers.
  @Test(
    arguments: [
      (1, "a0a43039a43bce4e1e1d52aae74fbd3f04672880c785ffa68bbc065ad630c09f"),
      (42, "fac850b1003007a3daad41de0f2dde95388649791ddea45fa52066c5a3e10bc5"),
      (UInt64.max, "fb97699438c5ebe3846a806fb8e669489a79a55927ed11e2562315e0858837ee"),
    ] as [(UInt64, String)])
  func theBytesAreTheSameEverywhere(_ seed: UInt64, _ digest: String) async throws {
    var hash = try SHA256()
    for exchange in try await FixtureExchange.shared(seed: seed, users: 5) {
      let (request, response) = (exchange.request, exchange.response)
      let head = "\(exchange.rpc) \(exchange.name) \(request.method) \(request.url.text) \(response.status)\n"
      let headers = (request.headers.fields + response.headers.fields).map { "\($0.name): \($0.value)\n" }.joined()
      hash.update((head + headers).utf8)
      hash.update(request.body.inMemory)
      hash.update(response.body.inMemory)
    }
    let found = Hexadecimal.encode(try hash.finalize())
    let problem = try GoldenDigest.problem(of: "the exchanges of seed \(seed)", found, expected: digest)
    #expect(problem == nil)
  }

  @Test func itShowsWhatTheWorldHolds() async throws {
    let world = try World(seed: Seed(42), users: 20)
    let exchanges = try await FixtureExchange.shared()
    let profile = try #require(exchanges.first { $0.rpc == "user.GetUserProfile" && $0.name == "a user" })
    let json = try JSONValue(jsonUTF8: profile.response.body.inMemory)
    #expect(json["profile"]?["username"]?.stringValue == world.user(at: 0).username)
    #expect(json["profile"]?["follower_count"]?.integerValue == world.user(at: 0).followerCount)
  }

  @Test func thereAreNoSecretsAndNothingThatDiffers() async throws {
    let exchanges = try await FixtureExchange.shared()
    var placeholders = 0
    for exchange in exchanges {
      for headers in [exchange.request.headers, exchange.response.headers] {
        #expect(headers["X-Request-ID"] == nil && headers["Idempotency-Key"] == nil)
        if let authorization = headers["Authorization"] { #expect(authorization.hasPrefix("Bearer {{secret:")) }
      }
      for body in [exchange.request.body.inMemory, exchange.response.body.inMemory] {
        let text = String(decoding: body, as: UTF8.self)
        placeholders += text.contains("{{secret:") ? 1 : 0
        // Every JSON Web Token begins like this, and the passwords of the check's accounts like that.
        #expect(!text.contains("eyJ") && !text.contains("\"Nova-"), "\(exchange.rpc) \(exchange.name)")
      }
    }
    #expect(placeholders > 5)
  }
}
