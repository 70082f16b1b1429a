import NovaCore

/// The exit codes. They are documented in `nova --help`, and scripts rely on them.
enum ExitStatus: Int32, CaseIterable {
  case ok = 0
  /// Any other failure.
  case failed = 1
  /// The answer to a question is false, if the command was asked to report that by its exit code.
  case falseAnswer = 3
  /// Not signed in, or not allowed.
  case notAllowed = 4
  /// Not found.
  case notFound = 5
  /// No response: nothing listens, the network failed, or a timeout.
  case noConnection = 6
  /// Invalid command line.
  case usage = 64
  /// Invalid input, or a response that violates the contract.
  case badData = 65
  /// The session could not be saved. The command's output is still correct.
  case sessionNotSaved = 74
  /// The terminal was closed.
  case hungUp = 129
  /// Stopped by Ctrl-C.
  case interrupted = 130
  /// Stopped by Ctrl-\.
  case quit = 131
  /// The reader of the output has closed it, as `| head` does.
  case outputClosed = 141
  /// Stopped by SIGTERM, as `kill` and service managers send it.
  case terminated = 143

  /// The exit codes in `nova --help`.
  static let help = """
      0    success
      1    failed
      3    false: is-following, is-muted, and is-blocked with --exit-code or --quiet
      4    not allowed: no valid session or token, or no permission
      5    not found
      6    no connection, or no response in time
      64   invalid usage, such as a missing --as
      65   bad data: invalid input, or a response that violates the contract
      74   the session could not be saved; the output is complete
      130  interrupted (Ctrl-C; 143 for SIGTERM, 129 for SIGHUP, 131 for SIGQUIT)
      141  the reader closed the output, as `| head` does
    """
}

extension ExitStatus {
  /// The status of an invalid setting: invalid usage where a command line or variable names it, else bad data.
  static func of(_ source: ConfigurationSource) -> ExitStatus {
    switch source {
    case .code, .environmentVariable: .usage
    case .file, .named: .badData
    case .builtIn: .failed
    }
  }

  /// The status of a call that failed.
  static func of(_ error: APIError) -> ExitStatus {
    switch error.code {
    // Also if a proxy or a network wants a sign-in.
    case .networkError, .timeout: .noConnection
    case _ where error.isFromAnotherServer: .badData
    case .unauthorized, .permissionDenied: .notAllowed
    case .notFound: .notFound
    // Whether the SDK or the server refused the argument.
    case .invalidArgument where error.transport == nil: .badData
    case .decodingError, .invalidResponse, .unconfirmed: .badData
    case .cancelled where Interruption.happened: Interruption.status
    default: .failed
    }
  }
}
