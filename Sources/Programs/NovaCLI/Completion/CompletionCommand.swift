import ArgumentParser

struct Completion: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completion", abstract: "Print a completion script for a shell.",
    discussion: """
      nova completion bash > ~/.local/share/bash-completion/completions/nova
      nova completion zsh > "${fpath[1]}/_nova"
      nova completion fish > ~/.config/fish/completions/nova.fish
      """)

  enum Shell: String, ExpressibleByArgument, CaseIterable {
    case bash, zsh, fish

    var kind: CompletionShell {
      switch self {
      case .bash: .bash
      case .zsh: .zsh
      case .fish: .fish
      }
    }
  }

  @Argument(help: "The shell.") var shell: Shell

  func run() throws {
    try StandardOutput.print(CompletionRoot.script(for: shell.kind))
  }
}
