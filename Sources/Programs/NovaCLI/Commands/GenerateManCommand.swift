import ArgumentParser
import NovaCore

struct GenerateMan: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate-man", abstract: "Write the manual pages of nova and its commands.",
    usage: "nova generate-man <directory>",
    discussion: """
      Writes a page for each command, such as nova-followers.1. man finds them in the folder man1 of any folder in \
      MANPATH.
      """)

  @Argument(help: .value("directory", "The existing directory to write to."), completion: .directory)
  var directory: String

  func run() throws {
    let pages = try ManualPage.all()
    for page in pages {
      let path = "\(directory)/\(page.fileName)"
      try Failure.writing(path) { try System.replaceFile(path, with: Array(page.source.utf8)) }
    }
    Diagnostics.confirmation("\(pages.count) pages written; show one with `man -l \(directory)/nova.1`")
  }
}
