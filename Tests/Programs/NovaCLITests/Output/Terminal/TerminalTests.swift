import NovaCore
import NovaSDK
import NovaTestSupport
import Testing

@testable import NovaCLI

@Suite struct TerminalTests {
  private let plain = Styles(isTerminal: false, noColor: nil, terminal: nil)

  @Test func linesFitTheTerminal() {
    var table = Table(headings: ["ID", "CONTENT"], width: 24)
    table.rows = [["post-1", "A text that is longer than the line"], ["post-2", "散歩散歩散歩散歩散歩"]]
    let lines = table.lines(plain)
    #expect(lines == ["ID      CONTENT", "post-1  A text that is …", "post-2  散歩散歩散歩散…"])
    #expect(lines.allSatisfy { $0.columns <= 24 })
  }

  @Test func idsAreCutLast() {
    var columns = TableColumns(["ID", "TITLE", "CREATED AT", "TEXT"], width: 60, fit: TableFit(texts: [1, 3]))
    let id = String(repeating: "i", count: 18)
    let row: [TableCell] = [TableCell(id), "A title of some length", "2024-01-01", "A text of some length"]
    #expect(columns.lines([row]) == ["\(id)  A title of s…  2024-01-01  A text of so…"])
  }

  @Test func longLinesStayWholeInPipes() {
    var table = Table(headings: ["CONTENT"], width: nil)
    table.rows = [[String(repeating: "x", count: 500)]]
    #expect(table.lines(plain).last?.count == 500)
  }

  @Test func columnsGrowWhileRowsArrive() {
    var columns = TableColumns(["ID", "A"], width: nil)
    #expect(columns.lines([["1", "x"]]) == ["1   x"])
    #expect(columns.lines([["1000", "x"], ["2", "y"]]) == ["1000  x", "2     y"])
    #expect(columns.lines([["3", "z"]]) == ["3     z"])
  }

  @Test(
    arguments: [
      (true, nil, nil, nil, true), (false, nil, nil, nil, false), (true, "1", nil, nil, false),
      (true, nil, "0", nil, false),
      (true, nil, "1", nil, true), (false, nil, "1", nil, false), (false, nil, nil, "1", true),
      (false, nil, nil, "0", false),
      (false, "1", nil, "1", false), (true, nil, "0", "1", true),
    ] as [(Bool, String?, String?, String?, Bool)])
  func variablesDecideAboutColors(
    isTerminal: Bool, noColor: String?, color: String?, forced: String?, isColored: Bool
  ) {
    let styles = Styles(
      isTerminal: isTerminal, noColor: noColor, terminal: "xterm", color: color, forcedColor: forced)
    #expect(styles.isColored == isColored)
  }

  @Test func typingIsRead() throws {
    let lines: [(String, String?)] = [
      ("abc\n", "abc"), ("abx\u{7F}c\r", "abc"), ("ab\u{8}c\n", "ac"), ("é\u{7F}x\n", "x"), ("\u{7F}\u{7F}a\n", "a"),
      ("wrong\u{15}right\n", "right"), ("\u{15}\n", ""), ("one two\u{17}three\n", "one three"),
      ("one two \u{17}\u{17}three\n", "three"), ("\u{17}é\u{17}a\n", "a"),
      // Ctrl-D ends the input at the beginning of a line, and nothing in it.
      ("\u{4}", nil), ("ab\u{4}c\n", "abc"), ("ab\u{15}\u{4}", nil), ("ab\u{4}\u{4}\n", "ab"),
      // Nobody has pressed Return.
      ("", nil), ("abc", nil),
    ]
    for (keys, line) in lines { #expect(try typed(keys) == line, "\(keys.debugDescription)") }
    #expect(throws: Interrupted.self) { try typed("ab\u{3}") }
  }

  private func typed(_ keys: String) throws -> String? {
    var bytes = keys.utf8.makeIterator()
    return try HiddenLine.read { bytes.next() }.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func secretsAreMaskedInside() throws {
    let login = LoginResponse(userId: "ada", token: "t0ken", refreshToken: "", expiresIn: 5)
    let masked = Secrets.masked(try login.jsonValue(), LoginResponse.descriptor)
    #expect(masked["token"] == .string("****"))
    #expect(masked["refresh_token"] == .string(""))
    #expect(masked["user_id"] == .string("ada"))
  }

  @Test func cellsAreForPeople() {
    func cell(_ kind: FieldKind, _ value: JSONValue?) -> String {
      CellText(isTerminal: false).text(value, FieldDescriptor("x", json: "x", number: 1, kind: kind))
    }
    #expect(cell(.unixSeconds, .number("0")) == "-")
    #expect(cell(.string, nil) == "-")
    #expect(cell(.double, .number("0.05312345")) == "0.053")
    #expect(cell(.bool, .bool(true)) == "yes")
    #expect(cell(.string, .array([.string("a"), .string("b")])) == "a, b")
    #expect(cell(.message("M"), .array([.object([]), .object([])])) == "2")
    #expect("a\r\n\tb\n".oneLine == "a b")
  }
}
