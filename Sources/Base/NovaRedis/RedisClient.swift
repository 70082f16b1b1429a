/// Sends commands to Redis or Valkey. ``RedisPool`` is one; to use another client, write an adapter with this method.
///
/// ```swift
/// struct MyRedis: RedisClient {
///   let connection: SomeConnection
///   func send(_ command: [RedisArgument]) async throws -> RedisReply { … }
/// }
/// ```
public protocol RedisClient: Sendable {
  /// Sends a command and waits for its reply.
  ///
  /// Commands that block the connection (`BLPOP`, `WAIT`), change its state (`SELECT`, `MULTI`, `SUBSCRIBE`), or get no
  /// reply (`CLIENT REPLY OFF`) are not supported, because callers share connections. Use a script for transactions.
  ///
  /// - Parameter command: the name of the command and its arguments.
  /// - Throws: ``RedisError``, also if the reply is an error; `CancellationError` if the task is cancelled, and the
  ///   server may then have run the command.
  func send(_ command: [RedisArgument]) async throws -> RedisReply
}

/// Receives messages that are published with `PUBLISH`. ``RedisPool`` is one.
public protocol RedisSubscriber: Sendable {
  /// The messages of a channel, from the time when the subscription is active.
  ///
  /// The stream begins with an empty message when the server has confirmed the subscription: read then what you may
  /// have missed. It ends with a ``RedisError`` when the connection is lost, or when 1,024 messages have not been read;
  /// call this method again to continue.
  func messages(on channel: String) -> AsyncThrowingStream<[UInt8], any Error>
}
