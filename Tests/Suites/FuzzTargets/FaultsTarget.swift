@testable import NovaMock

/// A rule that is accepted reads the same again, and its description is its text.
enum FaultsTarget {
  static func check(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let rule = read(text, { input throws(FaultRuleError) in try FaultRule(input) }) else { return }
    let again = mustSucceed("a rule refuses its own description") { try FaultRule(rule.description) }
    require(again == rule, "a rule is another one when its description is read")
    require((0...1).contains(rule.probability) && !rule.steps.isEmpty, "\(rule) has no steps or no probability")
    _ = read(text) { input throws(FaultRuleError) in try FaultRule(ofOneRequest: input) }
  }

  private static func read(
    _ text: String, _ body: (String) throws(FaultRuleError) -> FaultRule
  ) -> FaultRule? {
    do throws(FaultRuleError) { return try body(text) } catch {
      require(error.problem.utf8.count < 600, "the error has \(error.problem.utf8.count) bytes")
      return nil
    }
  }
}
