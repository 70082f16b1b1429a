import Foundation
import NovaTestSupport
import Testing

/// The lines of the documents' code that differ here, as docs/coming-from-the-guide.md lists them.
@Suite struct SampleChangesTests {
  private static let folder = Checkout.root.appending(path: "Tests/Suites/GuideParityTests/Samples")
  private static let page = Checkout.root.appending(path: "docs/coming-from-the-guide.md")
  private static let samples = [
    ("GuideProfileSample", "The guide's view model"), ("GuideErrorSample", "The guide's errors, settings and preview"),
    ("SessionsSample", "Sessions"), ("CaptureAPISample", "Captures"), ("CaptureScreenSample", "The capture screen"),
    ("AnnouncementsSample", "Pets"),
  ]
  private static let mark = "// guide: "
  private static let (begin, end) = ("<!-- changes -->\n", "<!-- end of changes -->")

  /// The tables of the page: for each sample, the lines there and here.
  private static func rendered() throws -> String {
    var text = ""
    for (name, title) in samples {
      text += "\n| \(title) | here |\n|---|---|\n"
      let source = try String(contentsOf: folder.appending(path: "\(name).swift"), encoding: .utf8)
      var rows: [String] = []
      let lines = source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      for (line, next) in zip(lines, lines.dropFirst()) where line.hasPrefix(mark) {
        // The samples are in namespaces.
        let (here, there) = (next.replacing("static ", with: ""), line.dropFirst(mark.count))
        let row = "| \(there == "-" ? "" : "`\(there)`") | `\(here)` |"
        if !rows.contains(row) { rows.append(row) }
      }
      #expect(!rows.isEmpty, "\(name)")
      text += rows.joined(separator: "\n") + "\n"
    }
    return text + "\n"
  }

  @Test func thePageListsEachLine() throws {
    let page = try String(contentsOf: Self.page, encoding: .utf8)
    let start = try #require(page.firstRange(of: Self.begin)).upperBound
    let stop = try #require(page.firstRange(of: Self.end)).lowerBound
    let expected = try Self.rendered()
    if ProcessInfo.processInfo.environment["UPDATE_DOCS"] == "1" {
      try (page[..<start] + expected + page[stop...]).write(to: Self.page, atomically: true, encoding: .utf8)
    } else {
      let isCurrent = page[start..<stop] == expected
      #expect(
        isCurrent,
        """
        docs/coming-from-the-guide.md is out of date: run \
        UPDATE_DOCS=1 NOVA_TESTS=GuideParityTests Tools/swift test --filter GuideParityTests
        """)
    }
  }

  @Test func everySampleIsListed() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
    #expect(files == Self.samples.map { "\($0.0).swift" }.sorted())
  }
}
