import NovaCore
import NovaEvents
import NovaSupport
import NovaTesting
import Testing

/// Seeded histories of several users on one client: no user gets another user's private events, no request carries
/// another user's token, and all open subscriptions get their events.
@Suite struct CallerHistoryTests {
  @Test(arguments: 0..<20)
  func `Whatever happens, each user gets their own events and nothing else`(seed: Int) async throws {
    let history = try CallerHistory(seed: UInt64(seed))
    await history.run(steps: 50)
    #expect(await history.delivers(), "seed \(seed): \(history.log)")
    #expect(history.strangersEvents == [], "seed \(seed): \(history.log)")
    #expect(history.strangersRequests == [], "seed \(seed): \(history.log)")
  }
}

/// A subscription of one user, and the events it has received.
private final class Followed: Sendable {
  let user: String
  let events: EventService
  let subscription: EventSubscription
  private let received = Locked<[Event]>([])
  private let reading = Locked<Task<Void, Never>?>(nil)
  private let ended = Locked(false)

  init(user: String, events: EventService, topics: [EventTopic], after position: String? = nil) {
    (self.user, self.events) = (user, events)
    subscription = events.subscribe(topics: topics, after: position)
  }

  var taken: [Event] { received.withLock { $0 } }
  var hasEnded: Bool { ended.withLock { $0 } }

  func read() {
    let task = Task { [subscription, received, ended] in
      do {
        for try await update in subscription {
          if case .event(let event) = update { received.withLock { $0.append(event) } }
        }
      } catch {}
      ended.withLock { $0 = true }
    }
    reading.withLock { $0 = task }
  }
}

/// A random history, determined by a seed.
private final class CallerHistory {
  private static let users = ["ada", "bob", "cyn"]

  private let gateway = EventGateway()
  private let live: Live
  /// The client's own session. Its users replace each other.
  private let session: FakeSession
  private let sessions: [String: FakeSession]
  private var generator: SeededGenerator
  private var tokenNumbers: [String: Int] = [:]
  private var followed: [Followed] = []
  private(set) var log: [String] = []

  init(seed: UInt64) throws {
    generator = SeededGenerator(seed: seed)
    session = FakeSession(gateway, user: "ada")
    sessions = Dictionary(uniqueKeysWithValues: Self.users.map { [gateway] in ($0, FakeSession(gateway, user: $0)) })
    live = Live(gateway, tokens: session)
  }

  func run(steps: Int) async {
    for _ in 0..<steps {
      await step()
      for _ in 0..<Int.random(in: 0...20, using: &generator) { await Task.yield() }
    }
  }

  private func step() async {
    let user = Self.users.randomElement(using: &generator) ?? ""
    switch Int.random(in: 0..<16, using: &generator) {
    case 0...3: await subscribe(user)
    case 4: cancel()
    case 5: await changeTopics()
    case 6:
      log.append("\(user) signs in")
      session.signIn(user)
    case 7:
      log.append("sign-out")
      await session.signOut()
    case 8:
      log.append("\(user) renews")
      sessions[user]?.renew()
      session.renew()
    case 9:
      log.append("\(user)'s token is revoked")
      let token = "\(user)-fixed-\(tokenNumbers[user] ?? 0)"
      gateway.state.withLock { $0.users[token] = nil }
      tokenNumbers[user, default: 0] += 1
    case 10, 11:
      log.append("streams end")
      gateway.endStreams()
      live.clock.advance(by: .seconds(31))
    case 12:
      log.append("silence")
      live.clock.advance(by: .seconds(21))
    default: emit(user)
    }
  }

  private func emit(_ user: String) {
    gateway.emit("me:\(user)", type: "bookmark.created") { ($0.actorId, $0.subjectId, $0.text) = (user, user, user) }
    gateway.emit("post:\(Int.random(in: 0..<3, using: &generator))") { $0.text = "public" }
  }

  /// A service of the user, with the token passed in one of five ways. All of them get the same events.
  private func service(_ user: String) -> (user: String, EventService)? {
    let text = "\(user)-fixed-\(tokenNumbers[user] ?? 0)"
    let way = Int.random(in: 0..<5, using: &generator)
    if way == 0 { return session.user.map { ($0, live.events) } }
    if way < 4 { gateway.state.withLock { $0.users[text] = user } }
    return (
      user,
      live.events.with { [sessions] options in
        switch way {
        case 1: options.token = try? AccessToken(text)
        case 2: options.token = try? AccessToken(text, user: user)
        case 3: options.headers["Authorization"] = "Bearer \(text)"
        default: options.tokens = sessions[user]
        }
      }
    )
  }

  /// Random topics. `user:<user>` marks requests as the user's.
  private func topics(of user: String) -> [EventTopic] {
    [.me, .user(user)] + (0..<3).filter { _ in Bool.random(using: &generator) }.map { .post("\($0)") }
  }

  private func subscribe(_ user: String) async {
    guard let (user, service) = service(user) else { return }
    let next = Followed(user: user, events: service, topics: topics(of: user))
    log.append("\(user) subscribes to \(next.subscription.topics)")
    await begin(next)
  }

  private func begin(_ next: Followed) async {
    // Fails only if the session ends at this moment.
    try? await next.subscription.begin()
    next.read()
    followed.append(next)
  }

  private func cancel() {
    guard let one = followed.randomElement(using: &generator) else { return }
    log.append("\(one.user) cancels")
    one.subscription.cancel()
  }

  /// Replaces a subscription by one to other topics, unless another user is now signed in to the client's session.
  private func changeTopics() async {
    guard let one = followed.randomElement(using: &generator), !one.hasEnded,
      !isClients(one) || session.user == one.user
    else { return }
    log.append("\(one.user) changes topics")
    let next = Followed(
      user: one.user, events: one.events, topics: topics(of: one.user), after: one.subscription.position)
    await begin(next)
    one.subscription.cancel()
  }

  private func isClients(_ one: Followed) -> Bool {
    let options = one.events.options
    return options.token == nil && options.tokens == nil && options.headers["Authorization"] == nil
  }

  // MARK: Checks

  /// Whether all open subscriptions get the next event.
  func delivers() async -> Bool {
    let clock = live.clock
    for one in followed {
      let id = gateway.emit("me:\(one.user)", type: "bookmark.created") {
        ($0.actorId, $0.subjectId, $0.text) = (one.user, one.user, one.user)
      }
      let isDelivered = await eventually {
        clock.advance(by: .seconds(5))
        return one.hasEnded || one.taken.contains { $0.id == id }
      }
      if !isDelivered {
        log.append("\(one.user) lacks \(id)")
        return false
      }
    }
    return true
  }

  var strangersEvents: [String] {
    followed.flatMap { one in
      one.taken.filter { $0.text != "public" && $0.text != one.user }.map { "\(one.user) got \($0.text ?? "")" }
    }
  }

  var strangersRequests: [String] {
    gateway.calls.compactMap { call in
      guard let owner = call.topics.first(where: { $0.hasPrefix("user:") })?.dropFirst(5) else { return nil }
      let isOwn = call.token?.hasPrefix("\(owner)-") == true
      return isOwn ? nil : "\(owner)'s request with \(call.token ?? "no token")"
    }
  }
}
