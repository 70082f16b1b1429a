import Foundation
import NovaTestSupport
import Testing

/// Every row of docs/requirements.md leads to a place that exists. `Tools/check-pages` checks the anchors of the links.
@Suite struct RequirementsTests {
  private static let page = Checkout.root.appending(path: "docs/requirements.md")

  @Test func everyRowHasAPlaceOrAReason() throws {
    let rows = try Row.all(of: String(contentsOf: Self.page, encoding: .utf8))
    #expect(rows.count > 400, "the page has fewer tables than documents")
    for row in rows {
      #expect(row.cells.count == 2 && row.cells.allSatisfy { !$0.isEmpty }, "\(row)")
      #expect(row.isOut || row.cells.last?.contains("](") == true, "no link: \(row)")
    }
  }

  @Test func everyLinkLeadsToWhatItNames() throws {
    for row in try Row.all(of: String(contentsOf: Self.page, encoding: .utf8)) {
      for link in row.links {
        if let problem = try link.problem(from: Self.page) { Issue.record("\(problem): \(row)") }
      }
    }
  }

  @Test func nothingIsLeftToDo() throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    for line in text.split(separator: "\n") where line.contains("TODO") || line.contains("PENDING") {
      Issue.record("\(line)")
    }
  }

  @Test(arguments: [
    ("signIn(email:password:)", "  public func signIn(email: String, password: String)", true),
    ("signIn(email:password:)", "  public func signInAgain(email: String)", false),
    ("signOut()", "/// To end a session, call `signOut()`.", false),
    ("AppState.clearError()", "  public func clearError() { error = nil }", true),
    ("list(near:)", "func list<Place>(near place: Place)", true),
    ("init(_:)", "  public init?(_ text: String) {", true),
    ("init(_:)", "let initial = 1", false), ("session", "public var session: Session?", true),
    (".seconds(15)", "timeout: .seconds(15),", true), (".seconds(15)", "timeout: .seconds(30),", false),
  ])
  func functionsAreLookedForAsDeclarations(name: String, source: String, isThere: Bool) {
    #expect(Link.declares(name, in: source) == isThere)
  }
}

/// A row of a table: a requirement, and where it is.
private struct Row: CustomStringConvertible {
  let line: Int
  let text: String
  /// Whether it is one of what the SDK does not do, which has a reason in place of a link.
  let isOut: Bool

  var description: String { "docs/requirements.md:\(line): \(text)" }

  var cells: [String] {
    text.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map {
      $0.trimmingCharacters(in: .whitespaces)
    }
  }

  var links: [Link] {
    text.matches(of: /\[([^\]]+)\]\(([^)\s]+)\)/).map { Link(text: String($0.1), target: String($0.2)) }
  }

  /// The rows of all tables, without their heads.
  static func all(of page: String) -> [Row] {
    var (rows, isOut) = ([Row](), false)
    for (number, line) in page.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.hasPrefix("## ") { isOut = line.hasPrefix("## What is out") }
      guard line.hasPrefix("|"), !line.hasPrefix("|---"), !line.hasPrefix("| requirement |") else { continue }
      rows.append(Row(line: number + 1, text: String(line), isOut: isOut))
    }
    return rows
  }
}

private struct Link {
  let text: String
  let target: String

  /// Why the link does not lead to what it names; nil if it does.
  func problem(from page: URL) throws -> String? {
    let path = target.prefix { $0 != "#" }
    guard !path.isEmpty, !target.contains("://") else { return nil }
    let file = page.deletingLastPathComponent().appending(path: String(path)).standardizedFileURL
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false), isDirectory: &isDirectory) else {
      return "there is no \(target)"
    }
    guard text.hasPrefix("`"), text.hasSuffix("`"), !isDirectory.boolValue else { return nil }
    let name = String(text.dropFirst().dropLast())
    let source = try String(contentsOf: file, encoding: .utf8)
    return name == file.lastPathComponent || Self.declares(name, in: source) ? nil : "\(target) has no \(name)"
  }

  /// Whether a source has a text; for `signIn(email:password:)`, a function with that base name.
  static func declares(_ name: String, in source: String) -> Bool {
    guard let function = name.wholeMatch(of: /(?:\w+\.)*(\w+)\((?:\w+:)*\)/)?.1 else { return source.contains(name) }
    let starts = function == "init" ? ["init(", "init?("] : ["func \(function)(", "func \(function)<"]
    return starts.contains { source.contains($0) }
  }
}
