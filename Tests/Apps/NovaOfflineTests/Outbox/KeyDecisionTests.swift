import NovaCore
import NovaSocial
import Testing

@testable import NovaOffline

/// The gateway forgets keys after a day.
@Suite struct KeyDecisionTests {
  enum Expected: Sendable, Equatable { case send, check(Int64), newKey, undecidable }

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var rpc: String
    var first: Double?
    var last: Double?
    var hasRule = true
    var expected: Expected

    var testDescription: String { "\(name): \(rpc)" }
  }

  private static let now: Double = 1_000_000
  private static let hour: Double = 3600

  static let cases = [
    Case(name: "never sent", rpc: "social.CreateLike", first: nil, expected: .send),
    Case(name: "just sent", rpc: "social.CreateLike", first: now - 10, expected: .send),
    Case(name: "22 h", rpc: "social.CreateComment", first: now - 22 * hour, expected: .send),
    Case(
      name: "23 h", rpc: "social.CreateComment", first: now - 23 * hour, expected: .check(Int64(now - 23 * hour))),
    Case(
      name: "days", rpc: "social.CreateLike", first: now - 99 * hour, last: now - 1,
      expected: .check(Int64(now - 99 * hour))),
    Case(name: "no check", rpc: "social.UpdateComment", first: now - 30 * hour, expected: .newKey),
    Case(
      name: "no rule", rpc: "social.CreateComment", first: now - 30 * hour, hasRule: false, expected: .undecidable),
    Case(name: "a little ahead", rpc: "social.CreateLike", first: now + 299, expected: .send),
    Case(
      name: "set back", rpc: "social.CreateLike", first: now + 301, expected: .check(Int64(now - 24 * hour))),
    Case(
      name: "set back", rpc: "social.CreateLike", first: now - 60, last: now + 301, expected: .check(Int64(now - 60))),
  ]

  @Test(arguments: cases) func oldKeysAreNotSent(_ test: Case) throws {
    let rule = try #require(OfflineRules.write(test.rpc))
    let entry = OutboxEntry.sample(rule.rpc, first: test.first, last: test.last)
    let decision: Expected =
      switch KeyDecision(entry, test.hasRule ? rule : nil, now: Self.now) {
      case .send: .send
      case .check(_, let since): .check(since)
      case .sendWithNewKey: .newKey
      case .undecidable: .undecidable
      }
    #expect(decision == test.expected)
  }
}
