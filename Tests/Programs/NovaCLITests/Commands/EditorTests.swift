import Foundation
import NovaTestSupport
import Testing

/// Texts that are written in an editor, on a real terminal.
@Suite(.hangLimit) struct EditorTests {
  /// A folder with an editor that writes a text.
  private func withEditor(_ script: String, _ body: (URL, String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "nova-editor-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let editor = folder.appending(path: "editor")
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: editor)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: editor.path)
    try await body(folder, editor.path)
  }

  private func terminal(_ arguments: [String], in folder: URL, _ editor: String) throws -> PseudoTerminal {
    try PseudoTerminal(
      arguments, showsErrors: true, readsKeys: true, environment: ["EDITOR": editor, "TMPDIR": folder.path])
  }

  private func drafts(_ folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("nova-") }
  }

  @Test(arguments: [["post", "create"], ["post", "create", "--editor"]])
  func theTextIsSentAndItsFileRemoved(_ command: [String]) async throws {
    try await withEditor(#"printf 'Written here.\n' > "$1""#) { folder, editor in
      let terminal = try terminal(
        command + ["--as", "ada", "--mock", "--fields", "content"], in: folder, editor)
      try await terminal.wait(for: "Written here.")
      #expect(try await terminal.status() == 0)
      #expect(try drafts(folder).isEmpty)
    }
  }

  @Test func anEditBeginsWithTheText() async throws {
    try await withServe { url, _ in
      let created = try await nova("post", "create", "Before.", "--as", "ada", "--base-url", url, "-o", "ids")
      let id = try #require(created.lines.first)
      try await withEditor(#"printf 'and after\n' >> "$1""#) { folder, editor in
        let terminal = try terminal(
          ["post", "edit", id, "--editor", "--base-url", url, "-o", "ids"], in: folder, editor)
        #expect(try await terminal.status() == 0)
      }
      let shown = try await nova("post", "show", id, "--base-url", url, "--template", "{{content}}")
      #expect(shown.output == "Before.\\nand after\n", "\(shown)")
    }
  }

  @Test func aTextThatIsTheSameIsNotKept() async throws {
    try await withServe { url, _ in
      let created = try await nova("post", "create", "Before.", "--as", "ada", "--base-url", url, "-o", "ids")
      let id = try #require(created.lines.first)
      try await withEditor("exit 0") { folder, editor in
        let terminal = try terminal(["post", "edit", id, "--editor", "--base-url", url], in: folder, editor)
        try await terminal.wait(for: "nothing was changed: the text is the same")
        #expect(try await terminal.status() == 1)
        #expect(try drafts(folder).isEmpty)
      }
    }
  }

  @Test func anEmptyTextIsNotSent() async throws {
    try await withEditor(#"printf ' \n' > "$1""#) { folder, editor in
      let terminal = try terminal(["post", "create", "--as", "ada", "--mock"], in: folder, editor)
      try await terminal.wait(for: "nothing was sent: the text is empty")
      #expect(try await terminal.status() == 1)
      #expect(try drafts(folder).isEmpty)
    }
  }

  @Test func aTextThatCannotBeSentIsKept() async throws {
    try await withEditor(#"printf 'Keep me.\n' > "$1""#) { folder, editor in
      let terminal = try terminal(
        ["post", "create", "--as", "ada", "--base-url", "http://127.0.0.1:9"], in: folder, editor)
      try await terminal.wait(for: "the text is kept in")
      #expect(try await terminal.status() == 6)
      let draft = try #require(try drafts(folder).first)
      let text = try String(contentsOf: folder.appending(path: "\(draft)/post.txt"), encoding: .utf8)
      #expect(text == "Keep me.\n")
    }
  }

  @Test func anEditorThatFailsSendsNothing() async throws {
    try await withEditor("exit 3") { folder, editor in
      let terminal = try terminal(["comment", "post-1", "--as", "ada", "--mock"], in: folder, editor)
      try await terminal.wait(for: "the editor failed with exit code 3")
      #expect(try await terminal.status() == 1)
    }
  }

  /// An editor can be killed, or can fail after the text is saved.
  @Test(arguments: ["exit 3", "kill -9 $$"])
  func aTextThatWasSavedBeforeTheEditorFailedIsKept(_ end: String) async throws {
    try await withEditor("printf 'Keep me.\\n' > \"$1\"; \(end)") { folder, editor in
      let terminal = try terminal(["post", "create", "--as", "ada", "--mock"], in: folder, editor)
      try await terminal.wait(for: "the text is kept in")
      #expect(try await terminal.status() == 1)
      let draft = try #require(try drafts(folder).first)
      let text = try String(contentsOf: folder.appending(path: "\(draft)/post.txt"), encoding: .utf8)
      #expect(text == "Keep me.\n")
    }
  }

  @Test(arguments: ["exit 3", "rm \"$1\""])
  func nothingIsLeftOfAnEditorThatSavedNothing(_ script: String) async throws {
    try await withEditor(script) { folder, editor in
      let terminal = try terminal(["post", "create", "--as", "ada", "--mock"], in: folder, editor)
      try await terminal.wait(for: "nothing was sent")
      #expect(try await terminal.status() == 1)
      #expect(try drafts(folder).isEmpty)
    }
  }

  @Test func withoutATerminalNoEditorIsOpened() async throws {
    let run = try await nova("post", "create", "--editor", "--as", "ada", "--mock", environment: ["EDITOR": "false"])
    #expect(run.status == 64 && run.errors.contains("not a terminal"), "\(run)")
    let input = try await nova(
      "post", "create", "--as", "ada", "--mock", "--fields", "content", input: "Hi\n", environment: ["EDITOR": "false"])
    #expect(input.status == 0 && input.output.contains("Hi"), "\(input)")
    #expect(try await nova("post", "create", "Hi", "--editor", "--as", "ada", "--mock").status == 64)
  }
}
