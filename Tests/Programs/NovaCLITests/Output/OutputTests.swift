import NovaCore
import NovaTestSupport
import Testing

@testable import NovaCLI

@Suite struct OutputTests {
  private let plain = Styles(isTerminal: false, noColor: nil, terminal: "xterm")

  @Test func tablesHaveColumns() {
    var table = Table("NAME", "WHAT")
    table.rows = [["a", "first"], ["longer", "x"]]
    #expect(table.lines(plain) == ["NAME    WHAT", "a       first", "longer  x"])
  }

  @Test func cellsCannotControlTheTerminal() {
    var table = Table("NAME")
    table.rows = [["a\u{1B}[2J\nb\u{202E}c"]]
    #expect(table.lines(plain).last == #"a\u{1b}[2J\u{a}b\u{202e}c"#)
  }

  @Test func coloursNeedATerminalThatHasThem() {
    #expect(Styles(isTerminal: true, noColor: nil, terminal: "xterm").isColored)
    #expect(Styles(isTerminal: true, noColor: "", terminal: "xterm").isColored)
    #expect(!Styles(isTerminal: true, noColor: nil, terminal: "").isColored)
    #expect(!Styles(isTerminal: true, noColor: nil, terminal: nil).isColored)
    #expect(!Styles(isTerminal: true, noColor: "1", terminal: "xterm").isColored)
    #expect(!Styles(isTerminal: true, noColor: nil, terminal: "dumb").isColored)
    #expect(!Styles(isTerminal: false, noColor: nil, terminal: "xterm").isColored)
  }

  @Test(arguments: [
    ("{}", "{}"), ("[]", "[]"), (#"{"a":[]}"#, "{\n  \"a\": []\n}"), (#""{[,:]}\"""#, #""{[,:]}\"""#),
    (
      #"{"a":{"b":[1,2]},"c":"\\"}"#,
      "{\n  \"a\": {\n    \"b\": [\n      1,\n      2\n    ]\n  },\n  \"c\": \"\\\\\"\n}"
    ),
    ("[[],{}]", "[\n  [],\n  {}\n]"), (#"["}",{"a":"{"}]"#, "[\n  \"}\",\n  {\n    \"a\": \"{\"\n  }\n]"),
  ])
  func jsonIsSpread(_ json: String, _ expected: String) throws {
    #expect(String(decoding: PrettyJSON.spread(try JSONValue(jsonUTF8: Array(json.utf8))), as: UTF8.self) == expected)
  }

  @Test(arguments: [
    (0, 2, true, "2 somethings shown; use --all to list all"), (0, 1, false, "1 something"),
    (2, 1, false, "1 something, from offset 2"),
    (2, 5, true, "5 somethings shown, from offset 2; use --all without --offset to list all"),
  ])
  func extentsOfUncountedListsHaveNoTotal(offset: Int, count: Int, hasMore: Bool, expected: String) {
    var extent = ListExtent(.page(limit: 0, offset: offset), isCounted: false)
    extent.add(Page(items: (0..<count).map(String.init), totalCount: 0, hasMore: hasMore))
    #expect(extent.sentence(one: "something", many: "somethings") == expected)
  }

  @Test(arguments: [
    (0, 50, 3021, true, "50 of 3,021 followers shown; use --all to list all"), (0, 1, 1, false, "1 follower"),
    (0, 0, 0, false, "0 followers"), (3000, 21, 3021, false, "21 of 3,021 followers, from offset 3,000"),
    (99_999, 0, 3021, false, "0 of 3,021 followers, from offset 99,999"),
    (0, 50, 0, true, "50 of 50 followers shown; use --all to list all"),
  ])
  func extentsAreSentences(offset: Int, count: Int, total: Int, hasMore: Bool, expected: String) {
    var extent = ListExtent(.page(limit: 0, offset: offset))
    extent.add(Page(items: (0..<count).map(String.init), totalCount: total, hasMore: hasMore))
    #expect(extent.sentence(one: "follower", many: "followers") == expected)
  }

  @Test func aLimitedListIsContinuedWithoutTheLimit() {
    var extent = ListExtent(.all(maximum: 4))
    extent.add(Page(items: ["a", "b", "c", "d"], totalCount: 3021, hasMore: true))
    #expect(extent.sentence(one: "user", many: "users") == "4 of 3,021 users shown; omit --limit to list all")
  }
}
