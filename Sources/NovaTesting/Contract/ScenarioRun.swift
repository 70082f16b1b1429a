public import NovaContent
public import NovaCore

/// A scenario under way: makes users, takes down what each step sees, and tidies up afterwards.
public final class ScenarioRun: Sendable {
  /// A step without whose value the scenario cannot go on has failed.
  struct Stopped: Error {}

  private struct State {
    var observations: [ContractObservation] = []
    var normaliser: Normaliser
    var cleanups: [@Sendable () async throws -> Void] = []
  }

  /// The client that carries the calls, in nobody's name.
  public let client: APIClient
  /// Text that no other run has, of letters and digits: names and content that must be one's own start with it.
  public let prefix: String
  private let accounts: ContractSuite.Accounts
  private let state: Locked<State>

  init(client: APIClient, prefix: String, accounts: @escaping ContractSuite.Accounts) {
    self.client = client
    self.prefix = prefix
    self.accounts = accounts
    state = Locked(State(normaliser: Normaliser(prefix: prefix)))
  }

  var observations: [ContractObservation] { state.withLock { $0.observations } }

  // MARK: Users and content

  /// Signs up a user.
  ///
  /// - Parameter name: letters and digits; the username is ``prefix``, an underscore and this.
  public func user(_ name: String) async throws -> ContractUser {
    let account = try await accounts("\(prefix)_\(name)")
    state.withLock { $0.normaliser.know(account, as: name) }
    return ContractUser(account, client)
  }

  /// Writes a post, which is deleted at the end.
  public func post(of user: ContractUser, _ text: String = "A post.") async throws -> Post {
    let post = try await need("\(name(of: user)) posts") {
      try await user.content.createPost(creatorId: user.id, content: text)
    }
    deleteLater(post, of: user)
    return post
  }

  func deleteLater(_ post: Post, of user: ContractUser) {
    later { _ = try await user.content.deletePost(postId: post.id, deletedById: user.id) }
  }

  private func name(of user: ContractUser) -> String {
    String(user.account.username.dropFirst(prefix.count + 1))
  }

  /// Does something after the last step, whether the scenario went well or not; in no order, and its failure is nobody's
  /// concern.
  public func later(_ body: @escaping @Sendable () async throws -> Void) {
    state.withLock { $0.cleanups.append(body) }
  }

  func cleanUp() async {
    let cleanups = state.withLock { $0.cleanups }
    _ = try? await inBatches(of: Array(cleanups.indices), size: max(1, cleanups.count / 4)) { indices in
      for index in indices { try? await cleanups[index]() }
    }
  }

  // MARK: Steps

  /// Takes down what a call returns or throws; an error is against the contract.
  ///
  /// - Parameters:
  ///   - isServersOwn: whether the contract leaves the value to the server.
  ///   - call: what is done.
  ///   - holds: what the contract says about the value. Default: nothing.
  public func step<Value: Sendable>(
    _ name: String, isServersOwn: Bool = false, _ call: () async throws -> Value,
    holds: ((Value) -> Bool)? = nil
  ) async {
    _ = try? await need(name, isServersOwn: isServersOwn, call, holds: holds)
  }

  /// The same for a step whose value is needed: an error ends the scenario.
  public func need<Value: Sendable>(
    _ name: String, isServersOwn: Bool = false, _ call: () async throws -> Value,
    holds: ((Value) -> Bool)? = nil
  ) async throws -> Value {
    let value: Value
    do {
      value = try await call()
    } catch {
      add(name, ObservedValue.of(error), problem: "expected an answer, got \(error)")
      throw Stopped()
    }
    let isRight = holds?(value) ?? true
    add(
      name, ObservedValue.of(value), isServersOwn: isServersOwn,
      problem: isRight ? nil : "the answer is not what the contract says")
    return value
  }

  /// Takes down how a call is refused; anything else is against the contract.
  ///
  /// - Parameters:
  ///   - code: what the SDK calls the refusal.
  ///   - status: the HTTP status. Default: the one that goes with the code.
  public func step<Value: Sendable>(
    _ name: String, fails code: APIError.Code, _ status: Int? = nil, _ call: () async throws -> Value
  ) async {
    do {
      let value = try await call()
      add(name, ObservedValue.of(value), problem: "expected \(code), got an answer")
    } catch {
      let status = status ?? Self.statuses[code]
      let isRight = (error as? APIError).map { $0.code == code && $0.httpStatus == status } ?? false
      let expected = "\(code)\(status.map { " with HTTP status \($0)" } ?? "")"
      add(name, ObservedValue.of(error), problem: isRight ? nil : "expected \(expected), got \(error)")
    }
  }

  private static let statuses: [APIError.Code: Int] = [
    .invalidArgument: 400, .failedPrecondition: 400, .unauthorized: 401, .permissionDenied: 403, .notFound: 404,
    .conflict: 409,
  ]

  func add(_ name: String, _ value: JSONValue, isServersOwn: Bool = false, problem: String? = nil) {
    state.withLock { state in
      let value = state.normaliser.normalised(value)
      let problem = problem.map { state.normaliser.normalised(text: $0) }
      state.observations.append(
        ContractObservation(name: name, value: value, isServersOwn: isServersOwn, problem: problem))
    }
  }
}
