package import NovaCore

/// Whether the gateway can be reached, as its calls have shown.
///
/// After a call without a connection, the gateway counts as unreachable until a call or a probe gets any answer. Probes
/// are sent to the gateway only, without a token, and only while something waits for the result: writes in the outbox,
/// an observer of ``changes``, or reads since the last probe that were answered from the store because of it. They
/// begin after 1 s, and become rarer up to one a minute.
///
/// ```swift
/// for await isOnline in try nova.offline.connectivity.changes {
///   banner.isHidden = isOnline
/// }
/// ```
public final class Connectivity: Sendable {
  /// Finds out whether the gateway answers; throws if it does not.
  package typealias Probe = @Sendable () async throws -> Void

  private struct State {
    var probe: Probe?
    var isWaiting = false
    /// Whether a read has asked since the last probe.
    var isAsked = false
    var prober: Task<Void, Never>?
    var isOver = false
  }

  private let isAlwaysOffline: Bool
  private let clock: any CallClock
  private let random: @Sendable () -> Double
  private let online: LatestValue<Bool>
  private let state = Locked(State())

  /// The waits between probes.
  private let pacing: Pacing

  /// Creates a value that is online until a call shows otherwise.
  ///
  /// - Parameters:
  ///   - isAlwaysOffline: whether nothing may be sent (`offline_mode`): it stays offline, and never probes.
  ///   - longestWait: the longest wait between two probes.
  ///   - clock: measures the waits between probes.
  ///   - random: 0..<1, for the jitter of waits.
  package init(
    isAlwaysOffline: Bool = false, longestWait: Duration = .seconds(60), clock: any CallClock = ContinuousClock(),
    random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.isAlwaysOffline = isAlwaysOffline
    pacing = Pacing(Backoff(base: .seconds(1), factor: 2, maximum: longestWait), floor: .seconds(1))
    self.clock = clock
    self.random = random
    online = LatestValue(!isAlwaysOffline)
  }

  deinit {
    state.withLock { $0.prober }?.cancel()
    online.finish()
  }

  /// Whether the gateway could last be reached. True before the first call.
  public var isOnline: Bool { online.value }

  /// Whether the gateway can be reached, and then each change.
  public var changes: AsyncStream<Bool> {
    let stream = online.stream()
    probeIfNeeded()
    return stream
  }

  /// The same for the SDK itself: observing it causes no probes.
  var quietChanges: AsyncStream<Bool> { online.stream(isCounted: false) }

  // MARK: What calls show

  /// The gateway has responded, with any status.
  package func noteResponse() { set(true) }

  /// A call failed.
  package func note(_ error: any Error) {
    guard let error = error as? APIError else { return }
    if let isConnected = Self.connection(error) { set(isConnected) }
  }

  /// What a failure shows about the connection; nil if nothing.
  static func connection(_ error: APIError) -> Bool? {
    if let transport = error.transport {
      switch transport.kind {
      case .connectTimeout, .offline: return false
      case .circuitOpen, .shutDown: return nil
      default: return error.code == .networkError && !transport.requestMayHaveLeft ? false : nil
      }
    }
    // A captive portal answers instead of the gateway.
    return error.httpStatus == nil || error.isFromAnotherServer ? nil : true
  }

  private func set(_ isOnline: Bool) {
    guard !isAlwaysOffline else { return }
    if online.update({ $0 = isOnline }) { probeIfNeeded() }
  }

  // MARK: Probes

  /// Sets how probes are sent, usually by `APIClient.reach(timeout:)`. Before, none are sent.
  package func use(_ probe: @escaping Probe) {
    state.withLock { $0.probe = probe }
    probeIfNeeded()
  }

  /// Whether writes wait for the connection.
  package func setWaiting(_ isWaiting: Bool) {
    state.withLock { $0.isWaiting = isWaiting }
    if isWaiting { probeIfNeeded() }
  }

  /// A read was not sent to the gateway: the next probe shows whether later reads can be.
  func ask() {
    state.withLock { $0.isAsked = true }
    probeIfNeeded()
  }

  /// Ends probes permanently.
  package func stop() {
    let prober = state.withLock { state in
      state.isOver = true
      return state.prober
    }
    prober?.cancel()
  }

  private func probeIfNeeded() {
    state.withLock { state in
      guard state.prober == nil, isNeeded(state) else { return }
      state.prober = Task { [weak self, clock] in
        var number = 0
        while let wait = self?.nextWait(after: &number) {
          do { try await clock.sleep(until: clock.now.advanced(by: wait), tolerance: nil) } catch { return }
          await self?.probeOnce()
        }
      }
    }
  }

  private func isNeeded(_ state: State) -> Bool {
    !state.isOver && state.probe != nil && !isAlwaysOffline && !isOnline
      && (state.isWaiting || state.isAsked || online.isObserved)
  }

  /// How long to wait for the next probe; nil if none is needed, which ends probing.
  private func nextWait(after number: inout Int) -> Duration? {
    number += 1
    let isNeeded = state.withLock { state in
      let isNeeded = self.isNeeded(state)
      if !isNeeded { state.prober = nil }
      return isNeeded
    }
    return isNeeded ? pacing.wait(after: number, random: random()) : nil
  }

  private func probeOnce() async {
    let probe = state.withLock { state in
      state.isAsked = false
      return state.probe
    }
    guard !isOnline, let probe else { return }
    if (try? await probe()) != nil { noteResponse() }
  }
}
