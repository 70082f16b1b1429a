/// Stops calls to a host that does not respond: after a number of failures in a row, calls fail at once for a while, then
/// one is let through as a test.
///
/// These failures count: no connection, a lost connection, silence, the statuses 502, 503, and 504,
/// and gRPC's UNAVAILABLE under any status. Any other response
/// closes the circuit. The caller's own deadline does not count.
///
/// ```swift
/// let breaker = nova.client.breaker
/// breaker?.state(of: nova.client.configuration.baseURL.origin)  // .closed
/// ```
public final class CircuitBreaker: Sendable {
  private enum Circuit {
    case closed(failures: Int, lastLoss: Moment?)
    case open(until: Moment)
    /// One request is on its way.
    case halfOpen
  }

  private typealias HostCircuit = (host: String, circuit: Circuit)

  /// Whether a request may go.
  enum Admission: Equatable { case passed, probing, refused(wait: Duration, failures: Int) }

  /// How many failures in a row open the circuit.
  public let failureLimit: Int
  /// How long it stays open before a request is let through.
  public let pause: Duration
  /// Only hosts whose last response was a failure: there are few, and usually none.
  private let circuits = Locked<[HostCircuit]>([])
  /// A program that calls ever new hosts forgets the one whose failures began first.
  private static let hostLimit = 256
  private let changesOfCircuits = Broadcast<Change>()

  /// Creates a breaker.
  ///
  /// - Parameters:
  ///   - failureLimit: how many failures in a row open the circuit of a host, at least 1. Default 10.
  ///   - pause: how long it stays open. Default 5 s.
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

  /// The request proves nothing about the host. If it was the test, the next request is.
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
    /// They do.
    case closed
    /// They fail at once until this time.
    case open(until: ContinuousClock.Instant)
    /// The pause is over: the next request tests the host, or is doing so. Other calls fail while it does.
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

  /// The changes from now on, for any number of readers. A reader that is slow misses the oldest of more than 64.
  public func changes() -> AsyncStream<Change> { changesOfCircuits.stream(buffering: .bufferingNewest(64)) }
}

// A request on its way through the breaker.
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
        "\(host) has failed \(failures) times in a row and is left alone for another \(wait.formatted): "
          + SentClaim.nothing,
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

  /// A head proves little where the body does not follow: a streamed response succeeds with its first chunk, and may
  /// still fail after it.
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
