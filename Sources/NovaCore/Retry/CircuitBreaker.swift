/// Stops calls to a host that does not respond: after a number of failures in a row, calls fail at once for a while, then
/// one is let through as a test.
///
/// These failures count: no connection, a lost connection, silence, and the statuses 502, 503, and 504. Any other response
/// closes the circuit. The caller's own deadline does not count.
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
    circuits.withLock { circuits in
      guard let index = Self.place(of: host, in: circuits) else { return .passed }
      switch circuits[index].circuit {
      case .closed: return .passed
      case .halfOpen: return .refused(wait: pause, failures: failureLimit)
      case .open(let until) where now < until:
        return .refused(wait: now.duration(to: until), failures: failureLimit)
      case .open:
        circuits[index].circuit = .halfOpen
        return .probing
      }
    }
  }

  func succeeded(_ host: String) {
    circuits.withLock { circuits in
      if let index = Self.place(of: host, in: circuits) { circuits.remove(at: index) }
    }
  }

  /// - Parameter lossBegan: for a connection that was lost, when its request began. A server that starts anew cuts all
  ///   its connections at once, which is one failure and not many: losses count only if they began after the last one.
  func failed(
    _ host: String, _ admission: Admission, at now: Moment,
    lossBegan: Moment? = nil
  ) {
    circuits.withLock { circuits in
      let known = Self.place(of: host, in: circuits)
      let index = known ?? circuits.count
      if known == nil { circuits.append((host, .closed(failures: 0, lastLoss: nil))) }
      switch circuits[index].circuit {
      case .closed(_, let lastLoss?) where lossBegan.map { $0 < lastLoss } ?? false: break
      case .closed(let failures, let lastLoss):
        circuits[index].circuit =
          failures + 1 >= failureLimit
          ? .open(until: now.advanced(by: pause))
          : .closed(failures: failures + 1, lastLoss: lossBegan == nil ? lastLoss : now)
      case .halfOpen: if admission == .probing { circuits[index].circuit = .open(until: now.advanced(by: pause)) }
      case .open: break
      }
    }
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
      if [502, 503, 504].contains(response.status) {
        failed(host, admission, at: clock.moment)
      } else if admission != .probing, case .stream(let stream) = response.body {
        return HTTPResponse(
          status: response.status, headers: response.headers, body: observed(stream, from: host, since: began, clock))
      } else {
        succeeded(host)
      }
      return response
    } catch {
      note(error, from: host, admission, since: began, clock)
      throw error
    }
  }

  private func note(
    _ error: any Error, from host: String, _ admission: Admission, since began: Moment,
    _ clock: any CallClock
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
      case .failed(let error): self.note(error, from: host, .passed, since: began, clock)
      case .dropped: break
      }
    }
    return .stream(HTTPBodyStream(body, length: stream.length))
  }
}
