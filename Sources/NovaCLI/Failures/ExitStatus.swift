/// How the program ends. The numbers are documented in `nova --help` and scripts rely on them.
enum ExitStatus: Int32 {
  case ok = 0
  /// Anything that has no number of its own.
  case failed = 1
  /// Not signed in, or not allowed.
  case notAllowed = 4
  /// There is no such thing.
  case notFound = 5
  /// No answer: nothing listens, the network fails, or it took too long.
  case noConnection = 6
  /// The command line is wrong.
  case usage = 64
  /// Given JSON is wrong, or an answer does not fit the contract.
  case badData = 65
  /// The session could not be saved. The command's output is still correct.
  case sessionNotSaved = 74
  /// The terminal was closed.
  case hungUp = 129
  /// Stopped by Ctrl-C.
  case interrupted = 130
  /// Stopped by SIGTERM, as `kill` and service managers send it.
  case terminated = 143

  /// The numbers as `nova --help` lists them.
  static let help = """
      0    done
      1    failed
      4    not signed in, or not allowed
      5    not found
      6    no connection, or no answer in time
      64   wrong usage
      65   bad data: JSON you gave, or an answer that breaks the contract
      74   the session could not be saved; the output is complete
      130  interrupted (Ctrl-C; 143 for SIGTERM, 129 for SIGHUP)
    """
}
