import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCLI

/// Commands whose effect cannot be undone ask before they act.
@Suite struct ConfirmationTests {
  /// A command that deletes, its question, and the path of its call.
  private struct Deletion: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let action: String
    let path: String

    var testDescription: String { action }
  }

  private static let deletions = [
    Deletion(
      arguments: ["post", "delete", "post-1", "--as", "ada"], action: "delete post \"post-1\"",
      path: "/api/v1/content/post/delete"),
    Deletion(
      arguments: ["comment", "delete", "comment-1", "--as", "ada"], action: "delete comment \"comment-1\"",
      path: "/api/v1/social/comment/delete"),
    Deletion(arguments: ["capture", "delete", "7"], action: "delete capture 7", path: "/api/v1/somethings/7"),
  ]

  /// `capture` asks nothing while nobody is signed in.
  private static let signedIn = ["NOVA_TOKEN": "a.b.c"]

  private static let done: FaultServer.Handler = { _ in
    HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Array(#"{"success":true}"#.utf8))
  }

  @Test(arguments: deletions) private func withoutATerminalNothingIsSent(_ deletion: Deletion) async throws {
    let server = try FaultServer()
    defer { server.stop() }
    let run = try await ProgramRun(
      deletion.arguments + ["--base-url", server.url], input: "y\n", environment: Self.signedIn
    ).result()
    #expect(run.status == 64)
    #expect(
      run.errors == """
        nova: cannot ask whether to \(deletion.action): standard input or standard error is not a terminal
              Add --yes to continue without asking.

        """)
    #expect(server.requestCount == 0)
  }

  @Test(arguments: deletions, ["y\n", "Yes \n", "Y\r"])
  private func yesDeletes(_ deletion: Deletion, _ keys: String) async throws {
    let (terminal, server) = try Self.asked(deletion)
    defer { server.stop() }
    try await terminal.wait(for: "? [y/N] ")
    try terminal.type(keys)
    #expect(try await terminal.status() == 0, "\(terminal.output)")
    try await terminal.wait(for: " deleted\r\n")
    let question = deletion.action.prefix(1).uppercased() + deletion.action.dropFirst() + " at \(server.url)? [y/N] "
    #expect(terminal.output.hasPrefix(question), "\(terminal.output)")
    #expect(server.requests.map(\.url.path) == [deletion.path])
  }

  @Test(arguments: deletions, ["n\n", "\n", "yesterday\n", "j\n", "\u{4}", "\u{1B}[A\n", "\u{202E}y\n"])
  private func anyOtherAnswerDeletesNothing(_ deletion: Deletion, _ keys: String) async throws {
    let (terminal, server) = try Self.asked(deletion)
    defer { server.stop() }
    try await terminal.wait(for: "? [y/N] ")
    try terminal.type(keys)
    #expect(try await terminal.status() == 1, "\(terminal.output)")
    try await terminal.wait(for: "\r\nnova: did not \(deletion.action): not confirmed\r\n")
    #expect(server.requestCount == 0)
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func aSignalEndsTheQuestion(_ signal: Int32, _ status: Int32) async throws {
    let (terminal, server) = try Self.asked(Self.deletions[0])
    defer { server.stop() }
    try await terminal.wait(for: "? [y/N] ")
    terminal.signal(signal)
    #expect(try await terminal.status() == status)
    try await terminal.wait(for: "? [y/N] \r\n")
    #expect(server.requestCount == 0)
  }

  @Test func theQuestionEscapesTheID() async throws {
    let deletion = Deletion(
      arguments: ["post", "delete", "a\u{1B}[2J\u{202E}b", "--as", "ada"], action: "", path: "")
    let (terminal, server) = try Self.asked(deletion)
    defer { server.stop() }
    try await terminal.wait(for: #"Delete post "a\u{1b}[2J\u{202e}b" at \#(server.url)? [y/N] "#)
    try terminal.type("n\n")
    #expect(try await terminal.status() == 1)
  }

  @Test(arguments: ["--yes", "-y"]) func yesSkipsTheQuestion(_ flag: String) async throws {
    let server = try FaultServer(handler: Self.done)
    defer { server.stop() }
    let run = try await nova("post", "delete", "post-1", "--as", "ada", flag, "--base-url", server.url)
    #expect(run.status == 0 && run.errors == "post-1 is deleted\n", "\(run.errors)")
    #expect(server.requestCount == 1)
  }

  @Test func anAnswerIsYesOrNo() {
    for answer in ["y", "Y", "yes", "YES", " yes\t", "y "] { #expect(Confirmation.isYes(answer), "\(answer)") }
    for answer in ["", " ", "n", "no", "ye", "yy", "y n", "yes!", "да", "y\u{301}"] {
      #expect(!Confirmation.isYes(answer), "\(answer)")
    }
  }

  private static func asked(_ deletion: Deletion) throws -> (PseudoTerminal, FaultServer) {
    let server = try FaultServer(handler: done)
    let terminal = try PseudoTerminal(
      deletion.arguments + ["--base-url", server.url], showsErrors: true, readsKeys: true,
      environment: signedIn.merging(["NO_COLOR": "1"]) { $1 })
    return (terminal, server)
  }
}
