public import NovaContent
public import NovaCore

/// A scenario in progress: registers users, records what each step returns, and cleans up afterwards.
public final class ScenarioRun: Sendable {
  /// A step whose value the scenario needs has failed.
  struct Stopped: Error {}

  private struct State {
    var observations: [ContractObservation] = []
    var normalizer: Normalizer
    var cleanups: [@Sendable () async throws -> Void] = []
  }

  /// The client that sends the calls, without a token.
  public let client: APIClient
  /// Letters and digits that no other run uses: start names and content that must be unique with them.
  public let prefix: String
  private let accounts: ContractSuite.Accounts
  private let state: Locked<State>

  init(client: APIClient, prefix: String, accounts: @escaping ContractSuite.Accounts) {
    self.client = client
    self.prefix = prefix
    self.accounts = accounts
    state = Locked(State(normalizer: Normalizer(prefix: prefix)))
  }

  var observations: [ContractObservation] { state.withLock { $0.observations } }

  // MARK: Users and content

  /// Registers a user.
  ///
  /// - Parameter name: letters and digits; the username is ``prefix``, an underscore and this name.
  public func user(_ name: String) async throws -> ContractUser {
    let account = try await accounts("\(prefix)_\(name)")
    state.withLock { $0.normalizer.know(account, as: name) }
    return ContractUser(account, client)
  }

  /// Creates a post, which is deleted at the end.
  public func post(of user: ContractUser, _ text: String = "A post.") async throws -> Post {
    let name = user.account.username.dropFirst(prefix.count + 1)
    let post = try await step("\(name) posts") {
      try await user.content.createPost(creatorId: user.id, content: text)
    }.value
    deleteLater(post, of: user)
    return post
  }

  func deleteLater(_ post: Post, of user: ContractUser) {
    later { _ = try await user.content.deletePost(postId: post.id, deletedById: user.id) }
  }

  /// An id that does not exist on the server.
  public var missingID: String { missing(1)[0] }

  func missing(_ count: Int) -> [String] { (0..<count).map { "\(prefix)-none-\($0)" } }

  /// Does something after the last step, even if a step failed; in no particular order, and its failure is ignored.
  public func later(_ body: @escaping @Sendable () async throws -> Void) {
    state.withLock { $0.cleanups.append(body) }
  }

  func cleanUp() async {
    let cleanups = state.withLock { $0.cleanups }
    _ = await cleanups.concurrentMap(limit: 4) { try? await $0() }
  }

  // MARK: Steps

  /// Records what a call returns; an error breaks the contract.
  ///
  /// - Parameters:
  ///   - name: what the step is called in reports.
  ///   - isServerSpecific: whether the contract leaves the value to the server. Default `false`.
  ///   - call: the call.
  /// - Returns: the step, to which you can add what the contract requires of the value.
  @discardableResult
  public func step<Value: Sendable>(
    _ name: String, isServerSpecific: Bool = false, _ call: () async throws -> Value
  ) async -> ScenarioStep<Value> {
    do {
      let value = try await call()
      let index = add(name, ObservedValue.of(value), isServerSpecific: isServerSpecific)
      return ScenarioStep(run: self, index: index, result: value)
    } catch {
      let index = add(name, ObservedValue.of(error), problem: "expected a response, got \(error)")
      return ScenarioStep(run: self, index: index, result: nil)
    }
  }

  /// Records how a call is refused; anything else breaks the contract.
  ///
  /// - Parameters:
  ///   - name: what the step is called in reports.
  ///   - code: the code of the SDK's error.
  ///   - status: the HTTP status. Default: the contract's for the code, and none for a code without one, such as
  ///     `networkError`.
  ///   - call: the call.
  public func step<Value: Sendable>(
    _ name: String, fails code: APIError.Code, status: Int? = nil, _ call: () async throws -> Value
  ) async {
    let refusal = Refusal(code, status: status)
    do {
      let value = try await call()
      add(name, ObservedValue.of(value), problem: "expected \(code), got a response")
    } catch {
      let isExpected = (error as? APIError).map { refusal.allows($0) } ?? false
      let expected = refusal.statuses.isEmpty ? "\(code)" : "\(code) with HTTP status \(refusal.description)"
      add(name, ObservedValue.of(error), problem: isExpected ? nil : "expected \(expected), got \(error)")
    }
  }

  /// Records how each of several calls is refused with the same code.
  func steps(
    fail code: APIError.Code, _ calls: KeyValuePairs<String, () async throws -> any Sendable>
  ) async {
    for (name, call) in calls { await step(name, fails: code, call) }
  }

  /// Makes a call twice, because the second must return the same as the first.
  func twice<Value: Sendable>(_ name: String, _ call: () async throws -> Value) async {
    for time in [name, "\(name) again"] { await step(time, call) }
  }

  @discardableResult
  func add(_ name: String, _ value: JSONValue, isServerSpecific: Bool = false, problem: String? = nil) -> Int {
    state.withLock { state in
      let value = state.normalizer.normalized(value)
      let problem = problem.map { state.normalizer.normalized(text: $0) }
      state.observations.append(
        ContractObservation(name: name, value: value, isServerSpecific: isServerSpecific, problem: problem))
      return state.observations.count - 1
    }
  }

  /// Marks what a step returned as something that the contract does not allow.
  fileprivate func setUnexpected(at index: Int) {
    state.withLock { state in
      let value = String(decoding: state.observations[index].value.jsonUTF8, as: UTF8.self)
      state.observations[index].problem =
        "the response is not what the contract requires: \(value.shortened(to: Self.longestValue))"
    }
  }

  /// Characters of a returned value in a problem.
  private static let longestValue = 300
}

/// A step that was performed.
public struct ScenarioStep<Value: Sendable>: Sendable {
  fileprivate let run: ScenarioRun
  fileprivate let index: Int
  fileprivate let result: Value?

  /// What the call returned.
  ///
  /// - Throws: an error that ends the scenario if the call failed.
  public var value: Value {
    get throws {
      guard let result else { throw ScenarioRun.Stopped() }
      return result
    }
  }

  /// Requires the value to meet a condition.
  @discardableResult
  public func expect(_ condition: (Value) -> Bool) -> Self {
    if let result, !condition(result) { run.setUnexpected(at: index) }
    return self
  }
}

extension ScenarioStep where Value: Equatable {
  /// Requires the value to be equal to another.
  @discardableResult
  public func expect(_ expected: Value) -> Self { expect { $0 == expected } }
}

extension Refusal {
  fileprivate func allows(_ error: APIError) -> Bool {
    codes.contains(error.code) && (error.httpStatus.map(statuses.contains) ?? statuses.isEmpty)
  }
}

extension AsyncSequence {
  /// All elements, to the end.
  func all() async throws -> [Element] { try await reduce(into: []) { $0.append($1) } }
}
