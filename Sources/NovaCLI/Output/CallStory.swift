import NovaCore

/// Prints a trace of calls to standard error: everything if requested, otherwise only the reasons for waits, and
/// warnings about ignored parts of requests.
final class CallStory: CallObserver {
  private let isWhole: Bool
  private let line: StatusLine?
  private let place: @Sendable (RPCDescriptor) -> String
  /// The waits of calls in progress, by RPC, because calls have no identifiers here.
  private let waits = Locked<[String: [Int]]>([:])

  /// What nobody notices need not be explained.
  private static let shortWait = Duration.milliseconds(300)

  /// - Parameters:
  ///   - isWhole: whether to print the complete trace.
  ///   - line: the status line for waits; nil if other output would interrupt it.
  ///   - place: the destination of an RPC's calls.
  init(isWhole: Bool, line: StatusLine?, place: @escaping @Sendable (RPCDescriptor) -> String) {
    self.isWhole = isWhole
    self.line = line
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
      return line.pause(id, for: wait, because: reason.description)
    }
    guard System.isTerminal(System.standardError), !isWhole else { return }
    Diagnostics.note("\(rpc.id): \(reason); retrying in \(wait.inShort)")
  }

  func callEnded(_ rpc: RPCDescriptor, _ report: CallReport) {
    if let id = waits.withLock({ $0[rpc.id]?.popLast() }) { line?.end(id) }
    guard isWhole else {
      return report.warnings.forEach { Diagnostics.warning("\(rpc.id): \($0)") }
    }
    let styles = Styles(System.standardError)
    Diagnostics.write("\(report)".displayedLines.map(styles.faint).joined(separator: "\n"))
  }
}
