import NovaPostgreSQL
import NovaRedis
import Synchronization

/// Counts what is sent to the store.
final class StoreCount: Sendable {
  private let number = Atomic(0)

  var value: Int { number.load(ordering: .relaxed) }
  func add() { number.add(1, ordering: .relaxed) }
}

/// A client of Redis whose commands are counted.
struct CountingRedis: RedisClient, RedisSubscriber {
  let pool: RedisPool
  let count: StoreCount

  func send(_ command: [RedisArgument]) async throws -> RedisReply {
    count.add()
    return try await pool.send(command)
  }

  func messages(on channel: String) -> AsyncThrowingStream<[UInt8], any Error> {
    count.add()
    return pool.messages(on: channel)
  }
}

/// A client of PostgreSQL whose statements are counted.
struct CountingPostgreSQL: PostgreSQLClient {
  let pool: PostgreSQLPool
  let count: StoreCount

  func query(_ sql: String, _ parameters: [PostgreSQLValue]) async throws -> PostgreSQLRows {
    count.add()
    return try await pool.query(sql, parameters)
  }

  func transaction<R: Sendable>(_ body: @Sendable (any PostgreSQLClient) async throws -> R) async throws -> R {
    count.add()
    return try await pool.transaction(body)
  }

  func notifications(on channel: String) -> AsyncThrowingStream<String, any Error> {
    count.add()
    return pool.notifications(on: channel)
  }
}
