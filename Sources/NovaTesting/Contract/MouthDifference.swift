public import NovaCore

/// A value that two mouths of the backend do not have alike.
public struct MouthDifference: Sendable, Hashable {
  /// What one mouth has.
  public struct Side: Sendable, Hashable {
    /// The mouth.
    public let mouth: String
    /// The value; nil where there is none.
    public let value: JSONValue?
  }

  /// The scenario.
  public let scenario: String
  /// The step; empty if the whole scenario is meant.
  public let step: String
  /// Where in the step's value, for example `$.likes[0].user_id`; empty if the whole step is meant.
  public let path: String
  /// What the first run of the comparison has.
  public let left: Side
  /// What the second run has.
  public let right: Side
}

extension MouthDifference: CustomStringConvertible {
  /// Three lines: where, and what each mouth has.
  public var description: String {
    let place = [scenario, step.isEmpty ? "" : "step \"\(step)\"", path].filter { !$0.isEmpty }.joined(separator: ", ")
    let width = max(left.mouth.count, right.mouth.count)
    return ([place] + [left, right].map { "  \($0.line(width))" }).joined(separator: "\n")
  }
}

extension MouthDifference.Side {
  fileprivate func line(_ width: Int) -> String {
    let text = value.map { String(decoding: $0.jsonUTF8, as: UTF8.self).shortened(to: 300) } ?? "(nothing)"
    return "\(mouth)\(String(repeating: " ", count: width - mouth.count)): \(text)"
  }
}
