import NovaCore

/// A program on the `PATH` that is a command of nova by its name: `nova-review` for `nova review`.
///
/// It is thrown by what reads the command line, because it takes the place of this program.
struct ExternalCommand: Error {
  private let path: String
  private let arguments: [String]

  /// - Parameter word: the first word of the command line.
  /// - Returns: nil if there is no such program.
  init?(_ word: String, _ arguments: [String]) {
    // No path can be a name.
    guard SavedAliases.isName(word), let path = System.searchPath(for: "nova-\(word)").first(where: System.isProgram)
    else { return nil }
    (self.path, self.arguments) = (path, arguments)
  }

  /// Runs the program in the place of this one.
  ///
  /// - Returns: why that is not possible.
  func run() -> Failure {
    System.restoreWriteSignals()
    let error = System.replaceProcess(with: path, arguments)
    System.ignoreWriteSignals()
    return Failure("cannot run \(path.displayed): \(error.reason)", .failed)
  }
}
