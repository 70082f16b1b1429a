public import NovaSupport

/// Connections to one Redis or Valkey server, or to the master among several, which callers share.
///
/// ```swift
/// let redis = try RedisPool(url: "rediss://app:secret@redis-1.internal,redis-2.internal:6380/0")
/// try await redis.send(["SET", "greeting", "hello"])
/// let greeting = try await redis.send(["GET", "greeting"]).text
/// await redis.shutdown()
/// ```
///
/// | URL | meaning |
/// |---|---|
/// | `redis://user:password@host:6379/0` | without TLS; `:password@` for the default user |
/// | `rediss://…` | over TLS, with the certificate and host name checked |
/// | `redis+unix:///path?db=1` | a Unix socket; `user:password@` before the path |
/// | `redis://a:6379,b:6380` | whichever of the hosts is the master, also after a failover |
///
/// The first command connects. If the connection is lost, the next command makes another one, and those that were sent
/// fail with `mayHaveRun`. While no server can be reached, commands fail at once, and connecting is tried again after
/// a random time that grows. A command that another server must run (`READONLY`, after a failover) is sent again to
/// the new master.
public final class RedisPool: RedisClient, RedisSubscriber {
  /// How to connect, and what to limit.
  public struct Options: Sendable, Equatable {
    /// The number of connections for commands, 1 to 64. Callers share each of them. Default 1.
    public var connections = 1
    /// How long a command may take, including the wait for a connection. Default 2 s.
    public var timeout = Duration.seconds(2)
    /// How long a connection may take, with the TLS handshake and authentication. Default 2 s.
    public var connectTimeout = Duration.seconds(2)
    /// The waits between attempts to connect. Default: up to 50 ms, growing to 2 s.
    public var backoff = Backoff(base: .milliseconds(50), factor: 2, maximum: .seconds(2))
    /// The maximum number of commands that wait for a reply or a connection. More fail with `overloaded`. Default
    /// 10,000.
    public var maximumWaiters = 10_000
    /// The maximum size of a command in bytes, and of all that are not written yet. Default 64 MiB.
    public var maximumCommandBytes = 64 << 20
    /// The maximum size of a reply in bytes. A larger one ends the connection. Default 64 MiB.
    public var maximumReplyBytes = 64 << 20
    /// A file of PEM certificates to trust instead of the system's. Default: the system's.
    public var caFile: String?
    /// A PEM file with the client's certificate. Default: none.
    public var clientCertificateFile: String?
    /// A PEM file with the key of that certificate. Default: the certificate's file.
    public var clientKeyFile: String?
    /// The name that `CLIENT LIST` shows. Default `nova`.
    public var clientName = "nova"

    /// Creates options with the defaults.
    public init() {}
  }

  private let core: RedisPoolCore

  /// Creates a pool. It connects when the first command is sent.
  ///
  /// - Parameters:
  ///   - url: which servers, as whom, and which database.
  ///   - options: how to connect, and what to limit.
  /// - Throws: ``RedisError`` of kind `configuration` if the URL or an option is invalid. It does not contain the URL.
  public convenience init(url: String, options: Options = Options()) throws {
    try self.init(url: url, options: options, clock: ContinuousClock())
  }

  /// Creates a pool with another clock, for tests.
  public init(url: String, options: Options = Options(), clock: any CallClock) throws {
    core = try RedisPoolCore(RedisServers(parsing: url), options, clock: clock)
  }

  deinit { core.close() }

  public func send(_ command: [RedisArgument]) async throws -> RedisReply {
    defer { withExtendedLifetime(self) {} }
    return try await core.send(command)
  }

  public func messages(on channel: String) -> AsyncThrowingStream<[UInt8], any Error> { core.messages(on: channel) }

  /// Closes all connections. Commands that wait fail with `closed`. Releasing the last reference does the same.
  public func shutdown() async { core.close() }
}
