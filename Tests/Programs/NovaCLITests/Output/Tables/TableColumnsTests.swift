import NovaCore
import NovaSDK
import Testing

@testable import NovaCLI

/// How tables fit terminals.
@Suite struct TableColumnsTests {
  private static let posts: [JSONValue] = (1...3).map { number in
    .members(
      ("id", .string("post-\(number)")), ("creator_id", .string("user-0113")), ("created_at", .number("1725315591")),
      ("status", .string("published")), ("privacy", .string("followers")),
      ("content", .string("Post \(number) has a text of some length, which is cut where the terminal ends.")))
  }

  private func columns(_ names: [String], width: Int?, picked: String? = nil) throws -> (TableColumns, RecordShape) {
    let cells = CellText(times: TimeText(.iso), isForTerminal: true)
    let shape = try RecordShape(Post.descriptor, columns: names, picked: picked, cells: cells)
    return (TableColumns(shape.headings, width: width, fit: shape.fit), shape)
  }

  @Test(arguments: 20...140) func linesFitAndIDsAndTimesAreWhole(width: Int) throws {
    var (columns, shape) = try columns(["id", "created_at", "status", "privacy", "content"], width: width)
    let lines = columns.lines(Self.posts.map(shape.row))
    guard let heading = columns.heading else {
      #expect(width < 30 && lines.contains { $0.hasPrefix("ID") } && lines.contains { $0.hasPrefix("CONTENT") })
      return
    }
    #expect(([heading] + lines).allSatisfy { $0.columns <= width }, "\(lines)")
    #expect(heading.hasPrefix("ID ") && heading.contains("CONTENT"))
    #expect(lines.allSatisfy { $0.hasPrefix("post-") && $0.contains("Post ") })
    #expect(heading.contains("CREATED AT") == lines[0].contains("2024-09-02T22:19:51Z"))
    #expect(Set(columns.hiddenHeadings).isSubset(of: ["CREATED AT", "STATUS", "PRIVACY"]))
    let text =
      heading.firstRange(of: "CONTENT").map { heading.distance(from: heading.startIndex, to: $0.lowerBound) } ?? 0
    #expect(lines.allSatisfy { $0.columns - text >= 16 }, "the content is readable: \(lines)")
  }

  @Test func whatMattersLeastIsLeftOutFirst() throws {
    let all = ["id", "created_at", "status", "privacy", "content"]
    let hidden = try [100, 60, 50, 30].map { width in
      var (columns, shape) = try columns(all, width: width)
      _ = columns.lines(Self.posts.map(shape.row))
      return columns.hiddenHeadings
    }
    #expect(hidden == [[], ["PRIVACY"], ["STATUS", "PRIVACY"], ["CREATED AT", "STATUS", "PRIVACY"]])
  }

  /// What one needs of the outbox on any terminal: which change, its state, and why it was refused.
  @Test(arguments: [
    (120, []), (60, ["ABOUT", "CREATED AT", "ATTEMPTS"]), (40, ["RPC", "ABOUT", "CREATED AT", "ATTEMPTS"]),
  ]) func theErrorOfAQueuedChangeStays(width: Int, hidden: [String]) throws {
    let cells = CellText(times: TimeText(.iso), isForTerminal: true)
    let shape = try RecordShape(OutboxRecord.descriptor, columns: OutboxRecord.columns, cells: cells)
    var columns = TableColumns(shape.headings, width: width, fit: shape.fit)
    let change: JSONValue = .members(
      ("id", .number("27")), ("rpc", .string("social.CreateComment")), ("state", .string("refused")),
      ("about", .string("Post/no-such-post")), ("created_at", .number("1725315591")), ("attempts", .number("1")),
      ("error", .string("not found: post no-such-post does not exist")))
    let lines = columns.lines([shape.row(change)])
    #expect(columns.hiddenHeadings == hidden, "\(lines)")
    #expect(lines.allSatisfy { $0.columns <= width && $0.contains("refused") && $0.contains("not found: post") })
  }

  @Test func namesStayLongerThanTheirIDs() throws {
    let cells = CellText(times: TimeText(.iso), isForTerminal: true)
    let shape = try RecordShape(Post.descriptor, columns: ["id", "creator_id", "created_at", "content"], cells: cells)
      .adding(column: "creator", after: "creator_id")
    var columns = TableColumns(shape.headings, width: 40, fit: shape.fit)
    _ = columns.lines(
      Self.posts.map { post in
        guard case .object(let members) = post else { return [] }
        return shape.row(.object(members + [.init(name: "creator", value: .string("quinn_113"))]))
      })
    #expect(columns.hiddenHeadings == ["CREATOR ID", "CREATED AT"])
  }

