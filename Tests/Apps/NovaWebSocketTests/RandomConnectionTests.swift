import NovaCore
import NovaEvents
import NovaTestSupport
import NovaTesting
import NovaWebSocket
import Testing

/// Several subscriptions of one client, while connections and histories are lost at random.
@Suite(.hangLimit) struct RandomConnectionTests {
  private static let topics = ["post:1", "post:2", "post:3"]
  private static let subscriptions: [[EventTopic]] = [["post:1"], ["post:1", "post:2"], ["post:2", "post:3"]]

  /// The type of the events after which reading stops.
  private static let last = "post.deleted"

  @Test(arguments: EventProtocol.allCases, 0..<40)
  func eachEventIsDeliveredOnceOrReplacedByAResync(_ kind: EventProtocol, _ seed: UInt64) async throws {
    let gateway = FaultyGateway()
    try await withTransport(to: gateway.script) { transport, server in
      let client = try APIClient.test(
        transport, baseURL: server.url(""), token: nil, clock: BriefWaitClock(ManualClock()), random: { 0 })
      let events = EventService(client: client)
      if kind == .webSocket { events.useWebSocket(limits: quiet) }
      var random = SeededGenerator(seed: seed)
      gateway.plan((0..<12).map { _ in plan(seed, &random) })
      let subscriptions = Self.subscriptions.map { events.subscribe(topics: $0) }
      for subscription in subscriptions { try await subscription.begin() }
      let finished = Seen<Int>()
      let readings = subscriptions.enumerated().map { number, subscription in
        Task {
          defer { finished.add(number) }
          return try await Self.read(subscription)
        }
      }
      let epochs = try await act(on: gateway, hasEpochs: seed % 2 == 1, &random)
      // Emits the last events repeatedly, because a reset may skip some of them.
      try await waitUntil {
        for topic in Self.topics { gateway.emit(topic, type: Self.last) }
        return finished.all.count == readings.count
      }
      for (topics, reading) in zip(Self.subscriptions, readings) {
        let all = gateway.ids(of: topics.map(\.rawValue))
        try expectOrder(
          of: try await reading.value, in: all, epochs: epochs, "seed \(seed), \(topics.map(\.rawValue))")
      }
      await events.disconnect()
    }
  }

  /// A random plan. Repeated events and new epochs are not combined, because events that a reset skipped could be
  /// repeated.
  private func plan(_ seed: UInt64, _ random: inout SeededGenerator) -> FaultyGateway.Plan {
    .init(
      limit: Int.random(in: 0..<3000, using: &random), failure: Bool.random(using: &random) ? .lost : .reset,
      chunkSize: [nil, 1, 7][Int.random(in: 0..<3, using: &random)],
      repeats: seed % 2 == 0 && Bool.random(using: &random))
  }

  /// - Returns: the number of new epochs.
  private func act(
    on gateway: FaultyGateway, hasEpochs: Bool, _ random: inout SeededGenerator
  ) async throws -> Int {
    var epochs = 0
    for _ in 0..<80 {
      switch Int.random(in: 0..<100, using: &random) {
      case ..<75: gateway.emit(Self.topics[Int.random(in: 0..<3, using: &random)])
      case ..<83: gateway.endLines(onPurpose: Bool.random(using: &random))
      case ..<86 where hasEpochs:
        epochs += 1
        gateway.beginEpoch()
        gateway.endLines(onPurpose: Bool.random(using: &random))
      default: try await Task.sleep(for: .milliseconds(1))
      }
    }
    return epochs
  }

  private static func read(_ subscription: EventSubscription) async throws -> [String] {
    var taken: [String] = []
    for try await update in subscription {
      switch update {
      case .event(let event): taken.append(event.id)
      case .resync: taken.append("resync")
      }
      if case .event(let event) = update, event.type == last { break }
    }
    return taken
  }

  /// Checks that each taken event directly follows the last one in `all`, unless a resync precedes it.
  private func expectOrder(of taken: [String], in all: [String], epochs: Int, _ comment: String) throws {
    var (next, isResync) = (0, false)
    for id in taken {
      if id == "resync" {
        isResync = true
        continue
      }
      let place = try #require(all.firstIndex(of: id), "\(comment): \(id) is no event of these topics")
      #expect(isResync ? place >= next : place == next, "\(comment): \(id) in \(taken) of \(all)")
      (next, isResync) = (place + 1, false)
    }
    #expect(taken.count { $0 == "resync" } <= epochs, "\(comment): \(taken)")
  }
}
