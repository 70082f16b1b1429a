import NovaCore

/// Tells on standard error how calls go: the whole story if it was asked for, else only why a person has to wait.
struct CallStory: CallObserver {
  let isWhole: Bool
  private let isWatched = System.isTerminal(System.standardError)

  /// What nobody notices need not be explained.
  private static let shortWait = Duration.milliseconds(300)

  init(isWhole: Bool) { self.isWhole = isWhole }

  func callBegan(_ rpc: RPCDescriptor) {}

  func callWillRetry(_ rpc: RPCDescriptor, after attempt: CallAttempt) {
    guard isWatched, !isWhole, case .retry(let wait, let reason) = attempt.consequence, wait > Self.shortWait else {
      return
    }
    Diagnostics.note("\(rpc.id): \(reason); trying again in \(wait.inShort)")
  }

  func callEnded(_ rpc: RPCDescriptor, _ report: CallReport) {
    guard isWhole else { return }
    let styles = Styles(System.standardError)
    Diagnostics.write("\(report)".displayedLines.map(styles.faint).joined(separator: "\n"))
  }
}
