import Testing

@testable import NovaMock

@Suite struct ContentRangeTests {
  @Test(arguments: [("bytes 0-3/4", 4), ("Bytes 2-2/4", 1), ("bytes 0-0/1", 1)])
  func isRead(text: String, count: Int64) { #expect(ContentRange(text)?.count == count) }

  @Test(arguments: [
    "bytes 0-4/4", "bytes 4-4/4", "bytes 3-2/4", "bytes 0-3/", "bytes 0-3", "bytes -3/4", "bytes 0-/4", "bytes 0-3/*",
    "items 0-3/4", "bytes 0-3/4/5", "bytes +0-3/4", "bytes 0-99999999999999999999/999999999999999999999", "",
  ])
  func isRefused(_ text: String) { #expect(ContentRange(text) == nil) }
}
