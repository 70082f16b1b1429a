import NovaCore

/// What an attempt to deliver a write means for it.
enum DeliveryOutcome: Sendable {
  /// The gateway is in the state that the write asks for.
  case done
  /// The write can never succeed as it is.
  case refused(OutboxFailure)
  /// The gateway does not accept the session.
  case signedOut(OutboxFailure)
  /// It is tried again.
  ///
  /// - Parameters:
  ///   - wait: how long the gateway asks to wait.
  ///   - isForAll: whether it asks that of every write.
  ///   - mayHaveLeft: whether the gateway may have seen it.
  case later(OutboxFailure, wait: Duration?, isForAll: Bool, mayHaveLeft: Bool)
  /// The task was cancelled.
  case cancelled

  /// What a failed attempt means.
  ///
  /// - Parameter rule: the write's; nil if there is none.
  init(_ error: any Error, of entry: OutboxEntry, _ rule: WriteRule?) {
    guard let error = error as? APIError else {
      let failure = OutboxFailure(.networkError, "\(entry.rpc.id): the write could not be sent")
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
        // A write that is in progress holds up no other.
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
    // The session was not refreshed: nobody has refused the write.
    if error.isOfRefresh { return .passing }
    // A captive portal, a firewall, or a proxy: the gateway has not seen the write.
    if error.isFromAnotherServer || error.code == .permissionDenied && error.isPage || TransientOnly.isTransient(error)
    {
      return .passing
    }
    switch error.code {
    // The last two are a matter of the configuration and say nothing about the write.
    case .networkError, .timeout, .unavailable, .rateLimited, .cancelled, .insecureConnection, .invalidURL:
      return .passing
    case .serverError: return .passing
    default: return .refusal
    }
  }

  /// Whether a refusal says that what the write asks for is so already: what it deletes is gone, or the relation that
  /// it sets is set. Only the service knows that: a path that a gateway does not know is also 404.
  private static func isThere(_ error: APIError, for entry: OutboxEntry, _ rule: WriteRule?) -> Bool {
    if error.saysRecordIsGone {
      return entry.rpc.effect == .idempotent && entry.rpc.method.hasPrefix("Delete")
    }
    return error.grpcStatus == .alreadyExists && rule?.undoing?.isRelated == true
  }
}

/// Whether a write may be sent under the key that it has. The gateway remembers keys for a day: after that, it would
/// carry out a write again that it has carried out.
enum KeyDecision: Sendable {
  case send
  /// A read must tell first whether the write took effect.
  ///
  /// - Parameter since: the Unix seconds of the first attempt.
  case check(WriteCheck, since: Int64)
  /// It did not take effect, or doing it again does no harm.
  case sendWithNewKey
  /// Nothing tells whether it took effect.
  case undecidable

  /// How long the gateway remembers keys, less an hour for the way and for clocks.
  static let lifetime: Double = 23 * 3600
  /// How far a time may be in the future before it shows that a clock was set back.
  private static let tolerance: Double = 300

  init(_ entry: OutboxEntry, _ rule: WriteRule?, now: Double) {
    guard let first = entry.firstAttemptAt, Self.isForgotten(entry, now: now) else {
      self = .send
      return
    }
    if let check = rule?.check?(entry.request) {
      // After a clock was set back, nobody knows when the first attempt was; most likely within a day.
      let start = first > now ? now - 86_400 : first
      self = .check(check, since: Int64(start.rounded(.down)))
    } else {
      self = entry.rpc.effect == .notIdempotent ? .undecidable : .sendWithNewKey
    }
  }

  /// Whether the gateway may have forgotten the entry's key.
  static func isForgotten(_ entry: OutboxEntry, now: Double) -> Bool {
    guard let first = entry.firstAttemptAt else { return false }
    return max(first, entry.lastAttemptAt ?? first) > now + tolerance || now - first >= lifetime
  }
}

extension OutboxFailure {
  /// A write of which nobody knows whether it took effect.
  static func undecidable(_ entry: OutboxEntry) -> OutboxFailure {
    OutboxFailure(
      .failedPrecondition,
      "\(entry.rpc.id): cannot tell whether it took effect: it was sent more than a day ago, and the gateway no longer "
        + "remembers it; look, and then discard it, or retry it to do it again")
  }
}
