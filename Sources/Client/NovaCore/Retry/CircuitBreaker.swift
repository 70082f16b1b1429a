/// Stops calls to a host that does not respond: after a number of failures in a row, calls fail at once during a pause, and
/// then one call is sent as a test.
///
/// These failures count: no connection, a lost connection, silence, the statuses 502, 503, and 504, and gRPC's UNAVAILABLE
/// with any status. Any other response closes the circuit. The caller's own deadline does not count.
///
/// ```swift
/// let breaker = nova.client.breaker
/// breaker?.state(of: nova.client.configuration.baseURL.origin)  // .closed
/// ```
public final class CircuitBreaker: Sendable {
  private enum Circuit {
    case closed(failures: Int, lastLoss: Moment?)
    case open(until: Moment)
    /// One request tests the host.
    case halfOpen
  }

  private typealias HostCircuit = (host: String, circuit: Circuit)

  /// Whether a request may be sent.
  enum Admission: Equatable { case passed, probing, refused(wait: Duration, failures: Int) }

  /// The number of failures in a row that opens the circuit.
  public let failureLimit: Int
  /// How long the circuit stays open before a request tests the host.
  public let pause: Duration
  /// Only hosts whose last response was a failure: a few, and usually no host.
  private let circuits = Locked<[HostCircuit]>([])
  /// Beyond this number, the host whose failures began first is forgotten.
  private static let hostLimit = 256
  private let changesOfCircuits = Broadcast<Change>()

  /// Creates a breaker.
  ///
  /// - Parameters:
  ///   - failureLimit: the number of failures in a row that opens the circuit of a host, at least 1. Default 10.
  ///   - pause: how long the circuit stays open. Default 5 s.
  public init(failureLimit: Int = 10, pause: Duration = .seconds(5)) {
    self.failureLimit = max(1, failureLimit)
    self.pause = pause
  }

  func admit(_ host: String, at now: Moment) -> Admission {
    let admission: Admission = circuits.withLock { circuits in
      guard let index = Self.place(of: host, in: circuits) else { return .passed }
      switch circuits[index].circuit {
      case .closed: return .passed
      case .halfOpen: return .refused(wait: pause, failures: failureLimit)
      case .open(let until) where now < until:
        return .refused(wait: now.duration(to: until), failures: failureLimit)
      case .open:
        circuits[index].circuit = .halfOpen
        changesOfCircuits.prepare(Change(origin: host, state: .halfOpen))
        return .probing
      }
    }
    if admission == .probing { changesOfCircuits.deliver() }
    return admission
  }

  func succeeded(_ host: String) {
    let isClosed = circuits.withLock { circuits in
      guard let index = Self.place(of: host, in: circuits) else { return false }
      if case .closed = circuits.remove(at: index).circuit { return false }
      changesOfCircuits.prepare(Change(origin: host, state: .closed))
      return true
    }
    if isClosed { changesOfCircuits.deliver() }
  }

  /// - Parameter lossBegan: for a connection that was lost, when its request began. A server that restarts cuts all
  ///   its connections at once, which is one failure and not many: losses count only if they began after the last one.
  func failed(
    _ host: String, _ admission: Admission, at now: Moment,
    lossBegan: Moment? = nil
  ) {
    let isOpened = circuits.withLock { circuits in
      let known = Self.place(of: host, in: circuits)
      if known == nil {
        if circuits.count == Self.hostLimit { circuits.removeFirst() }
        circuits.append((host, .closed(failures: 0, lastLoss: nil)))
      }
      let index = known ?? circuits.count - 1
      switch circuits[index].circuit {
      case .closed(_, let lastLoss?) where lossBegan.map { $0 < lastLoss } ?? false: return false
      case .closed(let failures, let lastLoss) where failures + 1 < failureLimit:
        circuits[index].circuit = .closed(failures: failures + 1, lastLoss: lossBegan == nil ? lastLoss : now)
        return false
      case .halfOpen where admission != .probing: return false
      case .closed, .halfOpen:
        let end = now.advanced(by: pause)
        circuits[index].circuit = .open(until: end)
        changesOfCircuits.prepare(Change(origin: host, state: .open(until: end.instant)))
        return true
      case .open: return false
      }
    }
    if isOpened { changesOfCircuits.deliver() }
  }

