import NovaHTTP
import Testing

@Suite struct ContentRangeTests {
  @Test(
    arguments: [
      ("bytes 0-3/4", 0..<4, 4), ("Bytes 2-2/4", 2..<3, 4), ("bytes 0-0/1", 0..<1, 1), ("bytes 5-9/*", 5..<10, nil),
      ("bytes */4", nil, 4),
    ] as [(String, Range<Int>?, Int?)]) func isRead(text: String, bytes: Range<Int>?, total: Int?) throws
  {
    let range = try #require(ContentRange(text))
    #expect(range.bytes == bytes && range.total == total)
    #expect(range.text == text.lowercased())
  }

  @Test(arguments: [
    "bytes 0-4/4", "bytes 4-4/4", "bytes 3-2/4", "bytes 0-3/", "bytes 0-3", "bytes -3/4", "bytes 0-/4", "bytes */*",
    "items 0-3/4", "bytes 0-3/4/5", "bytes +0-3/4", "bytes 0-99999999999999999999/999999999999999999999", "",
  ]) func isRefused(_ text: String) { #expect(ContentRange(text) == nil) }
}
