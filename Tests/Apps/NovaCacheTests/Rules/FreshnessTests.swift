import NovaCore
import Testing

@testable import NovaCache

struct FreshnessTests {
  /// The start of all tests, in seconds since 1970.
  private static let start = 1_764_583_200.0

  private static func date(_ seconds: Double) -> String { HTTPDate.text(Int64(start + seconds)) }

  private static func freshness(
    _ headers: HTTPHeaders, status: Int = 200, delay: Double = 0, after seconds: Double = 0
  ) -> Freshness {
    let response = HTTPResponse(status: status, headers: headers)
    let head = StoredHead(response, requestTime: start - delay, responseTime: start)
    return Freshness(head, at: start + seconds)
  }

  @Test func countsTheAge() {
    #expect(Self.freshness([:], after: 7).age == 7)
    #expect(Self.freshness(["Age": "30"], after: 7).age == 37)
    #expect(Self.freshness(["Date": Self.date(-50)], after: 7).age == 57)
    #expect(Self.freshness(["Date": Self.date(-50), "Age": "60"], after: 7).age == 67)
    #expect(Self.freshness(["Date": Self.date(500)], after: 7).age == 7)
    #expect(Self.freshness(["Age": "30"], delay: 4, after: 7).age == 41)
  }

  @Test func knowsTheLifetime() {
    #expect(Self.freshness(["Cache-Control": "max-age=60", "Expires": Self.date(9)]).lifetime == 60)
    #expect(Self.freshness(["Cache-Control": "s-maxage=60"]).lifetime == 0)
    #expect(Self.freshness(["Expires": Self.date(90), "Date": Self.date(30)]).lifetime == 60)
    #expect(Self.freshness(["Expires": Self.date(90)]).lifetime == 90)
    #expect(Self.freshness(["Expires": "0"]).lifetime == 0)
    #expect(Self.freshness(["Last-Modified": Self.date(-1000)]).lifetime == 100)
    #expect(Self.freshness(["Last-Modified": Self.date(-1000)], status: 403).lifetime == 0)
    #expect(Self.freshness(["Last-Modified": Self.date(-1e9)]).lifetime == 7 * 86_400)
    #expect(Self.freshness(["Last-Modified": Self.date(1000)]).lifetime == 0)
  }

  /// After the clock was set back, the age of a response is unknown. After it was set forward, the response is old.
  @Test func survivesJumpsOfTheClock() {
    let headers: HTTPHeaders = ["Cache-Control": "max-age=60"]
    #expect(!Self.freshness(headers, after: -3600).isFresh)
    #expect(Self.freshness(headers, after: -1).isFresh)
    #expect(!Self.freshness(headers, after: 1e15).isFresh)
    #expect(Self.freshness(headers, after: -3600).ageField == "2147483648")
  }

  @Test(
    arguments: [
      ("bytes=0-1", 0..<2), ("bytes=9-20", 9..<10), ("bytes=-3", 7..<10), ("bytes=-30", 0..<10), ("bytes=4-", 4..<10),
      ("bytes=10-", nil), ("bytes=-0", nil), ("bytes=5-4", nil), ("bytes=a-b", nil), ("bytes=0-1,3-4", nil),
      ("bytes=", nil), ("items=0-1", nil), ("bytes=1--2", nil), ("bytes=99999999999999999999-", nil),
    ] as [(String, Range<Int>?)])
  func ranges(field: String, range: Range<Int>?) {
    #expect(PartialResponse.requested(field, of: 10) == range)
  }
}
