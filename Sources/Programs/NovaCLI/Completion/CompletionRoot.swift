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
  @OptionGroup var output: OutputOptions<ListFormat>

  /// The script of a shell.
  static func script(for shell: CompletionShell) -> String {
    let script = completionScript(for: shell)
    return switch shell {
    case .bash: script.replacing("complete -o filenames -F _nova nova", with: bashEnd)
    case .zsh: script.replacing(zshWords, with: zshWordsAndFields)
    default: script
    }
  }

  /// After the name of a field, `user_id=`, its value is typed: no space is added, and no backslash before `=` or `@`.
  private static let bashEnd = #"""
    _nova_words() {
        _nova "${@}"
        if [[ "${#COMPREPLY[@]}" -eq 1 ]]; then
            [[ "${COMPREPLY[0]}" != *= ]] || compopt -o nospace +o filenames
            [[ ! "${COMPREPLY[0]}" =~ ^@[A-Za-z0-9_./-]+[^/]$ ]] || compopt +o filenames
        fi
        return 0
    }

    complete -o filenames -F _nova_words nova
    """#

  private static let zshWords = #"""
        _describe -V '' non_empty_completions -- empty_completions -P $'\'\''
    """#

  private static let zshWordsAndFields = #"""
        local -ar field_completions=("${(M)non_empty_completions[@]:#*=}")
        local -ar other_completions=("${non_empty_completions[@]:#*=}")
        _describe -V '' other_completions -- empty_completions -P $'\'\'' -- field_completions -S ''
    """#

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
