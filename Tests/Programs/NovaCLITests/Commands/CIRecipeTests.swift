import Foundation
import NovaTestSupport
import Testing

/// The recipes of docs/ci.md: each `nova` command in them is run as it is written.
@Suite struct CIRecipeTests {
  private static var page: String {
    get throws { try Checkout.text(of: "docs/ci.md") }
  }

  /// The commands in the page's code blocks, without what stands around them in YAML.
  private static var commands: [String] {
    get throws {
      var commands: [String] = []
      var isCode = false
      var continued = ""
      for line in try page.split(separator: "\n", omittingEmptySubsequences: false) {
        if line.hasPrefix("```") { isCode.toggle() }
        var text = String(line.drop { " ".contains($0) })
        for prefix in ["- ", "run: "] where text.hasPrefix(prefix) { text.removeFirst(prefix.count) }
        if !continued.isEmpty { text = "\(continued) \(text)" }
        continued = text.hasSuffix("\\") ? String(text.dropLast()) : ""
        if isCode, continued.isEmpty, text.hasPrefix("nova ") { commands.append(text) }
      }
      return commands
    }
  }

  @Test func everyCheckRunsAsWritten() async throws {
    let checks = try Self.commands.filter { $0.hasPrefix("nova contract check ") }
    #expect(checks.count == 5)
    #expect(
      try Self.commands.filter { $0.hasPrefix("nova serve ") } == [
        "nova serve --port 8080 &", "nova serve --port 8080 &",
      ])
    let folder = FileManager.default.temporaryDirectory.appending(path: "ci-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let nova = try ProgramRun.program().path
    try await withServe { url, _ in
      // First what creates the baseline, which the recipes have in their repository.
      let order = checks.sorted { $0.contains("--update-baseline") && !$1.contains("--update-baseline") }
      for check in order {
        let command = check.replacing("https://staging-api.nova.social", with: url)
          .replacing(#/^nova /#, with: "'\(nova)' ")
        let run = try await ProgramRun(
          ["-c", "cd '\(folder.path)' && \(command)"], executable: URL(filePath: "/bin/sh"),
          environment: ["NOVA_BASE_URL": url]
        ).result()
        #expect(run.status == 0, "\(check): \(run.output)\(run.errors)")
      }
    }
    let written = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(
      written == ["contract-baseline.json", "contract.json", "contract.md", "contract.sarif", "contract.xml"])
  }

  @Test func theServerIsAwaitedAsWritten() async throws {
    let waits = try Self.page.matches(of: #/until (nova call .*?) > /#).map { String($0.1) }
    #expect(waits.count == 2)
    try await withServe { url, _ in
      for wait in Set(waits) {
        let run = try await ProgramRun(wait.split(separator: " ").dropFirst().map(String.init) + ["--base-url", url])
          .result()
        #expect(run.status == 0, "\(wait): \(run.errors)")
      }
    }
  }
}
