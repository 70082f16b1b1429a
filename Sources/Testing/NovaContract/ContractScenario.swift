import NovaCore

/// A sequence of calls to a backend, and what the contract requires of the answers.
///
/// The catalog has two kinds of scenarios:
///
/// - ``all`` makes its own accounts and content, and calls the backend through the SDK. ``ContractSuite`` runs these
///   against each backend, and ``ContractComparison`` compares what they returned. They can run concurrently, in any
///   order, and repeatedly on one server.
/// - ``survey`` calls every RPC with valid and invalid requests, one after another, on data that the server has.
///   ``ContractCheck`` runs it and validates the raw answers.
///
/// ```swift
/// let scenario = ContractScenario("like.own", summary: "Liking one's own post counts.") { run in
///   let ada = try await run.user("ada")
///   let post = try await run.post(of: ada)
///   await run.step("ada likes her post") { try await ada.social.createLike(postId: post.id, userId: ada.id) }
///     .expect(1)
///   await run.step("ada likes a missing post", fails: .notFound) {
///     try await ada.social.createLike(postId: run.missingID, userId: ada.id)
///   }
/// }
/// ```
public struct ContractScenario: Sendable, Identifiable {
  /// What a scenario leaves on the server.
  public enum Effect: String, Sendable, Hashable {
    /// It only reads, and needs no account.
    case readOnly
    /// It makes accounts, and content that it deletes if the contract has a call for that.
    case writes
  }

  enum Body: Sendable {
    case steps(@Sendable (ScenarioRun) async throws -> Void)
    case survey(@Sendable (inout SurveyRun) async throws -> Void)
  }

  /// The name, for example `graph.follow`. It is unique in a suite.
  public let name: String
  /// One sentence that describes what is shown.
  public let summary: String
  /// What the scenario leaves on the server.
  public let effect: Effect
  /// The services that a part of the survey checks, or prepares; nil for all.
  var services: Set<String>?
  let body: Body

  public var id: String { name }

  /// Creates a scenario.
  ///
  /// - Parameters:
  ///   - name: a unique name, for example `graph.follow`.
  ///   - summary: one sentence that describes what is shown.
  ///   - effect: what the scenario leaves on the server. Default ``Effect/writes``.
  ///   - body: performs the steps, one after another. An error that it throws ends the scenario; an ``APIError`` inside
  ///     a step is recorded like a value.
  public init(
    _ name: String, summary: String, effect: Effect = .writes,
    body: @escaping @Sendable (ScenarioRun) async throws -> Void
  ) {
    (self.name, self.summary, self.effect, self.body) = (name, summary, effect, .steps(body))
  }

  /// Creates a part of the survey.
  ///
  /// - Parameters:
  ///   - services: the services that the part checks, or prepares. Default: all.
  ///   - needsUser: whether the part is skipped if no user was found.
  ///   - body: gets the user to look at; empty without one.
  init(
    survey name: String, _ summary: String, for services: Set<String>? = nil, needsUser: Bool = true,
    body: @escaping @Sendable (inout SurveyRun, _ me: String) async throws -> Void
  ) {
    (self.name, self.summary, effect, self.services) = ("survey.\(name)", summary, .writes, services)
    self.body = .survey { run in
      if needsUser, run.discovered.me == nil {
        run.calls.report.reasonForRest = "no user was found; name one with --user"
        return
      }
      try await body(&run, run.discovered.me ?? "")
    }
  }
}

extension ContractScenario {
  /// Every scenario of ``ContractSuite``; those that take longest first, so that they run beside the others.
  public static let all: [ContractScenario] = [
    lists, graph, blocks, relationships, accounts, tokens, likes, comments, posts, bookmarks, feeds, uploads, videos,
    capture, events, analytics, reads, errors,
  ].flatMap(\.self)
}
