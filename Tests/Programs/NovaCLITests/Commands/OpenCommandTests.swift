import Foundation
import NovaTestSupport
import Testing

/// `nova open`.
@Suite struct OpenCommandTests {
  private static let urls: [([String], String)] = [
    (["post", "post-1", "--web-url", "https://nova.social"], "https://nova.social/posts/post-1"),
    (["user", "ada", "--web-url", "https://nova.social/app/"], "https://nova.social/app/users/ada"),
    (["user", "ada", "--environment", "production"], "https://nova.social/users/ada"),
    (["user", "ada", "--environment", "staging", "--print"], "https://staging.nova.social/users/ada"),
    (
      ["user", "a/../b?c#d&e f%2e;ä👩‍💻\u{1B}", "--environment", "production"],
      "https://nova.social/users/a%2F..%2Fb%3Fc%23d%26e%20f%252e%3B%C3%A4%F0%9F%91%A9%E2%80%8D%F0%9F%92%BB%1B"
    ),
    (["user", "...", "--web-url", "http://localhost:3000"], "http://localhost:3000/users/..."),
  ]

  @Test(arguments: urls)
  func urlsArePrinted(_ arguments: [String], _ url: String) async throws {
    let run = try await ProgramRun(["open"] + arguments).result()
    #expect(run.status == 0 && run.output == url + "\n" && run.errors.isEmpty, "\(run)")
  }

  @Test func theWebsiteCanBeAVariable() async throws {
    let run = try await nova("open", "post", "1", "--mock", environment: ["NOVA_WEB_URL": "https://example.com"])
    #expect(run.output == "https://example.com/posts/1\n" && run.errors.isEmpty, "\(run)")
  }

  private static let errors: [([String], Int32, String)] = [
    (["post", "1", "--mock"], 64, "the website of the mock backend is unknown"),
    (["post", "1", "--base-url", "https://gateway.example.com"], 64, "https://gateway.example.com is unknown"),
    (["post", "1", "--web-url", "javascript:alert(1)"], 64, "invalid --web-url"),
    (["post", "1", "--web-url", "file:///etc/passwd"], 64, "invalid --web-url"),
    (["post", "1", "--web-url", "https://a.example/?q="], 64, "invalid --web-url"),
    (["post", "..", "--web-url", "https://a.example"], 65, "invalid argument"), (["page", "1"], 64, "user"),
    (["post", "", "--web-url", "https://a.example"], 64, "id"), (["post"], 64, "id"),
  ]

  @Test(arguments: errors)
  func whatCannotBeOpenedIsAnError(arguments: [String], status: Int32, message: String) async throws {
    let run = try await ProgramRun(["open"] + arguments).result()
    #expect(run.status == status && run.output.isEmpty && run.errors.contains(message), "\(run)")
  }

  #if os(Linux)
    /// A browser that writes its arguments to a file, on a terminal with a screen.
    @Test(arguments: [true, false]) func theBrowserOpensOnATerminalOnly(printsOnly: Bool) async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "open-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let (browser, opened) = (folder.appending(path: "xdg-open"), folder.appending(path: "opened"))
      try Data(
        "#!/bin/sh\necho \"$#:$1:$NOVA_TOKEN\" > '\(opened.path).new' && mv '\(opened.path).new' '\(opened.path)'\n"
          .utf8
      )
      .write(to: browser)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: browser.path)
      let arguments = ["open", "post", "$(touch x)", "--environment", "production"] + (printsOnly ? ["--print"] : [])
      let terminal = try PseudoTerminal(
        arguments, environment: ["PATH": "\(folder.path):/usr/bin:/bin", "DISPLAY": ":0", "NOVA_TOKEN": "abc.def.ghi"])
      #expect(try await terminal.status() == 0)
      try await terminal.wait(for: "https://nova.social/posts/%24%28touch%20x%29")
      try await waitUntil { printsOnly || FileManager.default.fileExists(atPath: opened.path) }
      let text = try? String(contentsOf: opened, encoding: .utf8)
      #expect(text == (printsOnly ? nil : "1:https://nova.social/posts/%24%28touch%20x%29:\n"))
    }
  #endif
}
