import ArgumentParser
import NovaCore

/// The program `nova`.
public enum Program {
  /// Runs the command line, and exits with one of the documented exit codes.
  public static func main() async -> Never {
    await end(NovaCommand.self) { try await run(ProcessArguments.checked()) }
  }

  /// Runs the work of a program, and exits.
  ///
  /// - Parameter root: the program's command.
  static func end(
    _ root: any ParsableCommand.Type, after work: @escaping @Sendable () async throws -> Void
  ) async -> Never {
    System.ignoreWriteSignals()
    do {
      try await Interruption.run(work)
      System.end(.ok)
    } catch {
      System.end(report(error, of: root))
    }
  }

  static func run(_ arguments: [String]) async throws {
    if let page = HelpPage(askedForBy: arguments) { throw page }
    if CompletionRoot.isRequest(arguments) { return try await CompletionRoot.answer(arguments) }
    let arguments = try arranged(arguments)
    if let rpc = CallHelp.rpc(in: arguments) { return try CallHelp.write(rpc) }
    do {
      var command = try await NovaCommand.asyncParseAsRoot(arguments)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      throw HelpPage(error, arguments: arguments) ?? CommandLineProblem(error, in: arguments) ?? error
    }
  }

  /// The arguments for the parser. Does not return for a command that another program is.
  private static func arranged(_ arguments: [String]) throws -> [String] {
    do { return try CommandLineOrder.arranged(arguments) } catch let program as ExternalCommand { throw program.run() }
  }

  /// Reports an error, and returns the exit code.
  ///
  /// - Parameter root: the program's command, whose help and usage are shown.
  static func report(_ error: any Error, of root: any ParsableCommand.Type = NovaCommand.self) -> ExitStatus {
    switch error {
    case is OutputClosed: return .outputClosed
    case is FalseAnswer: return .falseAnswer
    case is Interrupted:
      Diagnostics.write("")
      return Interruption.status
    case let failure as Failure:
      Diagnostics.error(failure.message, hint: failure.hint)
      return failure.status
    case let page as HelpPage: return show(page.text)
    case let answer as CompletionAnswer: return show(answer.text)
    case let problem as CommandLineProblem:
      Diagnostics.usage(problem.lines(of: root))
      return .usage
    case let error as ConfigurationError: return report(Failure(error))
    default: return reportParsing(error, of: root)
    }
  }

  private static func show(_ text: String) -> ExitStatus {
    do {
      try StandardOutput.print(text)
      return .ok
    } catch {
      return report(error)
    }
  }

  /// Writes help and version to standard output, and usage errors to standard error.
  private static func reportParsing(_ error: any Error, of root: any ParsableCommand.Type) -> ExitStatus {
    switch root.exitCode(for: error) {
    case .success: return show(HelpPage(error, of: root)?.text ?? root.fullMessage(for: error))
    case .validationFailure:
      Diagnostics.usage(UsageMessage(root.fullMessage(for: error)).lines)
      return .usage
    default:
      Diagnostics.error("\(error)", hint: nil)
      return .failed
    }
  }
}
