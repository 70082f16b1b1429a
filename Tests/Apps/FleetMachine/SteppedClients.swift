import NovaCore
import NovaPostgreSQL
import NovaRedis

struct SteppedTransport: HTTPTransport {
  let transport: CurlTransport
  let gate: StepGate

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await gate.step { try await transport.send(request) }
  }
}

struct SteppedRedis: RedisClient, RedisSubscriber {
  let pool: RedisPool
  let gate: StepGate

  func send(_ command: [RedisArgument]) async throws -> RedisReply {
    try await gate.step { try await pool.send(command) }
  }

  func messages(on channel: String) -> AsyncThrowingStream<[UInt8], any Error> { pool.messages(on: channel) }
}

struct SteppedPostgreSQL: PostgreSQLClient {
  let pool: PostgreSQLPool
  let gate: StepGate

  func query(_ sql: String, _ parameters: [PostgreSQLValue]) async throws -> PostgreSQLRows {
    try await gate.step { try await pool.query(sql, parameters) }
  }

  func transaction<R: Sendable>(_ body: @Sendable (any PostgreSQLClient) async throws -> R) async throws -> R {
    try await pool.transaction(body)
  }

  func notifications(on channel: String) -> AsyncThrowingStream<String, any Error> { pool.notifications(on: channel) }
}
