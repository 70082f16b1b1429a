import Foundation
import NovaTestSupport
import Testing

/// The commands that README.md shows print what it shows. Tools/check-pages covers the Swift code of all pages.
@Suite struct ReadmeTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func readme() throws -> String {
    try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
  }

  /// The text of the code blocks in this language.
  private static func blocks(_ language: String) throws -> [String] {
    try readme().split(separator: "```\(language)\n", omittingEmptySubsequences: false).dropFirst().map { rest in
      String(rest.prefix(upTo: rest.range(of: "```")?.lowerBound ?? rest.endIndex))
    }
  }

  @Test func theQuickStartIsTheExample() throws {
    let quickstart = try String(
      contentsOf: Self.root.appending(path: "Examples/Quickstart/Sources/Quickstart/main.swift"), encoding: .utf8)
    #expect(try Self.blocks("swift").contains(quickstart))
  }

  @Test func everyCommandPrintsWhatIsShown() async throws {
    let blocks = try Self.blocks("console")
    #expect(!blocks.isEmpty)
    for block in blocks {
      for example in block.split(separator: "$ nova ", omittingEmptySubsequences: true) {
        let lines = example.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let result = try await ProgramRun(Self.words(lines[0])).result()
        #expect(result.status == 0, "nova \(lines[0]): \(result.errors)")
        #expect(result.output == lines.dropFirst().joined(), "nova \(lines[0])")
      }
    }
  }

  /// The words of a command line with single quotes.
  private static func words(_ line: Substring) -> [String] {
    line.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
      index.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
    }
  }
}
