import NovaCore
import NovaOffline

/// Sends the writes of one identity, with a token that is asked for before each call.
struct ReplicaCaller: OutboxCaller {
  let client: APIClient
  let identityOfLease: Identity
  let tokens: FleetOutboxReplica.Tokens
  /// The sessions that `tokens` asks, which replace a token that the gateway refuses; nil if they are unknown.
  let sessions: FleetOutboxReplica.Sessions?
  let connectivity: Connectivity
  /// Called with the reason of a call that got no answer, before `connectivity` shows it.
  let noteFailure: @Sendable (String) -> Void

  var isOwn: Bool { false }
  var hasLoop: Bool { false }
  var longestWait: Duration { client.configuration.maximumRetryWait }
  var knownIdentity: Identity? { identityOfLease }

  func identity() -> Identity { identityOfLease }

  private func options(_ rpc: String) async throws -> CallOptions {
    guard let token = try await token(rpc) else {
      throw APIError(
        .unauthorized, "not signed in", reason: "there is no token for \(identityOfLease)", sent: .nothingMore, rpc: rpc
      )
    }
    var options = CallOptions()
    if let sessions {
      options.tokens = try sessions(identityOfLease)
    } else {
      // The program that provides the token answers for whose it is.
      options.token = identityOfLease.user.map { token.belonging(to: $0) } ?? token
    }
    options.caller = OperationCaller(identityOfLease)
    options.checksArguments = false
    return options
  }

  /// A failure does not count as one of the write, which waits.
  private func token(_ rpc: String) async throws -> AccessToken? {
    do { return try await tokens(identityOfLease) } catch let error as CancellationError { throw error } catch {
      var failure =
        error as? APIError
        ?? APIError(
          .failedPrecondition, "there is no token for \(identityOfLease)",
          reason: (error as? any NovaError)?.description ?? "\(type(of: error))", sent: .nothing, rpc: rpc)
      failure.isOfRefresh = true
      throw failure
    }
  }

  func send(_ entry: OutboxEntry) async throws -> SentWrite {
    var options = try await options(entry.rpc.id)
    // The outbox repeats the call itself. One write must not delay the others.
    options.retry = .never
    options.idempotencyKey = entry.key
    return try await noting { SentWrite(try await client.send(entry.rpc, entry.request, options: options)) }
  }

  func read(_ check: WriteCheck, as identity: Identity) async throws -> any ProtoMessage {
    let options = try await options(check.rpc.id)
    return try await noting { try await client.send(check.rpc, check.request, options: options).value }
  }

  private func noting<Result>(_ call: () async throws -> Result) async throws -> Result {
    do { return try await call() } catch let error as APIError {
      if let transport = error.transport { noteFailure(transport.reason) }
      throw error
    }
  }
}

extension TransportError {
  /// Why there was no response, without what to do about it.
  fileprivate var reason: String {
    if kind == .connectionRefused { return "connection refused" }
    var text = text.withoutAdvice
    text.sent = .maybe
    return text.sentence
  }
}