  @Test func selectedColumnsAreNeverLeftOut() throws {
    var (columns, shape) = try columns([], width: 40, picked: "id,created_at,status,content")
    let lines = columns.lines(Self.posts.map(shape.row))
    #expect(columns.heading == nil && columns.hidden.isEmpty)
    #expect(lines.allSatisfy { $0.columns <= 40 } && lines.last?.isEmpty == false)
    #expect(lines.count(where: \.isEmpty) == 2, "between the rows")
    #expect(
      lines.prefix(7).map { String($0.prefix(13)) } == [
        "ID          p", "CREATED AT  2", "STATUS      p", "CONTENT     P", "            l", "            t", "",
      ])
  }

  @Test func longIDsMakeBlocksAndAreNeverCut() {
    let id = String(repeating: "i", count: 36)
    var columns = TableColumns(["ID", "CONTENT"], width: 40, fit: TableFit(texts: [1], main: 1))
    #expect(
      columns.lines([[TableCell(id), "Hello"], ["2", "x"]]) == [
        "ID       \(id)", "CONTENT  Hello", "", "ID       2", "CONTENT  x",
      ])
    #expect(columns.lines([["3", ""]]) == ["", "ID       3", "CONTENT  -"])
    #expect(columns.heading == nil)
  }

  /// The layout of the first page stays; what is too long later is cut if it is a text, and otherwise wraps.
  @Test func laterPagesKeepTheLayout() {
    var columns = TableColumns(["ID", "CONTENT"], width: 30, fit: TableFit(texts: [1], main: 1))
    #expect(columns.lines([["1", "Hello"]]) == ["1   Hello"])
    let id = String(repeating: "i", count: 28)
    #expect(columns.lines([[TableCell(id), "A text of some length"]]) == ["\(id)  A text of some …"])
    #expect(columns.heading != nil)
  }

  @Test func countsAreCompactWhereItIsNarrow() {
    let row: [TableCell] = [
      "user-1", TableCell("3,021,000", short: "3.0M"), "A text of some length",
    ]
    let fit = TableFit(texts: [2], main: 2)
    var wide = TableColumns(["ID", "N", "TEXT"], width: 60, fit: fit)
    #expect(wide.lines([row]) == ["user-1  3,021,000  A text of some length"])
    var narrow = TableColumns(["ID", "N", "TEXT"], width: 34, fit: fit)
    #expect(narrow.lines([row]) == ["user-1  3.0M  A text of some length".cutAt(34)])
  }

  @Test func headingsOfCountsAreShortWhereItIsNarrow() {
    let headings = ["POST ID", "LIKE COUNT", "REPLY COUNT", "FOLLOWING COUNT"]
    let row: [TableCell] = ["post-1", "1", "2", "3"]
    var wide = TableColumns(headings, width: 80)
    _ = wide.lines([row])
    #expect(wide.heading == "POST ID  LIKE COUNT  REPLY COUNT  FOLLOWING COUNT")
    var narrow = TableColumns(headings, width: 40)
    #expect(narrow.lines([row]) == ["post-1   1      2        3"])
    #expect(narrow.heading == "POST ID  LIKES  REPLIES  FOLLOWING")
  }

  @Test func theLastTextCanContinueBelow() {
    var columns = TableColumns(["ID", "TEXT"], width: 24, fit: TableFit(texts: [1], main: 1, wrapsLast: true))
    #expect(columns.lines([["a", "A text of some length."]]) == ["a   A text of some", "    length."])
  }

  @Test func emojiAndCombiningMarksStayInColumns() {
    var columns = TableColumns(["A", "B"], width: nil)
    let lines = columns.lines([["👩‍💻 Ada", "x"], ["می‌خواهم", "x"], ["नमस्ते", "x"], ["e\u{301}", "x"], ["中文字", "x"]])
    #expect(Set(lines.map { $0.columns }) == [10], "\(lines)")
    #expect(lines[0] == "👩‍💻 Ada    x".replacing("    x", with: "   x"))
  }

  private static let rows: [([String], String)] = [
    (["a", "b"], "a\tb"), (["a\tb\nc\r\n", "d"], #"a\tb\nc\r\n"# + "\td"),
    (["\u{1B}[31m", "e\u{202E}"], #"\u{1b}[31m"# + "\t" + #"e\u{202e}"#),
    (["", "👩‍💻"], "\t👩‍💻"), ([#"C:\n"#], #"C:\n"#),
  ]

  @Test(arguments: rows)
  func rowsForScriptsAreOneLine(_ row: [String], _ line: String) {
    #expect(row.asTabbedLine == line)
  }
}

extension String {
  fileprivate func cutAt(_ width: Int) -> String { cut(to: width) }
}
