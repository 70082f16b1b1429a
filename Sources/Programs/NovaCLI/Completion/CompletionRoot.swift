import ArgumentParser
import NovaCore

/// `nova` as shells complete it: with the options that can appear before the command, which are moved after it before they
/// are parsed.
struct CompletionRoot: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nova", abstract: NovaCommand.configuration.abstract, version: NovaCommand.version,
    subcommands: NovaCommand.configuration.subcommands)

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var storing: StoreOptions
  @OptionGroup var acting: ActorOptions

  /// The script of a shell.
  static func script(for shell: CompletionShell) -> String { completionScript(for: shell) }

  /// What the script calls `nova` with to complete a word.
  static func isRequest(_ arguments: [String]) -> Bool { arguments.first == "---completion" }

  /// Answers a request of the script.
  ///
  /// - Throws: the parser's error with the words to offer, which are shown as those of ``NovaCommand`` are.
  static func answer(_ arguments: [String]) async throws {
    do { _ = try await asyncParseAsRoot(arguments) } catch { throw CompletionAnswer(text: fullMessage(for: error)) }
  }
}

/// The words that a shell offers.
struct CompletionAnswer: Error {
  let text: String
}
