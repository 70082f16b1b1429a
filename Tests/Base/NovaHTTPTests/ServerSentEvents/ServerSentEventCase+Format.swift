import NovaHTTP

extension ServerSentEventCase {
  private static let long = String(repeating: "x", count: 2048)

  /// The cases that browsers are tested with.
  static let format =
    [
      Self(
        "only a mark at the beginning is none of the text", "\u{feff}data:1\n\n\u{feff}data:2\n\ndata:3\n\n",
        items: [.message("1"), .message("3")]),
      Self(
        "of two marks, one is none of the text", "\u{feff}\u{feff}data:1\n\ndata:2\n\ndata:3\n\n",
        items: [.message("2"), .message("3")]),
      Self(
        "comments between lines of data",
        "data:1\r:\0\n:\r\ndata:2\n:\(long)\rdata:3\n:data:fail\r:\(long)\ndata:4\n\n",
        items: [
          .comment("\0"), .comment(""), .comment(long), .comment("data:fail"), .comment(long), .message("1\n2\n3\n4"),
        ]),
      Self(
        "an event that does not end is none", "retry:1000\ndata:test1\n\nid:test\ndata:test2\n",
        items: [.retry(.seconds(1)), .message("test1")]),
      Self(
        "empty data is data", "data:\n\ndata\ndata\n\ndata:test\n\n",
        items: [.message(""), .message("\n"), .message("test")]),
      Self("an empty type is none", "event: \ndata:data\n\n", items: [.message("data")]),
      Self(
        "a type holds for one event", "event:test\ndata:x\n\ndata:x\n\n",
        items: [.message("x", type: "test"), .message("x")]),
      Self(
        "an id that is not ASCII", "id: …\nretry: 200\ndata: hello\n\n",
        items: [
          .retry(.milliseconds(200)), .message("hello", id: "…"),
        ]),
      Self(
        "an id holds", "id: 1\ndata: 1\n\ndata:2\n\n", items: [.message("1", id: "1"), .message("2", id: "1")]),
      Self(
        "an id changes and holds", "id: 1\ndata: 1\n\nid: 2\ndata:2\n\ndata:3\n\n",
        items: [.message("1", id: "1"), .message("2", id: "2"), .message("3", id: "2")]),
      Self(
        "an id is reset", "id: 1\ndata: 1\n\nid:\ndata:2\n\ndata:3\n\n",
        items: [.message("1", id: "1"), .message("2"), .message("3")]),
      Self(
        "names are exact",
        "data:\0\ndata:  2\rData:1\ndata\0:2\ndata:1\r\0data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\ndata:4\n\n",
        items: [.message("\0\n 2\n1\n3\n\n4")]),
      Self(
        "a time with more than digits is none", "retry:3000\nretry:1000x\ndata:x\n\n",
        items: [.retry(.seconds(3)), .message("x")]),
      Self("an empty time is none", "retry\ndata:test\n\n", items: [.message("test")]),
      Self("a time is decimal", "retry:03000\ndata:x\n\n", items: [.retry(.seconds(3)), .message("x")]),
      Self(
        "unknown fields", "data:test\n data\ndata\nfoobar:xxx\njustsometext\n:thisisacommentyay\ndata:test\n\n",
        items: [.comment("thisisacommentyay"), .message("test\n\ntest")]),
      Self("only a space is left out", "data:\ttest\rdata: \ndata:test\n\n", items: [.message("\ttest\n\ntest")]),
      Self("a last line that ends in CR", "data:test\r\ndata\ndata:test\r\n\r", items: [.message("test\n\ntest")]),
      Self("a null in data", "data:\0\n\n", items: [.message("\0")]),
      Self("UTF-8, always", "data:ok…\n\n", items: [.message("ok…")]),
    ]
    + ["\0\0", "x\0", "\0x", "x\0x", " \0"].map { id in
      Self(
        "an id with a null keeps the one before: \(id.debugDescription)", "id: 1\ndata: 1\n\nid:\(id)\ndata:2\n\n",
        items: [.message("1", id: "1"), .message("2", id: "1")])
    }

  /// The examples in the standard, and rules that are easily missed.
  static let standard = [
    Self("three lines of data", "data: YHOO\ndata: +2\ndata: 10\n\n", items: [.message("YHOO\n+2\n10")]),
    Self(
      "four blocks", ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
      items: [
        .comment("test stream"), .message("first event", id: "1"), .message("second event"), .message(" third event"),
      ]),
    Self("a last block without its end", "data\n\ndata\ndata\n\ndata:", items: [.message(""), .message("\n")]),
    Self("nothing", "", items: []),
    Self("empty lines", "\n\r\n\r\r\n", items: []),
    Self("half a mark is text", bytes: [[0xEF, 0xBB], Array("data:1\n\ndata:2\n\n".utf8)], [.message("2")]),
    Self("a mark alone on its line", "\u{feff}\ndata:1\n\n", items: [.message("1")]),
    Self("a type without data is forgotten", "event: a\n\ndata: b\n\n", items: [.message("b")]),
    Self(
      "an id without data counts", "id: 7\n\ndata: b\n\nid: 8\n\nid: 8\n\n",
      items: [.id("7"), .message("b", id: "7"), .id("8")]),
    Self("an id that does not end does not count", "id: 7\ndata: a\n\nid: 8\n", items: [.message("a", id: "7")]),
    Self(
      "the last of several ids and types", "id:1\nid:2\nevent:a\nevent:b\ndata:\n\n",
      items: [
        .message("", id: "2", type: "b")
      ]),
    Self("a colon in a value", "data:a:b: c\n\n", items: [.message("a:b: c")]),
    Self("a space before a colon belongs to the name", "data : a\ndata: b\n\n", items: [.message("b")]),
    Self("a time that no clock can hold", "retry:99999999999999999999\n", items: []),
    Self("times that are no numbers", "retry:-1\nretry:+1\nretry:1.5\nretry:1 \nretry:\u{0661}\nretry:\n", items: []),
    Self("a time holds without an event", "retry: 0\n", items: [.retry(.zero)]),
    Self(
      "invalid UTF-8 becomes replacement characters",
      bytes: [
        Array("data: a".utf8) + [0xFF, 0x62, 0xC3, 0x0A] + Array("data: ".utf8) + [0xF0, 0x9F, 0x98, 0x0A, 0x0A]
      ],
      [.message("a\u{fffd}b\u{fffd}\n\u{fffd}")]),
    Self(
      "overlong forms and surrogates become one for each byte",
      bytes: [Array("data:".utf8) + [0xC0, 0xAF, 0xED, 0xA0, 0x80, 0xF5, 0x0A, 0x0A]],
      [.message(String(repeating: "\u{fffd}", count: 6))]),
    Self(
      "invalid bytes in a name", bytes: [[0xFF] + Array("data: a\ndata: b\n\n".utf8)], [.message("b")]),
    Self(
      "an id of invalid bytes", bytes: [Array("id: ".utf8) + [0xFF] + Array("\ndata:\n\n".utf8)],
      [.message("", id: "\u{fffd}")]),
  ]
}
