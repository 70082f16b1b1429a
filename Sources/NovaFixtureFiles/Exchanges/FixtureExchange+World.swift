import NovaContract
import NovaCore
public import NovaFixtures
import NovaMock
import NovaRegistry
import NovaRecording

extension FixtureExchange {
  /// Exchanges of every RPC: at least one that succeeds, and those that the contract refuses.
  ///
  /// They come from the mock backend with this world in it, asked by the requests of the contract check: first about what
  /// the world holds, then, by two accounts that are opened for it, everything that changes something. The order is that
  /// of the contract, and of what was asked; so the answer to one may show what an earlier one changed.
  ///
  /// The same world and time give the same exchanges, byte for byte.
  ///
  /// - Parameters:
  ///   - world: what the backend holds.
  ///   - now: the backend's time, in Unix seconds. Default: the end of every world's time, 2025-01-01T00:00:00Z.
  /// - Throws: ``FixtureExchangeError`` when an RPC could not be asked; `CancellationError`.
  public static func all(of world: World, now: Int64 = 1_735_689_600) async throws -> [FixtureExchange] {
    let recording = ExchangeRecording(world, now: now)
    await recording.run(isReadOnly: true)
    await recording.run(isReadOnly: false)
    try Task.checkCancellation()
    let exchanges = recording.exchanges
    let missing = RPCRegistry.nova.rpcs.filter { rpc in
      !exchanges.contains { $0.rpc == rpc.id && $0.response.isSuccess }
    }
    guard missing.isEmpty else {
      let names = missing.map(\.id).joined(separator: ", ")
      throw FixtureExchangeError(
        "the mock backend has no good answer for \(names). CompleteUpload needs OpenSSL's libcrypto; is it installed?")
    }
    return exchanges
  }
}

/// Asks a backend, and keeps what was said.
private struct ExchangeRecording {
  private struct Named {
    let rpc: String
    let name: String
    let interaction: Cassette.Interaction
  }

  private let world: World
  private let transport: any HTTPTransport
  private let recorder: Recorder
  private let clock: FixedClock
  private let named = Locked<[Named]>([])
  private let requestCount = Locked(0)

  init(_ world: World, now: Int64) {
    self.world = world
    clock = FixedClock(unixTime: Double(now))
    recorder = Recorder(clock: clock)
    transport = recorder.recording(MockTransport(MockBackend(dataSet: .world(world)) { now }))
  }

  func run(isReadOnly: Bool) async {
    var options = ContractCheck.Options()
    options.isReadOnly = isReadOnly
    options.requestsPerSecond = nil
    options.maximumRequests = 100_000
    options.isForFixtures = true
    options.user = world.userID(at: 0)
    let check = ContractCheck(
      transport: transport, target: "fixtures", tokens: nil, options: options, clock: clock, makeID: makeID,
      baseURL: { _ in FixtureExchange.baseURL })
    _ = await check.run { keep($0) }
  }

  /// Of the form of a UUID, counted.
  private func makeID() -> String {
    let number = requestCount.withLock { count in
      count += 1
      return count
    }
    return "00000000-0000-4000-8000-\(100_000_000_000 + number)"
  }

  private func keep(_ progress: ContractCheck.Progress) {
    guard let interaction = recorder.cassette.interactions.last else { return }
    named.withLock {
      $0.append(Named(rpc: progress.rpc, name: progress.request, interaction: interaction))
    }
  }

  /// What was said, by RPC. What was asked and answered in the same way before is left out.
  var exchanges: [FixtureExchange] {
    let groups = Dictionary(grouping: named.withLock { $0 }, by: \.rpc)
    return RPCRegistry.nova.rpcs.flatMap { rpc in
      var names = NumberedNames()
      var seen: Set<FixtureExchange> = []
      return (groups[rpc.id] ?? []).compactMap { named -> FixtureExchange? in
        guard let exchange = FixtureExchange(named.interaction, rpc: rpc.id, name: ""),
          seen.insert(exchange).inserted
        else { return nil }
        return FixtureExchange(
          rpc: rpc.id, name: names.next(named.name), request: exchange.request, response: exchange.response)
      }
    }
  }
}

extension FixtureExchange {
  /// Nil for what had no response.
  fileprivate init?(_ interaction: Cassette.Interaction, rpc: String, name: String) {
    guard case .response(var response) = interaction.outcome else { return nil }
    var headers = interaction.request.headers
    for name in Self.leftOut {
      headers[name] = nil
      response.headers[name] = nil
    }
    self.init(
      rpc: rpc, name: name,
      request: HTTPRequest(
        method: interaction.request.method, url: interaction.request.url, headers: headers,
        body: interaction.request.body),
      response: response)
  }
}

/// A clock that stands still: no wait takes any time.
private struct FixedClock: CallClock {
  let unixTime: Double
  let now = ContinuousClock.now
  let minimumResolution = Duration.nanoseconds(1)

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) throws { try Task.checkCancellation() }
}
