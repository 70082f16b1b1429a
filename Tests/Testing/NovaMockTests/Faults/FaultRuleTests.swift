import NovaCore
import NovaMock
import Testing

@Suite struct FaultRuleTests {
  @Test(arguments: [
    "503", "503x2", "503@0.1", "503x2@0.5", "social.CreateLike=503x2", "SOCIAL.createlike=503", "social=503", "*=503",
    "503,503,200", "503x3,drop,200x2", "429 retry-after 3", "429 retry-after 0,200", "drop", "drop after", "hang",
    "latency 50ms", "latency=50ms", "latency 1.5s", "latency 50ms±20", "latency 50ms+-20", "latency 50ms~20",
    "latency 1s±200ms", "graph=latency=50ms", "throttle 10/s", "throttle=100/m", "auth=throttle 1/h", " 503 ",
  ])
  func everyFormIsRead(_ text: String) throws {
    let rule = try FaultRule(text)
    #expect(rule == (try FaultRule(rule.description)))
  }

  @Test(arguments: [
    ("", "invalid fault"), ("foo", "invalid fault"), ("199", "expected 200 to 599"), ("600", "expected 200 to 599"),
    ("503x0", "expected x1"), ("503x", "expected x1"), ("503x-1", "expected x1"), ("503@2", "expected @0 to @1"),
    ("503@", "expected @0 to @1"), ("503@nan", "expected @0 to @1"), ("503,,200", "invalid fault"),
    ("429 retry-after", "retry-after 3"), ("429 retry-after -1", "retry-after 3"),
    ("200 retry-after 1", "retry-after 3"),
    ("latency", "invalid fault"), ("latency 50", "expected one like 50ms"), ("latency -5ms", "expected one like 50ms"),
    ("latency 50ms±", "expected one like 50ms"), ("latency 11s", "at most 10s"),
    ("throttle 0/s", "expected one like 10/s"),
    ("throttle 10", "expected one like 10/s"), ("throttle 10/d", "expected one like 10/s"),
    ("social.CreateLke=503", "did you mean social.CreateLike?"), ("=503", "unknown RPC or service"),
  ])
  func everyMistakeIsNamed(_ text: String, _ problem: String) {
    let error = #expect(throws: FaultRuleError.self) { try FaultRule(text) }
    #expect(error?.description.contains(problem) == true, "\(String(describing: error))")
    #expect(error?.rule == text)
  }
}
