import NovaCore

/// Where two mouths of the backend do not say the same.
public struct ContractComparison: Sendable {
  /// How much has to be alike.
  public enum Strictness: Sendable, Hashable {
    /// What the contract fixes. Where it leaves a value to the server (places of files, scores, what an error says in
    /// words), both have to have one of the same kind, or both none.
    case contract
    /// Every value: for mouths of one backend with the same data.
    case exact
  }

  /// The member of an error that holds what the server says in its own words.
  static let serversWords = "server"
  private static let serversChoice: Set<String> = [
    "upload_url", "chunk_size", "url", "cdn_url", "thumbnail_url", "source_video_url", "ranking_score", "score",
    "relevance_score", "novelty_score", "reason", "message",
  ]

  /// The differences, in the order of the left run's scenarios and steps; empty when both say the same.
  public private(set) var differences: [MouthDifference] = []
  private let mouths: (left: String, right: String)
  private let strictness: Strictness

  /// Compares two runs of the same scenarios.
  ///
  /// - Parameter strictness: Default ``Strictness/contract``.
  public init(_ left: ContractRun, _ right: ContractRun, _ strictness: Strictness = .contract) {
    mouths = (left.mouth, right.mouth)
    self.strictness = strictness
    let rights = Dictionary(right.results.map { ($0.scenario, $0) }) { first, _ in first }
    for result in left.results { compare(result, rights[result.scenario]) }
    let known = Set(left.results.map(\.scenario))
    for result in right.results where !known.contains(result.scenario) {
      add(result.scenario, "", "", nil, .string("the scenario was run"))
    }
  }

  private mutating func compare(_ left: ScenarioResult, _ right: ScenarioResult?) {
    guard let right else { return add(left.scenario, "", "", .string("the scenario was run"), nil) }
    for index in 0..<max(left.observations.count, right.observations.count) {
      let (one, other) = (left.observations.at(index), right.observations.at(index))
      guard let one, let other, one.name == other.name else {
        // One of them has ended early: what follows would be compared with another step.
        return add(
          left.scenario, one?.name ?? other?.name ?? "", "", one.map { .string("step \($0.name)") },
          other.map { .string("step \($0.name)") })
      }
      if one.isServersOwn, strictness == .contract { continue }
      compare(left.scenario, one.name, "$", one.value, other.value)
    }
  }

  private mutating func compare(
    _ scenario: String, _ step: String, _ path: String, _ left: JSONValue, _ right: JSONValue
  ) {
    switch (left, right) {
    case (.object(let ones), .object(let others)):
      var names = ones.map(\.name)
      names += others.map(\.name).filter { left[$0] == nil }
      for name in names {
        guard let one = left[name], let other = right[name] else {
          add(scenario, step, "\(path).\(name)", left[name], right[name])
          continue
        }
        if strictness == .contract, isServersChoice(name, one, other) { continue }
        compare(scenario, step, "\(path).\(name)", one, other)
      }
    case (.array(let ones), .array(let others)):
      for index in 0..<max(ones.count, others.count) {
        guard let one = ones.at(index), let other = others.at(index) else {
          add(scenario, step, "\(path)[\(index)]", ones.at(index), others.at(index))
          continue
        }
        compare(scenario, step, "\(path)[\(index)]", one, other)
      }
    case (.number(let one), .number(let other)):
      // 1 and 1.0 are one number.
      if one != other, Double(one) != Double(other) { add(scenario, step, path, left, right) }
    default:
      if left != right { add(scenario, step, path, left, right) }
    }
  }

  /// Whether a value is left to the server, and both have or lack one.
  private func isServersChoice(_ name: String, _ left: JSONValue, _ right: JSONValue) -> Bool {
    if name == Self.serversWords { return true }
    guard Self.serversChoice.contains(name) else { return false }
    switch (left, right) {
    case (.string(let one), .string(let other)): return one.isEmpty == other.isEmpty
    case (.number, .number), (.null, .null): return true
    default: return false
    }
  }

  private mutating func add(
    _ scenario: String, _ step: String, _ path: String, _ left: JSONValue?, _ right: JSONValue?
  ) {
    differences.append(
      MouthDifference(
        scenario: scenario, step: step, path: path, left: .init(mouth: mouths.left, value: left),
        right: .init(mouth: mouths.right, value: right)))
  }
}

extension ContractComparison: CustomStringConvertible {
  /// Every difference, or that there is none.
  public var description: String {
    if differences.isEmpty { return "\(mouths.left) and \(mouths.right) say the same" }
    let count = differences.count == 1 ? "1 difference" : "\(differences.count) differences"
    return "\(count)\n\n" + differences.map(\.description).joined(separator: "\n\n")
  }
}

extension Array {
  fileprivate func at(_ index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
