public import NovaCore

/// Data at the border of what the contract lets be, and beyond: what clients tend to get wrong.
///
/// No two answers are to the same request, nor to one about a ``World``, so that all of them can be served at once.
///
/// ```swift
/// for answer in try #require(Edge.named("emoji-zwj")).answers { … }
/// ```
public struct Edge: Sendable {
  /// The name, in lower case with hyphens: `emoji-zwj`.
  public let name: String
  /// One sentence that says what is special.
  public let summary: String
  /// Answers that show it, one or more.
  public let answers: [EdgeAnswer]

  /// Makes an edge.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - summary: the sentence.
  ///   - answers: makes the answers of people and things that are in no other edge.
  init(name: String, summary: String, answers: (EdgeCast) -> [EdgeAnswer]) {
    self.name = name
    self.summary = summary
    self.answers = answers(EdgeCast(name))
  }

  /// Every edge, in the order of the documentation.
  public static let all: [Edge] = [
    .largeIntegers, .zeroTimes, .negativeTimes, .emptyStrings, .maximumLengths, .emoji, .rightToLeft,
    .controlCharacters, .unknownValues, .missingOptionals, .deepThreads, .celebrity, .userWithNothing,
  ]

  /// The edge of this name; nil where there is none.
  public static func named(_ name: String) -> Edge? { all.first { $0.name == name } }
}

/// An answer of a gateway, with the request that it is an answer to.
public struct EdgeAnswer: Sendable {
  /// How the answer stands in JSON.
  public enum Form: Sendable, Hashable {
    /// Every field, as the mock backend writes.
    case complete
    /// Only fields that are not at their defaults, as many gateways write.
    case sparse
  }

  /// The RPC.
  public let rpc: RPCDescriptor
  /// What was asked.
  public let request: any ProtoMessage
  /// What is answered.
  public let response: any ProtoMessage
  /// How it stands in JSON.
  public let form: Form
  /// Why the contract check calls this answer a breaking one, though the SDK reads it; nil where it does not.
  public let isBreakingBecause: String?

  init<Request, Response>(
    _ rpc: RPC<Request, Response>, _ request: Request, _ response: Response, form: Form = .complete,
    isBreakingBecause: String? = nil
  ) {
    self.rpc = rpc.descriptor
    self.request = request
    self.response = response
    self.form = form
    self.isBreakingBecause = isBreakingBecause
  }
}
