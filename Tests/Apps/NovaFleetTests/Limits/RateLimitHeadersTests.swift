import NovaCore
import Testing

@testable import NovaFleet

@Suite struct RateLimitHeadersTests {
  private func pause(_ status: Int = 200, _ headers: HTTPHeaders) -> Duration? {
    RateLimitHeaders.pause(HTTPResponse(status: status, headers: headers, body: []), unixTime: 1_764_583_200)
  }

  @Test func retryAfterCountsOnlyWithARefusal() {
    #expect(pause(429, ["Retry-After": "7"]) == .seconds(7))
    #expect(pause(503, ["Retry-After": "7"]) == .seconds(7))
    #expect(pause(200, ["Retry-After": "7"]) == nil)
    #expect(pause(429, [:]) == nil)
    // A date, ten seconds later.
    #expect(pause(429, ["Retry-After": "Mon, 01 Dec 2025 10:00:10 GMT"]) == .seconds(10))
  }

  @Test func remainingAndReset() {
    #expect(pause(200, ["RateLimit-Remaining": "0", "RateLimit-Reset": "30"]) == .seconds(30))
    #expect(pause(200, ["RateLimit-Remaining": "1", "RateLimit-Reset": "30"]) == nil)
    #expect(pause(200, ["RateLimit-Remaining": "0"]) == nil)
    // Not a number of seconds, but a time of day.
    #expect(pause(200, ["RateLimit-Remaining": "0", "RateLimit-Reset": "1764583230"]) == nil)
    #expect(pause(200, ["RateLimit-Remaining": "0", "RateLimit-Reset": "-1"]) == nil)
  }

  @Test(arguments: [
    (#""default";r=0;t=30"#, 30), (#""burst";r=5;t=1, "day";r=0;t=600"#, 600), (#""a";r=0;t=5,"b";r=0;t=7"#, 7),
    (#""default"; r=0; t=30"#, 30), ("limit=100, remaining=0, reset=30", 30),
  ]) func fieldsThatAskForAPause(field: String, seconds: Int) {
    #expect(pause(200, ["RateLimit": field]) == .seconds(seconds))
  }

  @Test(arguments: [
    #""default";r=1;t=30"#, #""default";r=0"#, "", ";;;", "r", "limit=100, remaining=5, reset=30",
    #""default";r=0;t=99999999999999999999"#, #""default";r=0;t=-3"#,
  ]) func fieldsThatDoNot(field: String) {
    #expect(pause(200, ["RateLimit": field]) == nil)
  }
}
