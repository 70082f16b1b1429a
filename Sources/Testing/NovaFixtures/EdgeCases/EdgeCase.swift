/// Responses with values at the limits of the contract or beyond, which clients often handle incorrectly.
///
/// No two responses share a request, and none uses an id of a ``World``, so one server can serve all of them.
///
/// ```swift
/// for answer in try #require(EdgeCase.named("emoji-zwj")).answers { … }
/// ```
public struct EdgeCase: Sendable {
  /// The name, in lower case with hyphens: `emoji-zwj`.
  public let name: String
  /// One sentence that describes the values.
  public let summary: String
  /// The responses with their requests; at least one.
  public let answers: [EdgeCaseAnswer]

  /// - Parameter answers: creates the responses from subjects that are unique to this edge case.
  init(_ name: String, summary: String, answers: (EdgeCaseSubjects) -> [EdgeCaseAnswer]) {
    (self.name, self.summary, self.answers) = (name, summary, answers(EdgeCaseSubjects(name)))
  }

  /// Returns the edge case with a name; nil if there is none.
  public static func named(_ name: String) -> EdgeCase? { all.first { $0.name == name } }
}
