import NovaHTTP
import NovaSupport
import NovaTestSupport
import Testing

@Suite struct ServerSentEventParserTests {
  @Test(
    arguments: ServerSentEventCase.messages + ServerSentEventCase.byteOrderMarks + ServerSentEventCase.comments
      + ServerSentEventCase.lineEnds + ServerSentEventCase.format + ServerSentEventCase.standard)
  func itemsAreTheSameHoweverTheStreamIsCut(_ expected: ServerSentEventCase) throws {
    for chunks in expected.cuts {
      let items = try ServerSentEventParser.items(in: chunks)
      #expect(items == expected.items, "cut into \(chunks.map { String(decoding: $0, as: UTF8.self) })")
      if items != expected.items { return }
    }
  }

  @Test(arguments: [[1], [1, 1], [256, 128, 300, 5], Array(repeating: 1, count: 64)])
  func largeMessagesArriveWhole(_ shares: [Int]) throws {
    let size = TestDepth.isFull() ? 8 << 20 : 1 << 20
    let content = pattern(size).map { UInt8(ascii: "0") + $0 % 64 }
    let stream = Array("data: ".utf8) + content + Array("\n\n".utf8)
    let items = try ServerSentEventParser.items(in: stream.cut(in: shares), limit: size + 100)
    // The whole text would fill the screen.
    #expect(items.count == 1)
    guard case .event(let event) = items.first else { return }
    #expect(event.data.utf8.elementsEqual(content))
  }

  @Test func manyLinesMakeALargeMessage() throws {
    let lines = (0..<100_000).map { "line \($0)" }
    let stream = Array(lines.map { "data: \($0)\n" }.joined().utf8) + Array("\n".utf8)
    #expect(
      try ServerSentEventParser.items(in: stream.cut(into: 16_384), limit: 2 << 20) == [
        .message(lines.joined(separator: "\n"))
      ])
  }

  @Test(arguments: ["data: 12345", "data: 123\ndata: 45", "event: 12345", "id: 1234567", ":1234567890", "unknown: 12"])
  func whatIsLargerThanTheLimitIsRefused(_ text: String) throws {
    let stream = Array("data: 1\n\n\(text)\n\ndata: 2\n\n".utf8)
    for size in [1, 2, 3, 7, stream.count] {
      var parser = ServerSentEventParser(limit: 10)
      var items: [ServerSentEventItem] = []
      let error = ServerSentEventError.tooLarge(limit: 10)
      #expect(throws: error) {
        for chunk in stream.cut(into: size) { items += try parser.parse(chunk) }
        items += try parser.parse([])
      }
      #expect(items == [.message("1")], "what was complete before is delivered, cut into \(size)")
      #expect(throws: error) { try parser.parse(Array("data: 3\n\n".utf8)) }
    }
  }

  @Test(arguments: ["data: 1234", "data: 1\ndata: ", "id: 123456", ":123456789", "data:\ndata:\ndata:"])
  func whatIsAsLargeAsTheLimitIsNot(_ text: String) throws {
    for size in [1, 2, 100] {
      let stream = Array("\(text)\n\ndata: 2\n\n".utf8)
      let items = try ServerSentEventParser.items(in: stream.cut(into: size), limit: 10)
      #expect(items.last?.data == "2")
    }
  }

  /// Random streams of everything that has a meaning to the parser, mostly nonsense.
  @Test(arguments: 0..<200 as Range<UInt64>)
  func randomStreamsAreTheSameInRandomChunks(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let words =
      [
        "data", "data:", "data: ", "id:", "id: ", "event:", "retry:", "5", ":", " ", "\n", "\n\n", "\r", "\r\n", "\0",
        "x",
        "€", "\u{feff}",
      ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xEF, 0xBB]]
    let stream = (0..<random.next(below: 120)).flatMap { _ in words[random.next(below: words.count)] }
    let whole = try ServerSentEventParser.items(in: [stream])
    for _ in 0..<10 {
      var rest = stream[...]
      var chunks: [[UInt8]] = []
      while !rest.isEmpty {
        let chunk = rest.prefix(random.next(below: 12))
        chunks.append(Array(chunk))
        rest = rest.dropFirst(chunk.count)
      }
      #expect(try ServerSentEventParser.items(in: chunks) == whole, "\(stream) cut into \(chunks)")
    }
  }

  @Test func anIDFromBeforeHolds() throws {
    let stream = Array("id: 7\n\ndata: a\n\nid: 8\ndata: b\n\nid\n\n".utf8)
    #expect(
      try ServerSentEventParser.items(in: [stream], lastID: "7") == [
        .message("a", id: "7"), .message("b", id: "8"), .id(""),
      ])
  }

  @Test(
    arguments: [
      ("text/event-stream", true), ("text/event-stream;", true), ("Text/Event-Stream ; charset=windows-1252", true),
      ("text/x-bogus", false), ("x bogus", false), ("text/event-streams", false), ("application/json", false),
      ("", false), (nil, false),
    ] as [(String?, Bool)])
  func mediaTypes(type: String?, isEventStream: Bool) {
    var headers = HTTPHeaders()
    headers["Content-Type"] = type
    #expect(headers.isEventStream == isEventStream)
  }

  @Test func eventsBeforeOneThatIsTooLargeAreRead() async throws {
    var events = ServerSentEvents(.bytes(Array("data: 1\n\ndata: 1234567890\n\n".utf8)), limit: 12).makeAsyncIterator()
    #expect(try await events.next() == .message("1"))
    await #expect(throws: ServerSentEventError.tooLarge(limit: 12)) { try await events.next() }
  }
}

extension ServerSentEventItem {
  fileprivate var data: String? {
    guard case .event(let event) = self else { return nil }
    return event.data
  }
}

extension [UInt8] {
  /// Splits the bytes in proportion to `shares`.
  fileprivate func cut(in shares: [Int]) -> [[UInt8]] {
    let total = shares.reduce(0, +)
    var (start, share) = (0, 0)
    return shares.map { next in
      share += next
      let end = count * share / total
      defer { start = end }
      return Array(self[start..<end])
    }
  }
}
