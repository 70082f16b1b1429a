public import NovaCore

/// Compares what two backends returned to the same scenarios.
///
/// ```swift
/// let comparison = ContractComparison(mockRun, gatewayRun)
/// #expect(comparison.differences.isEmpty, "\(comparison)")
/// ```
public struct ContractComparison: Sendable {
  /// How much must be equal.
  public enum Strictness: Sendable, Hashable {
    /// What the contract defines. Where it leaves a value to the server (URLs of files, scores, the text of errors), both
    /// must have one of the same kind, or neither.
    case contract
    /// Every value: for implementations with the same data.
    case exact
  }

  /// The differences, in the order of the left run's scenarios and steps; empty if both returned the same.
  public private(set) var differences: [BackendDifference] = []
  private let backends: (left: String, right: String)
  private let strictness: Strictness

  /// Compares two runs of the same scenarios.
  ///
  /// - Parameters:
  ///   - left: the run that counts as expected.
  ///   - right: the other run.
  ///   - strictness: how much must be equal. Default ``Strictness/contract``.
  public init(_ left: ContractRun, _ right: ContractRun, strictness: Strictness = .contract) {
    backends = (left.backend, right.backend)
    self.strictness = strictness
    let rights = Dictionary(right.results.map { ($0.scenario, $0) }) { first, _ in first }
    for result in left.results { compare(result, rights[result.scenario]) }
    let known = Set(left.results.map(\.scenario))
    for result in right.results where !known.contains(result.scenario) {
      add(result.scenario, values: (nil, .string("the scenario was run")))
    }
  }

  private mutating func compare(_ left: ScenarioResult, _ right: ScenarioResult?) {
    guard let right else { return add(left.scenario, values: (.string("the scenario was run"), nil)) }
    let (lefts, rights) = (left.observations, right.observations)
    for index in 0..<max(lefts.count, rights.count) {
      let one = index < lefts.count ? lefts[index] : nil
      let other = index < rights.count ? rights[index] : nil
      guard let one, let other, one.name == other.name else {
        // One of them ended early: what follows would be compared with another step.
        let names = [one, other].map { $0.map { JSONValue.string("step \($0.name)") } }
        return add(left.scenario, step: one?.name ?? other?.name ?? "", values: (names[0], names[1]))
      }
      if one.isServerSpecific, strictness == .contract { continue }
      for difference in one.value.differences(from: other.value, areEqual: areEqual(at:_:_:)) {
        let path = difference.path.appended(to: "$")
        add(left.scenario, step: one.name, path: path, values: (difference.left, difference.right))
      }
    }
  }

  /// Whether a value is left to the server, and both have one of the same kind or neither; nil to compare the values.
  private func areEqual(at path: JSONPath, _ left: JSONValue, _ right: JSONValue) -> Bool? {
    guard strictness == .contract, case .member(let name)? = path.components.last else { return nil }
    if name == Self.serverText { return true }
    guard Self.serverSpecific.contains(name) else { return nil }
    switch (left, right) {
    case (.string(let one), .string(let other)): return one.isEmpty == other.isEmpty ? true : nil
    case (.number, .number), (.null, .null): return true
    default: return nil
    }
  }

  /// The member of an error with the server's own description of it.
  static let serverText = "server"
  private static let serverSpecific: Set<String> = [
    "upload_url", "chunk_size", "url", "cdn_url", "thumbnail_url", "source_video_url", "ranking_score", "score",
    "relevance_score", "novelty_score", "reason", "message",
  ]

  private mutating func add(
    _ scenario: String, step: String = "", path: String = "", values: (left: JSONValue?, right: JSONValue?)
  ) {
    differences.append(
      BackendDifference(
        scenario: scenario, step: step, path: path, left: .init(backend: backends.left, value: values.left),
        right: .init(backend: backends.right, value: values.right)))
  }
}

extension ContractComparison: CustomStringConvertible {
  /// All differences, or a line that says that the backends agree.
  public var description: String {
    if differences.isEmpty { return "no differences between \(backends.left) and \(backends.right)" }
    let count = differences.count == 1 ? "1 difference" : "\(differences.count) differences"
    return "\(count)\n\n" + differences.map(\.description).joined(separator: "\n\n")
  }
}

/// A value that differs between two backends.
public struct BackendDifference: Sendable, Hashable {
  /// What one backend returned.
  public struct Side: Sendable, Hashable {
    /// The name of the backend.
    public let backend: String
    /// The value; nil if it returned nothing.
    public let value: JSONValue?
  }

  /// The scenario.
  public let scenario: String
  /// The step; empty for the whole scenario.
  public let step: String
  /// Where in the step's value, for example `$.likes[0].user_id`; empty for the whole step.
  public let path: String
  /// What the first run of the comparison has.
  public let left: Side
  /// What the second run has.
  public let right: Side
}

extension BackendDifference: CustomStringConvertible {
  /// Three lines: where, and what each backend returned.
  public var description: String {
    let place = [scenario, step.isEmpty ? "" : "step \"\(step)\"", path].filter { !$0.isEmpty }.joined(separator: ", ")
    let width = max(left.backend.count, right.backend.count)
    return ([place] + [left, right].map { "  \($0.line(width: width))" }).joined(separator: "\n")
  }
}

extension BackendDifference.Side {
  fileprivate func line(width: Int) -> String {
    let text = value.map { String(decoding: $0.jsonUTF8, as: UTF8.self).shortened(to: 300) } ?? "(nothing)"
    return "\(backend)\(String(repeating: " ", count: width - backend.count)): \(text)"
  }
}
