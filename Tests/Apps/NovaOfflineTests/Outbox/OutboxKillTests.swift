import NovaCore
import NovaLibc
import NovaMock
import NovaOffline
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

#if os(Linux)
  /// Processes that are killed at every step: real processes, a real file, and a real server that counts.
  @Suite(.serialized, .hangLimit) struct OutboxKillTests {
    /// The steps of queueing four writes and of sending them; the walk continues until a process survives.
    private static let stepCount = 4 * 3 + 4 * 6

    @Test(arguments: TestDepth.cases(1...stepCount + 1, sample: 10) { $0 > stepCount })
    func aProcessIsKilledAtAnyStep(_ step: Int) async throws {
      let folder = try TemporaryFolder()
      let server = try OutboxServer()
      defer { server.stop() }
      let (directory, url) = (folder.path, server.url)
      // The process survives its last step: the walk is complete.
      let end: ExitTest.Condition = step > Self.stepCount ? .success : .signal(SIGKILL)
      await #expect(processExitsWith: end) {
        [directory = directory as String, url = url as String, step = step as Int] in
        try await OutboxProcess(directory: directory, url: url, name: "a", killAt: step).run()
      }
      try await Self.finish(directory, url)
      try server.check(acknowledged: OutboxProcess.acknowledged(in: directory), processes: ["a"])
    }

    /// The server has carried the write out, and the process ends before the answer.
    @Test(arguments: ["a1-comment", "a2-update", "a3-comment", "a4-like"])
    func aProcessIsKilledBeforeTheAnswer(_ key: String) async throws {
      let folder = try TemporaryFolder()
      let server = try OutboxServer(killingAt: key)
      defer { server.stop() }
      let (directory, url) = (folder.path, server.url)
      await #expect(processExitsWith: .signal(SIGKILL)) { [directory = directory as String, url = url as String] in
        try await OutboxProcess(directory: directory, url: url, name: "a", killAt: 0).run()
      }
      try await Self.finish(directory, url)
      let acknowledged = OutboxProcess.acknowledged(in: directory)
      #expect(acknowledged.count == 4)
      try server.check(acknowledged: acknowledged, processes: ["a"])
      #expect(server.replays == 1)
    }

    /// Two processes queue and send at the same time; both are killed, again and again.
    @Test(arguments: TestDepth.cases([1, 2, 3], sample: 1)) func twoProcessesCompete(seed: UInt64) async throws {
      let folder = try TemporaryFolder()
      let server = try OutboxServer()
      defer { server.stop() }
      let (directory, url) = (folder.path, server.url)
      var random = SeededGenerator(seed: seed)
      for round in 0..<4 {
        let (first, second) = (1 + random.next(below: 30), 1 + random.next(below: 30))
        async let one: Void = Self.runUntilKilled(in: directory, url: url, name: "a\(round)-", step: first)
        async let two: Void = Self.runUntilKilled(in: directory, url: url, name: "b\(round)-", step: second)
        _ = await (one, two)
      }
      try await Self.finish(directory, url)
      try server.check(
        acknowledged: OutboxProcess.acknowledged(in: directory),
        processes: (0..<4).flatMap { ["a\($0)-", "b\($0)-"] })
    }

    /// The other process may send what this one has queued, so that it need not get to its step.
    private static func runUntilKilled(in directory: String, url: String, name: String, step: Int) async {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [directory = directory as String, url = url as String, name = name as String, step = step as Int] in
        try await OutboxProcess(directory: directory, url: url, name: name, killAt: step).run()
        kill(getpid(), SIGKILL)
      }
    }

    /// What the next process does.
    private static func finish(_ directory: String, _ url: String) async throws {
      let process = OutboxProcess(directory: directory, url: url, name: "z", killAt: 0)
      try await process.flush()
    }
  }

  /// A process with an outbox.
  final class OutboxProcess {
    static let post = "post-1"
    private let directory: String
    private let name: String
    private let outbox: Outbox

    /// - Parameter killAt: the step at which it is killed, counted from 1; 0 for none.
    init(directory: String, url: String, name: String, killAt: Int) {
      (self.directory, self.name) = (directory, name)
      let count = Locked(0)
      let overrides = ConfigurationOverrides(baseURL: url)
      guard let configuration = try? APIConfiguration(overrides) else { preconditionFailure("no configuration") }
      let sender = OutboxSender(
        client: APIClient(configuration: configuration, transport: CurlTransport()) { $0.resilience = .none })
      outbox = Outbox(
        directory: directory, caller: sender, host: sender,
        step: { _ in
          let number = count.withLock { count in
            count += 1
            return count
          }
          if number == killAt { kill(getpid(), SIGKILL) }
        })
    }

    /// Queues four writes, and sends everything that waits.
    func run() async throws {
      let user = "mock-user-id"
      let comment = { CreateCommentRequest(postId: Self.post, userId: user, content: $0) }
      try await enqueue(comment("\(name)1"), "1-comment", newID: "local-\(name)")
      try await enqueue(
        UpdateCommentRequest(commentId: "local-\(name)", userId: user, content: "\(name)2"), "2-update")
      try await enqueue(comment("\(name)3"), "3-comment")
      // Each process likes another post: equal likes would join.
      let number = name.utf8.reduce(0) { ($0 * 31 + Int($1)) % 97 }
      try await enqueue(CreateLikeRequest(userId: user, postId: "post-\(number + 2)"), "4-like")
      try await flush()
    }

    private func enqueue(_ request: any ProtoMessage, _ key: String, newID: String? = nil) async throws {
      let rule = try #require(OfflineRules.writes.first { $0.rpc.requestType == type(of: request) })
      _ = try await outbox.enqueue(
        identity: .me, rule: rule, request: request, key: "\(name)\(key)", newID: newID)
      // In one call, so that two processes do not mix their lines.
      let descriptor = open("\(directory)/acknowledged", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
      try SystemIO.write(Array("\(name)\(key)\n".utf8), to: descriptor)
      close(descriptor)
    }

    func flush() async throws {
      for _ in 0..<50 {
        let summary = await outbox.flush()
        if summary.waiting == 0 {
          try #require(summary.dead == 0)
          return await outbox.stop()
        }
      }
      throw APIError(.timeout, "the outbox does not become empty: \(outbox.state)")
    }

    /// The keys of the writes whose calls returned.
    static func acknowledged(in directory: String) -> [String] {
      let bytes = (try? SystemIO.readFile("\(directory)/acknowledged")) ?? []
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  /// Sends what is in the outbox of a process.
  private final class OutboxSender: OutboxHost, OutboxCaller {
    let client: APIClient
    let connectivity = Connectivity()
    let isOwn = true
    let hasLoop = true
    let knownIdentity: Identity? = .me

    init(client: APIClient) { self.client = client }

    func identity() async throws -> Identity { .me }

    func send(_ entry: OutboxEntry) async throws -> SentWrite {
      let options = CallOptions(idempotencyKey: entry.key, headers: ["X-Process": "\(getpid())"])
      return SentWrite(try await client.send(entry.rpc, entry.request, options: options))
    }

    func read(_ check: WriteCheck, as identity: Identity) async throws -> any ProtoMessage {
      try await client.send(check.rpc, check.request, options: CallOptions()).value
    }

    func confirmed(_ entry: OutboxEntry, by sent: SentWrite?, isRepeated: Bool) async throws {}
    func changed(_ identity: Identity?) {}
  }

  /// The mock backend on a socket, which counts what it carries out.
  private final class OutboxServer: Sendable {
    private let server: FaultServer
    private let answers = Locked<[(key: String, isReplay: Bool)]>([])

    /// - Parameter key: the write after which the process that sent it is killed, before the answer.
    init(killingAt key: String? = nil) throws {
      let backend = MockBackend()
      let (answers, isDone) = (answers, Locked(false))
      server = try FaultServer { request in
        let response = backend.respond(to: request)
        let name = request.headers["Idempotency-Key"] ?? ""
        answers.withLock { $0.append((name, response.headers["Idempotency-Replayed"] == "true")) }
        let isFirst = isDone.withLock { isDone in
          defer { if name == key { isDone = true } }
          return !isDone
        }
        if name == key, isFirst, let process = request.headers["X-Process"].flatMap({ Int32($0) }) {
          kill(process, SIGKILL)
        }
        return response
      }
    }

    var url: String { server.url }
    func stop() { server.stop() }

    /// How many writes were recognized as repetitions.
    var replays: Int { answers.withLock { $0.count { $0.isReplay } } }

    /// Each write took effect once, in the order of its process; none that was acknowledged is missing.
    func check(acknowledged: [String], processes: [String]) throws {
      let executions = server.executions
      #expect(executions.allSatisfy { $0.count == 1 }, "\(executions)")
      let keys = executions.compactMap(\.idempotencyKey)
      #expect(Set(acknowledged).subtracting(keys).isEmpty, "lost: \(Set(acknowledged).subtracting(keys))")
      for process in processes {
        let mine = keys.filter { $0.hasPrefix(process) && !$0.hasSuffix("like") }
        #expect(mine == mine.sorted(), "\(mine)")
        // Only the last write may be there without an acknowledgement.
        let known = acknowledged.count { $0.hasPrefix(process) }
        #expect((known...known + 1).contains(keys.count { $0.hasPrefix(process) }))
      }
    }
  }
#endif
