import NovaAnalytics
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaTracking

/// Random histories of several callers: no event is sent with another caller's token, joined with another caller's
/// events, lost, or counted twice.
@Suite(.hangLimit) struct CallerHistoryTests {
  @Test(arguments: 0..<40) func eventsStayTheirCallers(_ seed: UInt64) async throws {
    try await CallerHistory(seed).run(steps: 60)
  }
}

private final class CallerHistory {
  private static let users = ["ada", "bob", "cleo", "dora"], holders = ["h0", "h1", "h2"]

  private let scene: TrackerScene
  private let own: Sessions
  private var provider = Sessions(nil, isSlow: true)
  private var tracker: EventTracker
  private var client: APIClient
  private var generator: SeededGenerator
  private let seed: UInt64
  /// The caller that each event must be sent as; nil while that is open, or if no caller can send the event any more.
  private var owners: [String: String] = [:]
  /// The users that the events name.
  private var names: [String: String] = [:]
  /// The events that wait for a sign-in at the client, and those that wait for one at the provider.
  private var open: [String] = [], atProvider: Set<String> = []
  private var ownUser: String?
  private var number = 0
  private var tokenNumbers: [String: Int] = [:]

  init(_ seed: UInt64) throws {
    self.seed = seed
    generator = SeededGenerator(seed: seed)
    scene = try TrackerScene()
    own = Sessions(nil)
    (tracker, client) = try Self.begin(scene, own)
  }

  private static func begin(_ scene: TrackerScene, _ own: Sessions) throws -> (EventTracker, APIClient) {
    let tracker = scene.tracker {
      $0.batchCount = 3; $0.flushInterval = .seconds(600)
    }
    return (tracker, try APIClient.test(scene.gateway, tokens: own, tracker: tracker, clock: scene.clock))
  }

  func run(steps: Int) async throws {
    for _ in 0..<steps { try await step() }
    try await end()
    await check()
  }

  private func step() async throws {
    switch Int.random(in: 0..<20, using: &generator) {
    case 0..<4: trackOwn()
    case 4..<8: try trackUser(Self.users.randomElement(using: &generator) ?? "")
    case 8..<10: try trackHolder(Self.holders.randomElement(using: &generator) ?? "")
    case 10..<12: await trackAtProvider()
    case 12: signIn(Self.users.randomElement(using: &generator) ?? "")
    case 13:
      await own.signOut()
      ownUser = nil
    case 14: provider.signIn(Self.users.randomElement(using: &generator) ?? "")
    case 15: await provider.signOut()
    case 16:
      let (refused, status) = (Self.users.randomElement(using: &generator), Bool.random(using: &generator) ? 401 : 403)
      scene.gateway.refusal.withLock { $0 = { AnalyticsGateway.holder(of: $0) == refused ? status : nil } }
    case 17:
      let isOffline = Bool.random(using: &generator)
      scene.gateway.refusal.withLock { $0 = { _ in isOffline ? 503 : nil } }
    case 18: await tracker.flush()
    default: try await restart()
    }
  }

  private func nextName() -> String {
    number += 1
    return "e\(number)"
  }

  private func trackOwn() {
    let name = nextName()
    AnalyticsService(client: client).track(name)
    guard let ownUser else { return open.append(name) }
    (owners[name], names[name]) = (ownUser, ownUser)
  }

  private func signIn(_ user: String) {
    own.signIn(user)
    ownUser = user
    trackOwn()
    for name in open { owners[name] = user }
    open = []
  }

  private func trackUser(_ user: String) throws {
    let name = nextName()
    tokenNumbers[user, default: 0] += Int.random(in: 0...1, using: &generator)
    let token = try AccessToken.of(user, tokenNumbers[user] ?? 0)
    AnalyticsService(client: client, options: CallOptions(token: token)).track(name)
    (owners[name], names[name]) = (user, user)
  }

  private func trackHolder(_ holder: String) throws {
    let name = nextName()
    AnalyticsService(client: client, options: CallOptions(token: try .opaque(holder))).track(name)
    owners[name] = holder
  }

  /// The provider must be asked, so the event belongs to its current user only if the user does not change before the
  /// provider responds.
  private func trackAtProvider() async {
    let name = nextName()
    AnalyticsService(client: client, options: CallOptions(tokens: provider)).track(name)
    if let user = provider.user { (owners[name], names[name]) = (user, user) } else { atProvider.insert(name) }
    await tracker.waitUntilWritten()
  }

  private func restart() async throws {
    await tracker.waitUntilWritten()
    provider = Sessions(nil, isSlow: true)
    (tracker, client) = try Self.begin(scene, own)
  }

  /// All users sign in again.
  private func end() async throws {
    scene.gateway.refusal.withLock { $0 = { _ in nil } }
    for user in Self.users { try trackUser(user) }
    for holder in Self.holders { try trackHolder(holder) }
    signIn("ada")
    await tracker.waitUntilWritten()
    // An earlier tracker with the same directory may still be sending.
    try await scene.wait("seed \(seed): a round of its own") { await tracker.sendAll()?.isBusy == false }
  }

  private func check() async {
    var (seen, sessions, anonymous): (Set<String>, [String: Set<String>], [String: Set<String>]) = ([], [:], [:])
    for delivery in scene.gateway.deliveries {
      let bringer = AnalyticsGateway.holder(of: delivery.token)
      for event in delivery.events {
        #expect(seen.insert(event.name).inserted, "\(seed): \(event.name) twice")
        let isOwners = owners[event.name] == bringer || atProvider.contains(event.name) && Self.users.contains(bringer)
        #expect(isOwners, "\(seed): \(event.name) of \(owners[event.name] ?? "nobody") with \(bringer)'s token")
        // If a session is being restored, events tracked before the first lookup get its user.
        let name = event.userId == nil ? names[event.name] : names[event.name] ?? owners[event.name] ?? bringer
        #expect(event.userId == name, "\(seed): \(event.name)")
        guard !atProvider.contains(event.name) else { continue }
        sessions[event.sessionId, default: []].insert(bringer)
        anonymous[event.anonymousId, default: []].insert(bringer)
      }
    }
    #expect(sessions.values.allSatisfy { $0.count == 1 }, "\(seed): sessions are joined")
    #expect(anonymous.values.allSatisfy { $0.count == 1 }, "\(seed): anonymous IDs are joined")
    let lost = Set(owners.keys).subtracting(seen)
    let status = await tracker.status
    #expect(lost.isEmpty, "\(seed): lost \(lost); the tracker: \(status)")
  }
}
