import ArgumentParser
import NovaCore

/// The option of commands that change something on this machine and make no calls. Others have it among those of the
/// connection.
struct QuietOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Print no notes and confirmations; warnings and errors stay.")
  var quiet = false

  /// Before the command runs, whatever it prints.
  func validate() throws {
    if quiet { Diagnostics.isQuiet = true }
  }
}

/// The option of commands whose effect cannot be undone. They ask before they act.
struct ConfirmationOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Continue without asking. Required without a terminal, such as in scripts.")
  var yes = false

  /// Prepares the question whether to do something. Call this before anything is sent, and ask right before the change.
  ///
  /// - Parameter action: a verb phrase: `delete post "post-1"`.
  /// - Throws: ``Failure`` without `--yes` if no terminal can show the question.
  func confirmation(to action: String) throws -> Confirmation {
    guard yes || TerminalQuestion.canBeAsked else {
      throw Failure(
        "cannot ask whether to \(action): standard input or standard error is not a terminal",
        hint: "Add --yes to continue without asking.", .usage)
    }
    return Confirmation(action: action, isGiven: yes)
  }
}

/// The consent to something that cannot be undone.
struct Confirmation {
  /// What to do: `delete post "post-1"`.
  let action: String
  /// Whether `--yes` was given, which skips the question.
  let isGiven: Bool

  /// Asks on the terminal, unless the consent is given: `Delete post "post-1" at http://localhost:8080? [y/N] `.
  ///
  /// - Parameters:
  ///   - detail: what people should know about it, in parentheses.
  ///   - place: where it is done; nil on this machine.
  /// - Throws: ``Failure`` for any answer but yes, and at the end of the input; ``Interrupted`` for Ctrl-C.
  func obtain(_ detail: String? = nil, at place: String? = nil) throws {
    guard !isGiven else { return }
    let start = "\(action.prefix(1).uppercased())\(action.dropFirst())"
    let question = "\(start)\(detail.map { " (\($0))" } ?? "")\(place.map { " at \($0)" } ?? "")?"
    let answer = try TerminalQuestion.answer(to: "\(question) [y/N] ")
    guard let answer, Self.isYes(answer) else { throw Failure("did not \(action): not confirmed", .failed) }
  }

  static func isYes(_ answer: String) -> Bool { ["y", "yes"].contains(answer.trimmed().lowercased()) }
}
