import NovaCore

/// What an attempt to send an entry means for it.
enum DeliveryOutcome: Sendable {
  /// The gateway is in the state that the write asks for.
  case done
  /// The write can never succeed as it is.
  case refused(OutboxFailure)
  /// The gateway refused the session.
  case signedOut(OutboxFailure)
  /// The write is tried again.
  ///
  /// - Parameters:
  ///   - wait: how long the gateway asks to wait; nil if it does not ask.
  ///   - isForAll: whether it asks that of all writes.
  ///   - mayHaveLeft: whether the gateway may have seen the write.
  case later(OutboxFailure, wait: Duration?, isForAll: Bool, mayHaveLeft: Bool)
  /// The task was cancelled.
  case cancelled

  /// Judges a failed attempt.
  ///
  /// - Parameter rule: the write's rule; nil if the RPC has none.
  init(_ error: any Error, of entry: OutboxEntry, _ rule: WriteRule?) {
    guard let error = error as? APIError else {
      let failure = OutboxFailure(.networkError, of: entry.rpc.id, "the write could not be sent")
      self =
        error is CancellationError
        ? .cancelled : .later(failure, wait: nil, isForAll: false, mayHaveLeft: true)
      return
    }
    self.init(error, of: entry, rule)
  }

  private init(_ error: APIError, of entry: OutboxEntry, _ rule: WriteRule?) {
    let failure = OutboxFailure(error)
    switch Self.kind(error) {
    case .cancelled: self = .cancelled
    case .signedOut: self = .signedOut(failure)
    case .passing:
      self = .later(
        failure, wait: error.serverWait,
        // A write that is already in progress delays no other write.
        isForAll: error.serverWait != nil && !error.isKeyInProgress || error.code == .rateLimited,
        mayHaveLeft: error.mayHaveReachedGateway
          && (error.transport != nil || error.httpStatus != nil || !error.attempts.isEmpty))
    case .refusal: self = Self.isThere(error, for: entry, rule) ? .done : .refused(failure)
    }
  }

  private enum Kind { case cancelled, signedOut, passing, refusal }

  private static func kind(_ error: APIError) -> Kind {
    if error.code == .cancelled, error.httpStatus == nil { return .cancelled }
    if error.code == .unauthorized { return .signedOut }
    // The session was not refreshed. The write itself was not refused.
    if error.isOfRefresh { return .passing }
    // A captive portal, a firewall, or a proxy: the gateway has not seen the write.
    if error.isFromAnotherServer || error.code == .permissionDenied && error.isPage || TransientOnly.isTransient(error)
    {
      return .passing
    }
    switch error.code {
    // The last two are mistakes in the configuration, not in the write.
    case .networkError, .timeout, .unavailable, .rateLimited, .cancelled, .insecureConnection, .invalidURL:
      return .passing
    case .serverError: return .passing
    default: return .refusal
    }
  }

  /// Whether a refusal means that the gateway is already in the state that the write asks for: the record that it
  /// deletes is gone, or the relation that it sets is set. A status alone does not show that: an unknown path is also
  /// 404.
  private static func isThere(_ error: APIError, for entry: OutboxEntry, _ rule: WriteRule?) -> Bool {
    if error.saysRecordIsGone {
      return entry.rpc.effect == .idempotent && entry.rpc.method.hasPrefix("Delete")
    }
    return error.grpcStatus == .alreadyExists && rule?.undoing?.isRelated == true
  }
}

/// Whether an entry may be sent under its key. The gateway remembers keys for a day; after that, it would carry out the
/// same write a second time.
package enum KeyDecision: Sendable {
  case send
  /// A read must first show whether the write took effect.
  ///
  /// - Parameter since: the Unix seconds of the first attempt.
  case check(WriteCheck, since: Int64)
  /// The write did not take effect, or a repetition does no harm.
  case sendWithNewKey
  /// Nothing shows whether the write took effect.
  case undecidable

  /// How long the gateway remembers keys, less an hour for transfers and differences of clocks.
  static let lifetime: Double = 23 * 3600
  /// A time further in the future than this shows that a clock was set back.
  private static let tolerance: Double = 300

  init(_ entry: OutboxEntry, _ rule: WriteRule?, now: Double) {
    guard let first = entry.firstAttemptAt, Self.isForgotten(entry, now: now) else {
      self = .send
      return
    }
    if let check = rule?.check?(entry.request) {
      // After a clock was set back, the time of the first attempt is unknown. Most likely it was within a day.
      let start = first > now ? now - 86_400 : first
      self = .check(check, since: Int64(start.rounded(.down)))
    } else {
      self = entry.rpc.effect == .notIdempotent ? .undecidable : .sendWithNewKey
    }
  }

  /// Whether the gateway may have forgotten the entry's key.
  package static func isForgotten(_ entry: OutboxEntry, now: Double) -> Bool {
    guard let first = entry.firstAttemptAt else { return false }
    return max(first, entry.lastAttemptAt ?? first) > now + tolerance || now - first >= lifetime
  }
}

extension OutboxFailure {
  /// Nothing shows whether the write took effect.
  static func undecidable(_ entry: OutboxEntry) -> OutboxFailure {
    OutboxFailure(
      .failedPrecondition, of: entry.rpc.id,
      "cannot tell whether it took effect: it was sent more than a day ago, and the gateway no longer "
        + "remembers it; look, and then discard it, or retry it to do it again")
  }
}

extension APIResponse<any ProtoMessage> {
  /// The message; nil if no body arrived, so that its fields state nothing.
  var stated: (any ProtoMessage)? { isBodyEmpty ? nil : value }

  /// Why a response with a success status does not confirm a write; nil if it does.
  ///
  /// - Parameter rule: the write's rule; nil if the RPC has none.
  func failure(of rpc: RPCDescriptor, _ rule: WriteRule?) -> OutboxFailure? {
    if let report = value as? any AcknowledgedResponse, !report.success {
      return OutboxFailure(
        APIError(.failedPrecondition, "the server did not do it", rpc: rpc.id, requestID: requestID))
    }
    guard let problem = rpc.problem(with: value, rule) else { return nil }
    return OutboxFailure(
      APIError(
        .invalidResponse, "\(problem), so the change may have taken effect", advice: "look for it before you retry it",
        rpc: rpc.id, requestID: requestID, httpStatus: status))
  }
}

extension RPCDescriptor {
  /// What an answer to a write lacks; nil if a direct call would return it. An answer without the record confirms
  /// nothing.
  func problem(with answer: any ProtoMessage, _ rule: WriteRule?) -> String? {
    // The answer itself reports whether the write took effect.
    if answer is any AcknowledgedResponse { return nil }
    if let record = recordMissing(in: answer) { return "the response has no \(record)" }
    // Later writes name the record that this one has created.
    guard let created = rule?.created, CreatedRecord.id(in: answer, created) == nil else { return nil }
    return "the response has a \(created.descriptor.shortName) without an id"
  }
}
