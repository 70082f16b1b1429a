import NovaContract
import NovaCore
public import NovaFixtures
import NovaMock
import NovaMockWorlds
import NovaRegistry
import NovaRecording

extension FixtureExchange {
  /// Returns exchanges of every RPC: at least one success, and the errors that the contract specifies.
  ///
  /// The requests are those of the contract check, sent to a mock backend that contains the world: first all reads,
  /// then all requests with two newly registered accounts. Exchanges are sorted by the contract's order of RPCs and
  /// then by request, so a response can show the effect of an earlier request.
  ///
  /// The same world and time give the same exchanges, byte for byte.
  ///
  /// - Parameters:
  ///   - world: the contents of the backend.
  ///   - now: the backend's time, in Unix seconds. Default: the end of every world's time, 2025-01-01T00:00:00Z.
  /// - Throws: ``FixtureExchangeError`` if an RPC has no successful exchange; `CancellationError`.
  public static func all(of world: World, now: Int64 = 1_735_689_600) async throws -> [FixtureExchange] {
    let transport = MockTransport(MockBackend(dataSet: .world(world)) { now })
    var options = ContractCheck.Options()
    options.requestsPerSecond = nil
    options.maximumRequests = 100_000
    options.maximumTime = .seconds(86_400)
    options.user = world.userID(at: 0)
    let requestCount = Locked(0)
    var exchanges: [ContractExchange] = []
    for isReadOnly in [true, false] {
      options.isReadOnly = isReadOnly
      let check = ContractCheck(
        transport: transport, target: "fixtures", tokens: nil, options: options, clock: ContinuousClock(),
        makeID: { countedID(requestCount) }, baseURL: { _ in baseURL })
      exchanges += await check.exchangesForFixtures()
    }
    try Task.checkCancellation()
    return try all(of: exchanges)
  }

  /// Returns a counted id in the format of a UUID.
  private static func countedID(_ count: Locked<Int>) -> String {
    let number = count.withLock { count in
      count += 1
      return count
    }
    return "00000000-0000-4000-8000-\(100_000_000_000 + number)"
  }

  /// Returns the exchanges in the contract's order, without secrets and without duplicates.
  private static func all(of recorded: [ContractExchange]) throws -> [FixtureExchange] {
    let cassette = Cassette(recording: recorded.map { ($0.request, $0.response) })
    let all = zip(recorded, cassette.interactions).enumerated().map { (number: $0, recorded: $1.0, interaction: $1.1) }
    let groups = Dictionary(grouping: all, by: \.recorded.rpc)
    let exchanges = RPCRegistry.nova.rpcs.flatMap { rpc in
      var names = NumberedNames()
      var seen: Set<FixtureExchange> = []
      return (groups[rpc.id] ?? []).compactMap { number, recorded, interaction -> FixtureExchange? in
        guard let exchange = FixtureExchange(interaction, rpc: rpc.id), seen.insert(exchange).inserted else {
          return nil
        }
        return FixtureExchange(
          rpc: rpc.id, name: names.next(recorded.name), request: exchange.request, response: exchange.response,
          origin: .recorded(number))
      }
    }
    // A stream cannot be replayed.
    let missing = RPCRegistry.nova.rpcs.filter { rpc in
      !rpc.isServerStreaming && !exchanges.contains { $0.rpc == rpc.id && $0.response.isSuccess }
    }
    guard missing.isEmpty else {
      let names = missing.map(\.id).joined(separator: ", ")
      let isWithoutLibrary = missing.contains { $0.id == "media.CompleteUpload" }
      let reason =
        isWithoutLibrary
        ? "CompleteUpload requires OpenSSL's libcrypto; install it"
        : "the contract check has no valid request for it"
      throw FixtureExchangeError("no successful response for \(names): \(reason)")
    }
    return exchanges
  }
}

extension FixtureExchange {
  /// The headers to remove, because they are unrelated to the content.
  private static let leftOut = ["X-Request-ID", "Idempotency-Key", "Idempotency-Replayed"]

  /// Creates an unnamed exchange; nil without a response.
  fileprivate init?(_ interaction: Cassette.Interaction, rpc: String) {
    guard case .response(var response) = interaction.outcome else { return nil }
    var headers = interaction.request.headers
    for name in Self.leftOut {
      headers[name] = nil
      response.headers[name] = nil
    }
    self.init(
      rpc: rpc, name: "",
      request: HTTPRequest(
        method: interaction.request.method, url: HTTPURL(Self.baseURL.origin, target: interaction.request.target),
        headers: headers,
        body: interaction.request.body),
      response: response)
  }
}
