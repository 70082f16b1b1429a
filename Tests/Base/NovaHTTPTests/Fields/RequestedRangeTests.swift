import NovaHTTP
import Testing

@Suite struct RequestedRangeTests {
  /// The part of a 10-byte file that a header selects, as in nginx if the RFC allows a choice; nil for none.
  private static let parts: [(String, Range<Int>?)] = [
    ("bytes=0-0", 0..<1), ("bytes=0-9", 0..<10), ("bytes=3-5", 3..<6), ("bytes=3-", 3..<10), ("bytes=9-", 9..<10),
    ("bytes=-1", 9..<10), ("bytes=-10", 0..<10), ("bytes=-11", 0..<10), ("bytes=5-99", 5..<10),
    ("bytes=0-99999999999999999999", 0..<10), ("BYTES=0-0", 0..<1), ("bytes= 0-0 ", 0..<1),
    ("bytes=10-", nil), ("bytes=10-20", nil), ("bytes=99999999999999999999-", nil), ("bytes=-0", nil),
  ]

  @Test(arguments: parts) func aSingleRangeSelectsAPart(header: String, part: Range<Int>?) {
    #expect(RequestedRange(header, of: 10) == part.map { .part($0) } ?? .unsatisfiable, "\(header)")
  }

  @Test(arguments: [
    "", "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=1", "bytes=5-3", "bytes=0-0,2-3", "lines=0-1", "bytes 0-1",
    "bytes=0x0-1", "bytes=+0-1", "bytes=0-1-2", "bytes=٠-١", "bytes=--1",
  ])
  func anythingElseIsIgnored(header: String) {
    #expect(RequestedRange(header, of: 10) == .whole, "\(header)")
  }
}
