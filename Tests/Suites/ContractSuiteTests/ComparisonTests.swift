import NovaCore
@testable import NovaContract
import Testing

@Suite struct ComparisonTests {
  private func run(_ backend: String, _ json: String, step: String = "the count", isServerSpecific: Bool = false) throws
    -> ContractRun
  {
    let value = try JSONValue(jsonUTF8: Array(json.utf8))
    let observation = ContractObservation(name: step, value: value, isServerSpecific: isServerSpecific, problem: nil)
    return ContractRun(
      backend: backend, results: [ScenarioResult(scenario: "social.like", observations: [observation])])
  }

  @Test func differencesHaveAPlaceAndTwoValues() throws {
    let left = try run("mock", #"{"likes":[{"user_id":"user ada"},{"user_id":"user bea"}],"total":2}"#)
    let right = try run("nova serve", #"{"likes":[{"user_id":"user bea"}],"total":2}"#)
    #expect(
      ContractComparison(left, right).description == """
        2 differences

        social.like, step "the count", $.likes[0].user_id
          mock      : "user ada"
          nova serve: "user bea"

        social.like, step "the count", $.likes[1]
          mock      : {"user_id":"user bea"}
          nova serve: (nothing)
        """)
    #expect(ContractComparison(left, left).description == "no differences between mock and mock")
  }

  @Test(arguments: [
    ("1", "1.0", true), ("1", "2", false), ("\"1\"", "1", false), ("null", "0", false), ("[]", "null", false),
    (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, true), (#"{"a":1}"#, #"{"a":1,"b":null}"#, false),
    (#"{"url":"/a"}"#, #"{"url":"/b"}"#, true), (#"{"url":"/a"}"#, #"{"url":""}"#, false),
    (#"{"score":1}"#, #"{"score":2.5}"#, true), (#"{"score":1}"#, #"{"score":"1"}"#, false),
  ])
  func valuesAreComparedByKind(left: String, right: String, isAlike: Bool) throws {
    let comparison = ContractComparison(try run("a", left), try run("b", right))
    #expect(comparison.differences.isEmpty == isAlike)
  }

  @Test func serverSpecificValuesAreComparedOnlyExactly() throws {
    let (left, right) = (try run("a", "1", isServerSpecific: true), try run("b", "2", isServerSpecific: true))
    #expect(ContractComparison(left, right).differences.isEmpty)
    #expect(ContractComparison(left, right, strictness: .exact).differences.count == 1)
  }

  @Test func stepsAndScenariosThatAreMissingAreDifferences() throws {
    let (left, right) = (try run("a", "1"), try run("b", "1", step: "another"))
    #expect(ContractComparison(left, right).differences.count == 1)
    let nothing = ContractRun(backend: "b", results: [])
    #expect(ContractComparison(left, nothing).differences.map(\.scenario) == ["social.like"])
    #expect(ContractComparison(nothing, left).differences.map(\.scenario) == ["social.like"])
  }
}
