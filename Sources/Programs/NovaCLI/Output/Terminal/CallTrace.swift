import NovaCore

/// Prints a trace of calls to standard error: the complete reports if requested, otherwise only the reasons for waits,
/// and warnings about ignored parts of requests.
final class CallTrace: CallObserver {
  private let isComplete: Bool
  private let line: StatusLine?
  private let made: MadeChange
  private let place: @Sendable (RPCDescriptor) -> String
  /// The waits of calls in progress, by RPC, because calls have no identifiers here.
  private let waits = Locked<[String: [Int]]>([:])

  /// Shorter waits are not reported on a terminal.
  private static let shortWait = Duration.milliseconds(300)
  /// Shorter waits are not reported elsewhere.
  private static let silentWait = Duration.seconds(5)

  /// - Parameters:
  ///   - isComplete: whether to print the complete trace.
  ///   - line: the status line for waits; nil if other output would interrupt it.
  ///   - made: what successful calls have changed.
  ///   - place: the destination of an RPC's calls.
  init(isComplete: Bool, line: StatusLine?, made: MadeChange, place: @escaping @Sendable (RPCDescriptor) -> String) {
    self.isComplete = isComplete
    self.line = line
    self.made = made
    self.place = place
  }

  func callBegan(_ rpc: RPCDescriptor) {
    guard let line, line.isShown else { return }
    let id = line.begin(place(rpc), detail: rpc.id)
    waits.withLock { $0[rpc.id, default: []].append(id) }
  }

  func callWillRetry(_ rpc: RPCDescriptor, after attempt: CallAttempt) {
    guard case .retry(let wait, let reason) = attempt.consequence, wait > Self.shortWait else { return }
    if let line, line.isShown, let id = waits.withLock({ $0[rpc.id]?.last }) {
      return line.pause(id, for: wait, because: reason.words)
    }
    guard !isComplete, System.isTerminal(System.standardError) || wait >= Self.silentWait else { return }
    Diagnostics.note("\(rpc.id): \(reason.words); retrying in \(wait.formatted)")
  }

  func callEnded(_ rpc: RPCDescriptor, _ report: CallReport) {
    if let id = waits.withLock({ $0[rpc.id]?.popLast() }) { line?.end(id) }
    if report.failure == nil { made.note(rpc) }
    guard isComplete else {
      return report.warnings.forEach { Diagnostics.warning("\(rpc.id): \($0)") }
    }
    write("\(report)")
  }

  func bodyEnded(_ rpc: RPCDescriptor, _ report: BodyReport) {
    if isComplete { write("\(report)") }
  }

  private func write(_ report: String) {
    let styles = Styles(System.standardError)
    Diagnostics.write(report.displayedLines.map(styles.faint).joined(separator: "\n"))
  }
}

extension RetryReason {
  /// The reason for people: `HTTP 503`, `the connection was lost`.
  fileprivate var words: String {
    guard case .transport(let kind) = self else { return description }
    return switch kind {
    case .nameResolution: "the name could not be resolved"
    case .connectionRefused: "the connection was refused"
    case .connectionFailed: "the connection failed"
    case .connectionLost: "the connection was lost"
    case .connectTimeout: "no connection in time"
    case .idleTimeout, .totalTimeout: "no response in time"
    default: description
    }
  }
}

/// Logs each request and its response on a line of standard error, for `nova contract check --verbose`, which sends
/// requests that no call of the SDK sends.
struct VerboseTransport: MockingTransport {
  let base: any HTTPTransport

  var isMock: Bool { (base as? any MockingTransport)?.isMock == true }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let start = ContinuousClock.now
    do {
      let response = try await base.send(request)
      log(request, "\(status(of: response, to: request)), \(response.body.length ?? 0) bytes", since: start)
      return response
    } catch {
      log(request, (error as? TransportError)?.message ?? "\(error)", since: start)
      throw error
    }
  }

  func shutdown() async { await base.shutdown() }

  /// The status as the server sent it.
  private func status(of response: HTTPResponse, to request: HTTPRequest) -> String {
    guard request.url.origin.usesGRPC else { return "\(response.status)" }
    return "\(GRPCStatus(rawValue: response.headers.failedGRPCStatus ?? 0))"
  }

  /// Omits queries and bodies, which may contain secrets.
  private func log(_ request: HTTPRequest, _ result: String, since start: ContinuousClock.Instant) {
    let url = request.url.shown(isMock: isMock)
    let line = "\(request.method.rawValue) \(url): \(result), \((ContinuousClock.now - start).milliseconds) ms"
    Diagnostics.note(SecretRedactor(request).masked(line))
  }
}
