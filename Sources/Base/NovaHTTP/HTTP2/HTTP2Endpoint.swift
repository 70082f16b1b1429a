#if GRPC
  import NovaSupport

  /// One address of a server, and the connection to it. An address that fails is not used for a while, which grows with
  /// each failure.
  final class HTTP2Endpoint: @unchecked Sendable {
    // Sendable, because everything that changes is touched only under the engine's lock.
    let server: HTTPOrigin
    /// The resolved address; nil if libcurl resolves the name.
    let address: String?
    unowned let channel: HTTP2Channel
    private(set) var connection: HTTP2Connection?
    /// Set from the start of an attempt until the connection is usable, or the attempt has failed.
    private(set) var isDialing = false
    /// The interval of pings, which grows if the server complains about them.
    private(set) var pingInterval: Duration?
    private(set) var lastError: TransportError?
    private(set) var lastFailure = Int64.min
    /// When it is used again after failures.
    private(set) var notBefore = Int64.min
    private var failures = 0

    init(_ server: HTTPOrigin, address: String?, channel: HTTP2Channel, pingInterval: Duration?) {
      self.server = server
      self.address = address
      self.channel = channel
      self.pingInterval = pingInterval
    }

    /// How the server is named in requests.
    var authority: String {
      String(server.text.dropFirst(server.isSecure ? 8 : 7))
    }

    /// Whether a connection may become usable soon.
    var isPending: Bool { isDialing || connection?.isUsable ?? false }

    func isIdle(at now: Int64) -> Bool { connection == nil && !isDialing && now >= notBefore }

    /// The waits before a failed address is used again.
    private static let pacing = Pacing(
      Backoff(base: .seconds(1), factor: 2, maximum: .seconds(120)), floor: .milliseconds(500))

    func dial(timeout: Duration) {
      isDialing = true
      let core = channel.core
      core.effects.dials.append(
        HTTP2Dial(to: self, timeout: timeout, began: core.now, options: core.options.connections))
    }

    func hasOpened(_ connection: HTTP2Connection) { self.connection = connection }

    func hasConnected() { isDialing = false }

    func hasServed() { failures = 0 }

    /// Forgets a connection that takes no new calls.
    func hasLost(_ connection: HTTP2Connection) {
      guard self.connection === connection else { return }
      self.connection = nil
      isDialing = false
      channel.findAddresses()
    }

    /// Records a failure.
    func hasFailed(_ error: TransportError, random: Double = .random(in: 0..<1)) {
      isDialing = false
      failures += 1
      lastError = error
      lastFailure = channel.core.now
      let wait = Self.pacing.wait(after: failures, random: random)
      notBefore = lastFailure.addingClamped(wait.clampedNanoseconds)
      channel.findAddresses()
    }

    func slowPings() { pingInterval = pingInterval.map { $0 * 2 } }
  }
#endif
