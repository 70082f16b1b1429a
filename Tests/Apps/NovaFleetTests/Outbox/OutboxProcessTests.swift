import Foundation
import NovaCore
import NovaFleet
import NovaLibc
import NovaOffline
import NovaPostgreSQL
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

#if os(Linux)
  /// Replicas in processes of their own, which are killed and stopped, over a real server that counts.
  @Suite(.serialized, .hangLimit) struct OutboxProcessTests {
    /// One is killed and another one stopped past its lease, again and again, while writes are queued.
    @Test(.enabled(if: !ReplicaProcess.isOne)) func replicasAreKilledAndStopped() async throws {
      let stage = try await OutboxStage()
      let server = try FaultServer { [gateway = stage.gateway] in gateway.respond(to: $0) }
      defer { server.stop() }
      var replicas = try (0..<4).map { _ in try ReplicaProcess(database: stage.cluster.url, url: server.url) }
      defer { for replica in replicas { replica.signal(SIGKILL) } }
      for number in 0..<600 {
        let user = "user\(number % 12)"
        try await stage.outbox.enqueue(
          SocialRPC.createLike, CreateLikeRequest(userId: user, postId: "\(number)"), user: user, gateway: server.url,
          key: "k\(number)")
        let (killed, stopped) = (number / 100 % 4, (number / 100 + 1) % 4)
        if number % 100 == 50 {
          // The killed one and the stopped one hold leases.
          try await waitUntil {
            try await stage.outbox.statistics().leasedSubjects > 0 || stage.isDelivered(number + 1)
          }
          replicas[killed].signal(SIGKILL)
          replicas[stopped].signal(SIGSTOP)
          replicas[killed] = try ReplicaProcess(database: stage.cluster.url, url: server.url)
        }
        if number % 100 == 99 {
          // Longer than its lease. Then it continues with what it believes in.
          try await Task.sleep(for: .milliseconds(1500))
          replicas[stopped].signal(SIGCONT)
        }
      }
      try await waitUntil { try await stage.outbox.statistics().waiting == 0 }
      #expect(stage.gateway.effects.count == 600)
      for user in 0..<12 {
        #expect(
          stage.gateway.effects(of: "user\(user)").map(\.key)
            == (0..<600).filter { $0 % 12 == user }.map { "k\($0)" })
      }
      FleetOutcome.expect(.killedMachine, of: .outbox, on: .postgresql, [.otherReplicaContinues])
      FleetOutcome.expect(
        .stoppedMachine, of: .outbox, on: .postgresql, [.otherReplicaContinues, .lateReplicaChangesNothing])
    }

    /// Runs in the processes that the test above starts.
    @Test(.enabled(if: ReplicaProcess.isOne)) func aReplicaDeliversUntilItIsKilled() async throws {
      try await ReplicaProcess.run()
    }
  }

  extension OutboxStage {
    fileprivate func isDelivered(_ count: Int) -> Bool { gateway.effects.count >= count }
  }

  /// A process with a replica: this program again. Tests of exit statuses would not do, because each blocks one of the
  /// few threads that run tasks until its process ends.
  struct ReplicaProcess {
    private static let database = ProcessInfo.processInfo.environment["NOVA_TEST_REPLICA_DATABASE"]
    private static let url = ProcessInfo.processInfo.environment["NOVA_TEST_REPLICA_GATEWAY"]

    /// Whether this process is one.
    static var isOne: Bool { database != nil }

    private let process = Process()

    init(database: String, url: String) throws {
      process.executableURL = URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
      process.arguments = ["--testing-library", "swift-testing", "--filter", "aReplicaDeliversUntilItIsKilled"]
      process.environment = ProcessInfo.processInfo.environment.merging([
        "NOVA_TEST_REPLICA_DATABASE": database, "NOVA_TEST_REPLICA_GATEWAY": url,
      ]) { $1 }
      (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
      process.standardError = FileHandle.nullDevice
      try process.run()
    }

    func signal(_ number: Int32) { if process.isRunning { kill(process.processIdentifier, number) } }

    /// Delivers until it is killed, or its parent has ended.
    static func run() async throws {
      let client = APIClient(
        configuration: try APIConfiguration(ConfigurationOverrides(baseURL: url ?? "")), transport: CurlTransport()
      ) { $0.resilience = .none }
      var options = FleetOutboxOptions()
      (options.lease, options.pollInterval) = (.seconds(1), .milliseconds(50))
      let replica = FleetOutboxReplica(
        try FleetOutbox(try PostgreSQLPool(database ?? "")), client: client, options: options
      ) { try AccessToken("token-\($0.user ?? "")") }
      let parent = getppid()
      let delivery = Task { await replica.run() }
      while getppid() == parent { try await Task.sleep(for: .milliseconds(200)) }
      delivery.cancel()
    }
  }
#endif
