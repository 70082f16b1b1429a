import Foundation
import NovaTestSupport

/// A page of the documentation, for tests that run what it shows.
struct GuidePage {
  /// A run of `nova`, and the text below it.
  struct Example {
    let arguments: [String]
    let shown: String
  }

  private let text: String

  /// - Parameter path: the path from the top of the repository.
  init(_ path: String) throws { text = try Checkout.text(of: path) }

  /// The text of the code blocks in this language.
  func blocks(_ language: String) -> [String] {
    text.split(separator: "```\(language)\n", omittingEmptySubsequences: false).dropFirst().map { rest in
      String(rest.prefix(upTo: rest.range(of: "```")?.lowerBound ?? rest.endIndex))
    }
  }

  /// The commands in its console blocks, in order.
  var examples: [Example] {
    blocks("console").flatMap { $0.split(separator: "$ nova ", omittingEmptySubsequences: true) }.map { part in
      let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      return Example(arguments: Self.words(lines[0]), shown: lines.dropFirst().joined())
    }
  }

  /// The words of a command line with single quotes.
  private static func words(_ line: Substring) -> [String] {
    line.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
      index.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
    }
  }
}
