import Foundation
import NovaCore
import NovaTestSupport
import Testing

@testable import NovaMock

@Suite struct FaultKindTests {
  @Test(arguments: FaultKind.all.indices) func examplesAndLimitsAreRules(_ index: Int) throws {
    let kind = FaultKind.all[index]
    _ = try FaultRule(kind.example)
    #expect(!kind.help.isEmpty && !kind.example.contains("{"))
    for parameter in kind.parameters {
      func rule(_ value: String) -> String {
        FaultKind.Parameter.fill(kind, parameter.name, with: value)
      }
      for choice in parameter.choices { _ = try FaultRule(rule(choice)) }
      guard let range = parameter.range else { continue }
      _ = try FaultRule(rule("\(range.lowerBound)"))
      _ = try FaultRule(rule("\(range.upperBound)"))
      #expect(throws: FaultRuleError.self, "\(rule("\(range.upperBound + 1)"))") {
        try FaultRule(rule("\(range.upperBound + 1)"))
      }
    }
  }

  @Test func theDocumentationListsEveryKind() throws {
    let text = try Checkout.text(of: "docs/faults.md")
    for kind in FaultKind.all { #expect(text.contains("`\(kind.example)`"), "docs/faults.md has no `\(kind.example)`") }
  }

  @Test func anInvalidFaultListsTheKinds() {
    let error = #expect(throws: FaultRuleError.self) { try FaultRule("explode") }
    for kind in FaultKind.all { #expect(error?.problem.contains(kind.example) == true, "\(kind.example)") }
  }
}

extension FaultKind.Parameter {
  /// The kind's pattern with a value for one parameter, and examples for the others.
  fileprivate static func fill(_ kind: FaultKind, _ name: String, with value: String) -> String {
    kind.parameters.reduce(kind.pattern) {
      $0.replacing("{\($1.name)}", with: $1.name == name ? value : $1.example)
    }
  }
}
