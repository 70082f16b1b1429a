import NovaCore
import NovaRedis
import NovaTestSupport
import Testing

/// A master with a replica, which takes over without the master's last writes.
final class RedisPair: Sendable {
  private let master: RedisServer
  private let replica: RedisServer

  init() async throws {
    (master, replica) = (try RedisServer(), try RedisServer())
    _ = try await send(["REPLICAOF", "127.0.0.1", RedisArgument(master.port)], to: replica)
    try await waitForLink(of: replica)
  }

  deinit {
    master.stop()
    replica.stop()
  }

  /// A pool that knows both.
  func pool() throws -> RedisPool {
    try RedisPool.patient("redis://localhost:\(master.port),localhost:\(replica.port)")
  }

  /// From now on, the replica gets no writes.
  func separate() async throws { _ = try await send(["REPLICAOF", "127.0.0.1", "1"], to: replica) }

  /// The master dies, and the replica is promoted.
  func failOver() async throws {
    master.stop()
    _ = try await send(["REPLICAOF", "NO", "ONE"], to: replica)
  }

  /// The old master returns as a replica, with what it had.
  func bringBack() async throws {
    try master.start(replicaOf: replica.port)
    try await waitForLink(of: master)
  }

  /// A replica has all that the other one has.
  private func waitForLink(of server: RedisServer) async throws {
    try await waitUntil {
      try await send(["INFO", "replication"], to: server).text?.contains("master_link_status:up") == true
    }
  }

  private func send(_ command: [RedisArgument], to server: RedisServer) async throws -> RedisReply {
    try await RedisPool.patient("redis+unix://\(server.socket)").send(command)
  }
}
