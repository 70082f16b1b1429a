import Foundation
import NovaAuth
import NovaContent
import NovaCore
import NovaEvents

/// Many users on one client, over sockets: `nova serve` is a process of its own, and this process has nothing but the client.
/// Each user has an account and a token, and some of them have a subscription to what happens to them.
struct SocketUsers {
  private struct User {
    let id: String
    let options: CallOptions
    let events: EventService
  }

  /// How many events each subscriber causes, which nobody else may get.
  private static let eventsEach = 10
  /// How many calls are under way at once while users make them.
  private static let callers = 32

  private let server: Server
  private let client: APIClient
  private let users: [User]
  private let subscribers: Int
  private let emptyFiles: Int
  private var figures: [String: Double]

  /// Starts a server, and creates the users' accounts.
  init(_ program: String, users count: Int, subscribers: Int) async throws {
    allowManyFiles()
    server = try Server(program, ["--require-tokens"])
    client = APIClient(
      configuration: try APIConfiguration(
        ConfigurationOverrides(
          baseURL: "http://127.0.0.1:\(server.port)",
          connections: ConnectionLimits(maximumStreams: max(1000, subscribers)))))
    self.subscribers = subscribers
    let auth = AuthService(client: client)
    let start = monotonicTime()
    let tokens = try await Self.concurrently(0..<count) { number in
      let name = "user_\(number)"
      let answer = try await auth.register(email: "\(name)@nova.example", username: name, password: "correct horse")
      return try AccessToken(answer.token, user: answer.userId)
    }
    figures = ["users": Double(count), "register_s": Double(monotonicTime() - start) / 1e9]
    emptyFiles = try OwnProcess.openFiles
    let empty = OwnProcess.allocatedKilobytes
    let client = client
    users = tokens.map { token in
      let options = CallOptions(token: token)
      return User(id: token.user ?? "", options: options, events: EventService(client: client, options: options))
    }
    figures["idle_user_bytes"] = Double(OwnProcess.allocatedKilobytes - empty) * 1024 / Double(count)
  }

  /// Connects the subscribers, lets each of them cause events, and prints the figures as a line of JSON.
  mutating func measure() async throws {
    defer { server.stop() }
    let (idle, allocated) = (OwnProcess.residentKilobytes, OwnProcess.allocatedKilobytes)
    let receipts = Receipts()
    let readers = try await connect(receipts)
    figures["subscription_kb"] = Double(OwnProcess.residentKilobytes - idle) / Double(subscribers)
    figures["allocated_kb"] = Double(OwnProcess.allocatedKilobytes - allocated) / Double(subscribers)
    figures["threads"] = Double(OwnProcess.threads)
    figures["files"] = Double(try OwnProcess.openFiles - emptyFiles)
    figures["server_mb"] = Double(server.usage.residentMegabytes)
    let calm = processorTime()
    try await Task.sleep(for: .seconds(10))
    figures["calm_cpu_percent"] = Double(processorTime() - calm) / 1e5
    try await cause(Self.eventsEach, by: users.prefix(subscribers), receipts)
    figures["busy_subscription_kb"] = Double(OwnProcess.residentKilobytes - idle) / Double(subscribers)
    figures.merge(receipts.figures(expected: subscribers * Self.eventsEach)) { _, new in new }
    // Those who are left get their events as before, and those who are gone get none.
    readers.prefix(subscribers / 2).forEach { $0.cancel() }
    for reader in readers.prefix(subscribers / 2) { await reader.value }
    receipts.reset()
    try await cause(1, by: users.prefix(subscribers), receipts)
    figures["received_after_half_left"] = Double(receipts.received)
    readers.forEach { $0.cancel() }
    for reader in readers { await reader.value }
    try await Task.sleep(for: .seconds(1))
    figures["files_after"] = Double(try OwnProcess.openFiles - emptyFiles)
    await client.shutdown()
    printFigures("sockets", rate: subscribers, seconds: 10, figures)
  }

  private mutating func connect(_ receipts: Receipts) async throws -> [Task<Void, Never>] {
    let (start, cpu) = (monotonicTime(), processorTime())
    let readers = users.prefix(subscribers).map { user in
      let subscription = user.events.subscribe(topics: [.me])
      return Task { await receipts.read(subscription, of: user.id) }
    }
    while !users.prefix(subscribers).allSatisfy({ $0.events.state == .live }) {
      guard monotonicTime() - start < 120_000_000_000 else { throw Unusable(description: "not all have connected") }
      try await Task.sleep(for: .milliseconds(5))
    }
    figures["connect_s"] = Double(monotonicTime() - start) / 1e9
    figures["connect_us"] = Double(processorTime() - cpu) / Double(subscribers)
    return readers
  }

  /// Lets users save a post and remove it, of which only they themselves learn, and waits for the events.
  private func cause(_ count: Int, by users: ArraySlice<User>, _ receipts: Receipts) async throws {
    let client = client
    for number in 0..<count {
      _ = try await Self.concurrently(users) { user in
        let content = ContentService(client: client, options: user.options)
        receipts.began(by: user.id)
        try await number.isMultiple(of: 2)
          ? content.createBookmark(postId: "post-1", userId: user.id)
          : content.deleteBookmark(postId: "post-1", userId: user.id)
      }
      // Time for events that reach another user, too.
      try await Task.sleep(for: .milliseconds(500))
    }
  }

  private static func concurrently<Input: Sendable, Output: Sendable>(
    _ inputs: some RandomAccessCollection<Input>, _ body: @escaping @Sendable (Input) async throws -> Output
  ) async throws -> [Output] {
    try await withThrowingTaskGroup(of: (Int, Output).self) { group in
      var outputs: [(Int, Output)] = []
      for (number, input) in inputs.enumerated() {
        if number >= callers, let output = try await group.next() { outputs.append(output) }
        group.addTask { (number, try await body(input)) }
      }
      for try await output in group { outputs.append(output) }
      return outputs.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }
}

extension SocketUsers {
  /// What the subscribers have received, and whether it was theirs.
  private final class Receipts: @unchecked Sendable {
    private let lock = NSLock()
    private var latencies = Latencies()
    private var begins: [String: Int] = [:]
    private var (foreign, failures, resyncs) = (0, 0, 0)

    var received: Int { lock.withLock { latencies.count } }

    func reset() { lock.withLock { latencies = Latencies() } }

    /// A user makes the call that causes an event.
    func began(by user: String) { lock.withLock { begins[user] = monotonicTime() } }

    func read(_ subscription: EventSubscription, of user: String) async {
      do {
        for try await update in subscription { add(update, of: user) }
      } catch {
        lock.withLock { failures += 1 }
      }
    }

    private func add(_ update: EventUpdate, of user: String) {
      lock.withLock {
        guard case .event(let event) = update else {
          resyncs += 1
          return
        }
        guard event.actorId == user else {
          foreign += 1
          return
        }
        latencies.add(nanoseconds: monotonicTime() - (begins[user] ?? 0))
      }
    }

    func figures(expected: Int) -> [String: Double] {
      lock.withLock {
        var figures = Report(latencies.report).latencies(prefix: "")
        (figures["received"], figures["missing"]) = (Double(latencies.count), Double(expected - latencies.count))
        (figures["foreign"], figures["failures"]) = (Double(foreign), Double(failures))
        figures["resyncs"] = Double(resyncs)
        return figures
      }
    }
  }
}
