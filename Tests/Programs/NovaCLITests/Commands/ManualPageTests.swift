import Foundation
import NovaTestSupport
import Testing

@testable import NovaCLI

@Suite struct ManualPageTests {
  /// Writes all pages into a directory, and removes it afterwards.
  private func withPages(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "nova-man-\(UUID().uuidString)/man1")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder.deletingLastPathComponent()) }
    let run = try await nova("generate-man", folder.path)
    #expect(run.status == 0, "\(run.errors)")
    try await body(folder)
  }

  @Test func everyCommandHasAPageThatGroffAccepts() async throws {
    try await withPages { folder in
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      let expected = CommandTree.nova.all.map { (["nova"] + $0.path).joined(separator: "-") + ".1" }
      #expect(names.sorted() == expected.sorted())
      let run = try await ProgramRun(
        ["-ww", "-man", "-Tutf8", "-z", "-rLL=78n"] + names.map { folder.appending(path: $0).path },
        executable: URL(filePath: "/usr/bin/groff")
      ).result()
      #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    }
  }

  @Test func manShowsThePages() async throws {
    try await withPages { folder in
      func page(_ name: String) async throws -> String {
        let run = try await ProgramRun(
          ["-P", "cat", "-l", folder.appending(path: name).path], executable: URL(filePath: "/usr/bin/man"),
          environment: ["MANWIDTH": "78", "LC_ALL": "C.UTF-8", "GROFF_NO_SGR": "1"]
        ).result()
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        // Bold letters are printed twice.
        return run.output.replacing(#/.\x{8}/#, with: "")
      }
      let root = try await page("nova.1")
      for part in ["nova - Use NovaSocial from a terminal", "EXIT STATUS", "followers", "SEE ALSO", "nova-post(1)"] {
        #expect(root.contains(part), "\(part) is not in\n\(root)")
      }
      let call = try await page("nova-call.1")
      for part in [
        "nova call <rpc> [<json>] [<field>=<value> ...] [<options>]", "--allow-unknown-fields", "-o, --output <output>",
        #"nova call graph.GetFollowers '{"user_id": "mock-user-id", "limit": 3}' --mock"#,
      ] { #expect(call.contains(part), "\(part) is not in\n\(call)") }
    }
  }

  @Test(arguments: [
    ("plain", "plain\n"), (".TH x", "\\&.TH x\n"), ("'quoted'", "\\&\\(aqquoted\\(aq\n"), ("a\\b", "a\\(rsb\n"),
    ("--all", "\\-\\-all\n"), ("…", "\\[u2026]\n"), ("a\n.b", "a\n\\&.b\n"), ("😀", "\\[u1F600]\n"),
  ])
  func textIsNeverAMacro(_ text: String, _ expected: String) {
    var source = ManualSource(title: "T", footer: "f")
    let start = source.text
    source.text(text)
    #expect(source.text.dropFirst(start.count) == expected)
  }

  @Test func aMissingDirectoryIsAFailure() async throws {
    let run = try await nova("generate-man", "/does/not/exist")
    #expect(run.status == 1 && run.output.isEmpty)
    #expect(run.errors.hasPrefix("nova: cannot write /does/not/exist/nova.1: "), "\(run.errors)")
  }
}
