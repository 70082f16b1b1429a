import ArgumentParser
import NovaTestSupport
import Testing

@testable import NovaCLI

/// All lists have the same options, with the same words and limits.
@Suite struct ListOptionTests {
  /// What a list supports: an offset or a cursor, sorting, names beside IDs.
  private enum Part: String, CaseIterable {
    case limit, all, offset, cursor, sort, ids
  }

  private static let lists: [(command: any ParsableCommand.Type, arguments: [String], parts: [Part])] = [
    (IDListCommand<Followers>.self, ["followers", "x"], [.limit, .all, .offset, .ids]),
    (IDListCommand<Following>.self, ["following", "x"], [.limit, .all, .offset, .ids]),
    (IDListCommand<Likes>.self, ["likes", "x"], [.limit, .all, .offset, .ids]),
    (IDListCommand<Liked>.self, ["liked", "x"], [.limit, .all, .offset, .ids]),
    (Posts.self, ["posts", "x"], [.limit, .all, .offset]),
    (Bookmarks.self, ["bookmarks", "x"], [.limit, .all, .offset, .ids]),
    (Comments.self, ["comments", "x"], [.limit, .all, .offset, .sort, .ids]),
    (Search.self, ["search", "x"], [.limit, .all, .offset]),
    (CaptureList.self, ["capture", "list"], [.limit, .all, .offset]),
    (Feed.self, ["feed", "x"], [.limit, .all, .cursor, .ids]), (Creators.self, ["creators", "x"], [.limit]),
    (Videos.self, ["videos", "x"], [.limit]), (Reels.self, ["reels"], [.limit, .ids]), (Pets.self, ["pets"], [.limit]),
  ]

  private static let everywhere = ["--output", "--fields", "--jq", "--template", "--time"]

  @Test(arguments: lists.indices) func everyListHasTheSameOptions(index: Int) {
    let list = Self.lists[index]
    let help = list.command.helpMessage(columns: 200)
    let options = Self.options(help)
    for name in Self.everywhere { #expect(options[name] != nil, "\(list.arguments) lacks \(name)") }
    for part in Part.allCases {
      #expect(
        (options["--\(part.rawValue)"] != nil) == list.parts.contains(part), "\(list.arguments) --\(part.rawValue)")
    }
    // The same words everywhere; a list's own options are not compared.
    let model = Self.options(IDListCommand<Followers>.helpMessage(columns: 200))
    for name in Self.everywhere + ["--limit", "--all", "--offset", "--ids"] {
      if let text = options[name] { #expect(text == model[name], "\(list.arguments) \(name)") }
    }
  }

  /// The help of each option, by its name.
  private static func options(_ help: String) -> [String: String] {
    let lines = help.split(separator: "\n").map { String($0.drop { $0 == " " }) }
    let pairs = lines.compactMap { line -> (String, String)? in
      guard line.hasPrefix("-"), let name = line.split(separator: " ").first(where: { $0.hasPrefix("--") }) else {
        return nil
      }
      let text = line.split(separator: " ").drop { $0.hasPrefix("-") || $0.hasPrefix("<") }.joined(separator: " ")
      return (name.trimmingSuffix(","), text)
    }
    return Dictionary(pairs) { first, _ in first }
  }

  @Test(arguments: lists.indices) func everyListRefusesTheSame(index: Int) throws {
    let list = Self.lists[index]
    var wrong: [(arguments: [String], message: String)] = [
      (["--limit", "0"], "invalid --limit: must be 1 or more, got 0"),
      (["--limit=-1"], "invalid --limit: must be 1 or more, got -1"),
      (["--fields", "id", "-o", "ids"], "--output ids and --fields cannot be combined"),
      (["--template", "{{id}}", "-o", "json"], "--template and --output cannot be combined"),
    ]
    if list.parts.contains(.offset) {
      wrong.append((["--offset=-1"], "invalid --offset: must be 0 or more, got -1"))
      wrong.append((["--all", "--offset", "1"], "--all and --offset cannot be combined"))
    }
    if list.parts.contains(.cursor) {
      wrong.append((["--all", "--cursor", "x"], "--all and --cursor cannot be combined"))
    }
    for (arguments, message) in wrong {
      let line = list.arguments + ["--mock"] + arguments
      let error = try #require(#expect(throws: (any Error).self, "\(line)") { try CommandTree.check(line) })
      let text = NovaCommand.fullMessage(for: error)
      #expect(NovaCommand.exitCode(for: error) == .validationFailure && text.contains(message), "\(line): \(text)")
    }
  }
}

extension Substring {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    String(hasSuffix(suffix) ? dropLast(suffix.count) : self)
  }
}
