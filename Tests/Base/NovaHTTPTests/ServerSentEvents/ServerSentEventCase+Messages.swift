import NovaHTTP

extension ServerSentEventCase {
  /// The meaning of the fields in messages.
  static let messages = [
    Self("a message in one piece", "data: Hello\n\n", items: [.message("Hello")]),
    Self(
      "two messages in three pieces, one shared", "data: test", "test\n\ndata:", "test\n\n",
      items: [.message("testtest"), .message("test")]),
    Self("a message in two pieces", "data: Hel", "lo\n\n", items: [.message("Hello")]),
    Self("two messages in one piece", "data: Hello\n\ndata: World\n\n", items: [.message("Hello"), .message("World")]),
    Self("two lines of data", "data: Hello\ndata:World\n\n", items: [.message("Hello\nWorld")]),
    Self("empty data", "data:\n\n", items: [.message("")]),
    Self("a type", "event: greeting\ndata: Hello\n\n", items: [.message("Hello", type: "greeting")]),
    Self("no type", "data: Hello\n\n", items: [.message("Hello", type: "message")]),
    Self("an id", "id: abc\ndata: Hello\n\n", items: [.message("Hello", id: "abc")]),
    Self(
      "a type and an id", "event: greeting\nid: abc\ndata: Hello\n\n",
      items: [.message("Hello", id: "abc", type: "greeting")]),
    Self("an id with a null is none", "id: a\0bc\ndata: Hello\n\n", items: [.message("Hello")]),
    Self(
      "an id holds until another comes", "id: abc\ndata: first\n\n", "data: second\n\n",
      items: [.message("first", id: "abc"), .message("second", id: "abc")]),
    Self(
      "an empty id ends an id", "id: abc\ndata: first\n\n", "id: \ndata: second\n\n",
      items: [.message("first", id: "abc"), .message("second")]),
    Self(
      "fields in the other order", "data: Hello\nid: abc\nevent: greeting\n\n",
      items: [.message("Hello", id: "abc", type: "greeting")]),
    Self(
      "an unknown field", "event: greeting\ncolor: blue\ndata: Hello\n\n", items: [.message("Hello", type: "greeting")]),
    Self("no space after colons", "event:greeting\ndata:Hello\n\n", items: [.message("Hello", type: "greeting")]),
    Self(
      "two spaces after colons", "event:  greeting\ndata:  Hello\n\n", items: [.message(" Hello", type: " greeting")]),
    Self("no colon", "data\n\ndata\ndata\n\n", items: [.message(""), .message("\n")]),
    Self("characters of several bytes", "data: €豆腐\n\n", items: [.message("€豆腐")]),
    Self(
      "many messages", (0..<100).map { "data: message \($0)\n\n" }.joined(),
      items: (0..<100).map { .message("message \($0)") }),
    Self("characters that are cut", bytes: Array("data: €豆腐\n\n".utf8).cut(into: 1), [.message("€豆腐")]),
  ]

  static let byteOrderMarks = [
    Self("a mark at the beginning", "\u{feff}data: Hello\n\n", items: [.message("Hello")]),
    Self(
      "a mark before other fields", "\u{feff}event: greeting\nid: abc\ndata: Hello\n\n",
      items: [.message("Hello", id: "abc", type: "greeting")]),
    Self(
      "a mark before several messages", "\u{feff}data: First\n\ndata: Second\n\n",
      items: [.message("First"), .message("Second")]),
    Self(
      "a mark in later data", "data: First\n\n", "data: \u{feff}Second\n\n",
      items: [.message("First"), .message("\u{feff}Second")]),
    Self(
      "a mark in two pieces", bytes: [[0xEF, 0xBB], [0xBF] + Array("data: Hello\n\n".utf8)], [.message("Hello")]),
    Self(
      "a mark in three pieces", bytes: [[0xEF], [0xBB], [0xBF], Array("data: Hello\n\n".utf8)], [.message("Hello")]),
    Self("a mark, and one in the data", "\u{feff}data: \u{feff}Hello\n\n", items: [.message("\u{feff}Hello")]),
    Self("no mark", "data: Hello\n\n", items: [.message("Hello")]),
    Self("a mark before several lines", "\u{feff}data: Line1\ndata: Line2\n\n", items: [.message("Line1\nLine2")]),
    Self(
      "a mark before a comment", "\u{feff}:comment\ndata: Hello\n\n", items: [.comment("comment"), .message("Hello")]),
    Self("a mark before empty data", "\u{feff}data:\n\n", items: [.message("")]),
  ]

  static let comments = [
    Self("a comment", ":Hello\n", items: [.comment("Hello")]),
    Self("two comments", ":Hello\n", ":World\n", items: [.comment("Hello"), .comment("World")]),
    Self("a comment before a message", ":Hello\n", "data: Hello\n\n", items: [.comment("Hello"), .message("Hello")]),
    Self("a comment after a message", "data: Hello\n\n", ":Hello\n", items: [.message("Hello"), .comment("Hello")]),
  ]

  /// Each line end for every case, and one case with mixed ones.
  static let lineEnds =
    [("LF", "\n"), ("CRLF", "\r\n"), ("CR", "\r")].flatMap { name, end in
      bodies.map { body in
        Self("\(body.name), \(name)", body.lines.map { $0 + end }.joined(), items: body.data.map { .message($0) })
      }
    } + [
      Self(
        "CRLF in two pieces", "data: Hello\r", "\ndata: World\r", "\n\r\ndata: OK\r", "\n", "\r", "\n",
        items: [.message("Hello\nWorld"), .message("OK")])
    ]

  private static let bodies: [(name: String, lines: [String], data: [String])] = [
    ("a line", ["data: event 1", ""], ["event 1"]),
    (
      "a line, and two", ["data: event 1", "", "data: event 2 line 1", "data: event 2 line 2", ""],
      ["event 1", "event 2 line 1\nevent 2 line 2"]
    ),
    ("an empty line of data first", ["data:", "data: line2", "data: line3", ""], ["\nline2\nline3"]),
    ("an empty line of data between", ["data: line1", "data:", "data: line3", ""], ["line1\n\nline3"]),
    ("an empty line too many", ["data: event 1", "", "", "data: event 2", ""], ["event 1", "event 2"]),
    ("two empty lines too many", ["data: event 1", "", "", "", "data: event 2", ""], ["event 1", "event 2"]),
  ]
}