  /// A request has ended that proves nothing about the host. If it was the test, the next request is.
  func ended(_ host: String, _ admission: Admission, at now: Moment) {
    guard admission == .probing else { return }
    circuits.withLock { circuits in
      guard let index = Self.place(of: host, in: circuits) else { return }
      if case .halfOpen = circuits[index].circuit { circuits[index].circuit = .open(until: now) }
    }
  }

  @inline(never)
  private static func place(of host: String, in circuits: [HostCircuit]) -> Int? {
    for index in circuits.indices where circuits[index].host == host { return index }
    return nil
  }
}

// What programs can see.
extension CircuitBreaker {
  /// Whether calls to a host go through.
  public enum State: Sendable, Equatable {
    /// Calls go through.
    case closed
    /// Calls fail at once until this time.
    case open(until: ContinuousClock.Instant)
    /// The pause is over: one request tests the host, and other calls fail until it ends.
    case halfOpen
  }

  /// A circuit that opened, was tested, or closed.
  public struct Change: Sendable, Equatable {
    /// The host with its scheme and port, such as `https://api.nova.social`.
    public let origin: String
    /// The state since then.
    public let state: State
  }

  /// The state of a host's circuit.
  ///
  /// - Parameters:
  ///   - origin: the host, such as `configuration.baseURL.origin`.
  ///   - now: the time, on the clock of the client. Default: the system's.
  public func state(of origin: HTTPOrigin, at now: ContinuousClock.Instant = .now) -> State {
    state(ofHost: origin.text, at: Moment(now))
  }

  private func state(ofHost host: String, at now: Moment) -> State {
    circuits.withLock { circuits in
      guard let index = Self.place(of: host, in: circuits) else { return .closed }
      switch circuits[index].circuit {
      case .closed: return .closed
      case .open(let until) where now < until: return .open(until: until.instant)
      case .open, .halfOpen: return .halfOpen
      }
    }
  }

  /// The changes from now on, for any number of readers. A slow reader misses the oldest ones beyond 64.
  public func changes() -> AsyncStream<Change> { changesOfCircuits.stream(buffering: .bufferingNewest(64)) }
}

// Sending a request through the breaker.
extension CircuitBreaker {
  private static let hostFailures: [TransportError.Kind] = [
    .nameResolution, .connectionRefused, .connectionFailed, .connectionLost, .connectTimeout, .idleTimeout,
  ]

  /// Sends a request, or refuses it while the circuit of its host is open.
  nonisolated(nonsending) func send(
    _ request: HTTPRequest, over transport: any HTTPTransport, _ clock: any CallClock
  ) async throws -> HTTPResponse {
    let host = request.url.origin.text
    let began = clock.moment
    let admission = admit(host, at: began)
    if case .refused(let wait, let failures) = admission {
      var refusal = TransportError(
        .circuitOpen,
        "\(host) has failed \(failures) times in a row and is left alone for another \(wait.formatted)", sent: .nothing,
        requestMayHaveLeft: false)
      refusal.retryAfter = wait
      throw refusal
    }
    do {
      let response = try await transport.send(request)
      if [502, 503, 504].contains(response.status) || response.headers.failedGRPCStatus == 14 {
        failed(host, admission, at: clock.moment)
      } else if admission != .probing, case .stream(let stream) = response.body {
        var response = response
        response.body = observed(stream, from: host, since: began, clock)
        return response
      } else {
        succeeded(host)
      }
      return response
    } catch {
      note(error, from: host, admission, since: began, on: clock)
      throw error
    }
  }

  private func note(
    _ error: any Error, from host: String, _ admission: Admission, since began: Moment, on clock: any CallClock
  ) {
    if let kind = (error as? TransportError)?.kind, Self.hostFailures.contains(kind) {
      failed(host, admission, at: clock.moment, lossBegan: kind == .connectionLost ? began : nil)
    } else {
      ended(host, admission, at: clock.moment)
    }
  }

  /// A head without a body proves little: a streamed response succeeds with its first chunk, and may still fail after it.
  private func observed(
    _ stream: HTTPBodyStream, from host: String, since began: Moment, _ clock: any CallClock
  ) -> HTTPBody {
    let body = ObservedBody(.stream(stream)) { event, _ in
      switch event {
      case .firstChunk, .finished: self.succeeded(host)
      case .failed(let error): self.note(error, from: host, .passed, since: began, on: clock)
      case .dropped: break
      }
    }
    return .stream(HTTPBodyStream(body, length: stream.length))
  }
}
