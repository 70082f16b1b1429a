internal import NovaHTTP
import NovaSupport

/// Connects to a server, authenticates, and finds the master among several.
struct RedisDial: Sendable {
  let servers: RedisServers
  let options: RedisPool.Options
  var isForMessages = false
  var onPush: @Sendable ([RedisReply]) -> Void = { _ in }

  /// Connects to the server, or to the first of several that reports to be the master. All are asked at once, because
  /// one that hangs must not delay the others.
  func run() async throws -> RedisConnection {
    if servers.servers.count == 1 { return try await connect(to: servers.servers[0], requiresMaster: false) }
    let first = FirstResult<RedisConnection>()
    let failures = Locked<[RedisError]>([])
    let attempts = servers.servers.map { server in
      Task {
        do {
          let connection = try await connect(to: server, requiresMaster: true)
          if !first.finish(.success(connection)) { connection.close(RedisConnection.lost(nil)) }
        } catch {
          let all = failures.withLock { failures in
            failures.append(error as? RedisError ?? RedisConnection.lost(nil))
            return failures
          }
          if all.count == servers.servers.count { first.finish(.failure(Self.noMaster(all))) }
        }
      }
    }
    defer { for attempt in attempts { attempt.cancel() } }
    return try await first.value()
  }

  private static func noMaster(_ failures: [RedisError]) -> RedisError {
    let reasons = failures.map { $0.text.withoutAdvice.sentence }
    return RedisError(
      .connection, "none of the Redis servers is a master that can be reached",
      reason: Set(reasons).sorted().joined(separator: ", "), advice: "check the hosts in the URL", mayHaveRun: false)
  }

  private func connect(to server: RedisServers.Server, requiresMaster: Bool) async throws -> RedisConnection {
    let deadline = ContinuousClock.now.advanced(by: options.connectTimeout)
    let channel: CurlChannel
    do {
      channel = try await CurlChannel.open(
        to: server.origin, options: curlOptions(server), timeout: options.connectTimeout, deadAfter: .seconds(20))
    } catch let error as TransportError {
      throw RedisError(
        .connection, "no connection to Redis", reason: error.message.printable(to: 300),
        advice: "check the server and its address", mayHaveRun: false)
    }
    let limits = RedisConnection.Limits(
      waiters: options.maximumWaiters, commandBytes: options.maximumCommandBytes,
      replyBytes: options.maximumReplyBytes, timeout: options.timeout)
    let connection = try RedisConnection(
      channel, limits: limits, isForMessages: isForMessages, onPush: onPush)
    try connection.start()
    do {
      try await RedisGreeting(servers, options, on: connection, until: deadline).run(
        requiresMaster: requiresMaster, place: server.place)
      return connection
    } catch {
      connection.close(RedisConnection.lost(nil))
      guard server.origin.isSecure, let lost = error as? RedisError, lost.kind == .connection else { throw error }
      throw Self.refused(lost)
    }
  }

  /// With TLS 1.3, a server refuses a client's certificate after the client's part of the handshake has ended.
  private static func refused(_ error: RedisError) -> RedisError {
    RedisError(
      .connection, error.text.subject, reason: error.text.reason,
      advice: "check whether the server requires a client certificate (clientCertificateFile)", mayHaveRun: false)
  }

  private func curlOptions(_ server: RedisServers.Server) -> CurlTransport.Options {
    CurlTransport.Options(
      proxy: .off, unixSocket: server.socket, caFile: options.caFile,
      clientCertificateFile: options.clientCertificateFile, clientKeyFile: options.clientKeyFile)
  }
}

/// What is sent first on a connection: the version of the protocol, user and password, and the database.
struct RedisGreeting {
  private let servers: RedisServers
  private let options: RedisPool.Options
  private let connection: RedisConnection
  private let deadline: ContinuousClock.Instant

  init(
    _ servers: RedisServers, _ options: RedisPool.Options, on connection: RedisConnection,
    until deadline: ContinuousClock.Instant
  ) {
    (self.servers, self.options, self.connection, self.deadline) = (servers, options, connection, deadline)
  }

  func run(requiresMaster: Bool, place: String) async throws {
    let role = try await greet()
    if servers.database != 0 { try await send(["SELECT", RedisArgument(servers.database)]) }
    guard requiresMaster else { return }
    let actual: String?
    if let role { actual = role } else { actual = try await send(["ROLE"]).array?.first?.text }
    guard actual == "master" else {
      throw RedisError(.connection, "\(place) is not a master", mayHaveRun: false)
    }
  }

  /// Authenticates, with RESP3 if the server supports it.
  ///
  /// - Returns: the server's role, if it reports it.
  private func greet() async throws -> String? {
    var hello: [RedisArgument] = ["HELLO", "3"]
    if let password = servers.password {
      hello += ["AUTH", RedisArgument(servers.user ?? "default"), RedisArgument(password)]
    }
    if !options.clientName.isEmpty { hello += ["SETNAME", RedisArgument(options.clientName)] }
    do {
      return try await send(hello)["role"]?.text
    } catch let error as RedisError where ["ERR", "NOPROTO", "NOPERM"].contains(error.code) {
      // A server before 6.0, or a user who may not use it.
      guard let password = servers.password else { return nil }
      let user = servers.user.map { [RedisArgument($0)] } ?? []
      try await send(["AUTH"] + user + [RedisArgument(password)])
      return nil
    }
  }

  @discardableResult private func send(_ command: [RedisArgument]) async throws -> RedisReply {
    try await connection.send(RESPCommand.encode(command), until: deadline)
  }
}
