import NovaCore

/// A story that every mouth of the backend must tell alike: the mock in memory, `nova serve`, a gateway.
///
/// A scenario makes its own accounts and content, so that scenarios may run at the same time, in any order, and again and
/// again on one server. It speaks through the SDK only.
///
/// ```swift
/// let scenario = ContractScenario("like.own", "Liking one's own post counts.", .writes) { run in
///   let ada = try await run.user("ada")
///   let post = try await run.post(of: ada)
///   await run.step("ada likes her post") {
///     try await ada.social.createLike(postId: post.id, userId: ada.id)
///   } holds: { $0 == 1 }
/// }
/// ```
public struct ContractScenario: Sendable, Identifiable {
  /// What a scenario leaves behind on the server.
  public enum Effect: String, Sendable, Hashable {
    /// It only reads, and needs no account.
    case readOnly
    /// It makes accounts, and content that it deletes again where the contract has a call for that.
    case writes
  }

  /// The name, for example `graph.follow`. No two scenarios of a suite have the same.
  public let name: String
  /// One sentence that says what is shown.
  public let summary: String
  /// What it leaves behind.
  public let effect: Effect
  let body: @Sendable (ScenarioRun) async throws -> Void

  public var id: String { name }

  /// Creates a scenario.
  ///
  /// - Parameter body: makes the steps, one after the other. What it throws ends the scenario; an ``APIError`` in a step
  ///   is an observation like any other.
  public init(
    _ name: String, _ summary: String, _ effect: Effect,
    body: @escaping @Sendable (ScenarioRun) async throws -> Void
  ) {
    self.name = name
    self.summary = summary
    self.effect = effect
    self.body = body
  }
}

extension ContractScenario {
  /// Every scenario of the contract; those that take longest first, so that nobody waits for them at the end.
  public static let all: [ContractScenario] = [
    lists, graph, blocks, relationships, accounts, tokens, likes, comments, posts, bookmarks, feeds, uploads, videos,
    capture, reads,
    errors,
  ].flatMap(\.self)
}
