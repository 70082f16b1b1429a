import NovaGraph
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCore

/// A call belongs to the caller with whom it began, whatever the token provider has when its next request goes out.
@Suite struct CallerChangeTests {
  /// Whom a provider's token belongs to.
  struct Holder: Sendable, CustomTestStringConvertible {
    let token: String?
    let user: String?

    init(_ token: String?, user: String? = nil) { (self.token, self.user) = (token, user) }

    var testDescription: String { "\(token ?? "nobody")\(user.map { " of \($0)" } ?? "")" }
    var accessToken: AccessToken? { get throws { try token.map { try AccessToken($0, user: user) } } }
  }

  /// At once. A clock that advances by itself would advance to the limit of each wait for a token.
  private static let retrying = Resilience(
    retry: .standard(attempts: 3, delay: .milliseconds(1)), budget: nil, breaker: nil)

  /// How a provider gives its tokens.
  enum Form: CaseIterable { case available, awaited, naming }

  private final class Tokens: TokenProvider {
    let holder: Locked<Holder>
    let form: Form
    /// Who has signed in when the token has come that a call waits for.
    let next = Locked<Holder?>(nil)
    let replacement = Locked<Holder?>(nil)

    init(_ holder: Holder, _ form: Form) { (self.holder, self.form) = (Locked(holder), form) }

    var availableToken: AccessToken? {
      form == .available ? try? holder.withLock { $0 }.accessToken : nil
    }
    func accessToken() async throws -> AccessToken? {
      if let next = next.withLock({ $0 }) { holder.withLock { $0 = next } }
      return try holder.withLock { $0 }.accessToken
    }
    func currentUser() async throws -> String? { form == .naming ? holder.withLock { $0 }.user : nil }
    func replacement(for refused: AccessToken) async throws -> AccessToken? {
      guard let replacement = replacement.withLock({ $0 }) else { return nil }
      holder.withLock { $0 = replacement }
      return try replacement.accessToken
    }
  }

  /// What becomes of a call's second request.
  enum Outcome: Equatable { case sent(String), ended }

  private static let ada = Holder("ada-1", user: "ada")
  private static let changes: [(Holder, Holder, Outcome)] = [
    (ada, ada, .sent("ada-1")),
    (ada, Holder("ada-2", user: "ada"), .sent("ada-2")),
    (ada, Holder("bob-1", user: "bob"), .ended),
    (ada, Holder(nil), .ended),
    (ada, Holder("opaque"), .ended),
    (Holder("opaque"), ada, .ended),
    // It cannot be told whether the other is the same user's: the first one is sent again.
    (Holder("opaque"), Holder("opaque-2"), .sent("opaque")),
    (Holder("opaque"), Holder(nil), .ended),
  ]

  @Test(arguments: Form.allCases, changes)
  func aRetryIsTheSameCallers(form: Form, change: (before: Holder, after: Holder, outcome: Outcome)) async throws {
    let tokens = Tokens(change.before, form)
    let transport = RecordingTransport { number, _ in
      if number > 0 { return HTTPResponse(status: 200, body: Array("{}".utf8)) }
      tokens.holder.withLock { $0 = change.after }
      return HTTPResponse(status: 503)
    }
    let client = try APIClient.test(
      transport, tokens: tokens, resilience: Self.retrying, clock: ContinuousClock())
    let error = await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
    expect(change.outcome, after: change.before, over: transport, error: error)
  }

  private func expect(_ outcome: Outcome, after: Holder, over transport: RecordingTransport, error: APIError?) {
    let sent = transport.requests.map { $0.headers["Authorization"] }
    switch outcome {
    case .sent(let token):
      #expect(error == nil)
      #expect(sent == [after.token.map { "Bearer \($0)" }, "Bearer \(token)"])
    case .ended:
      #expect(error?.code == .unauthorized && error?.rpc == "graph.IsMuted")
      #expect(sent == [after.token.map { "Bearer \($0)" }])
    }
  }

  @Test(
    arguments: [
      ("t-1", "t-1", true), ("t-1", "t-2", false), ("t-1", nil, false),
      // Of one user, by what they say of themselves.
      ("e30.eyJzdWIiOiJib2IifQ.c2ln", "e31.eyJzdWIiOiJib2IifQ.c2ln", true),
      ("e30.eyJzdWIiOiJib2IifQ.c2ln", "e30.eyJzdWIiOiJhZGEifQ.c2ln", false),
    ] as [(String, String?, Bool)])
  func aTokenThatWasSetAnewEndsTheCallsOfTheOneBefore(before: String, after: String?, isSent: Bool) async throws {
    let client = Locked<APIClient?>(nil)
    let transport = RecordingTransport { number, _ in
      if number > 0 { return HTTPResponse(status: 200, body: Array("{}".utf8)) }
      client.withLock { $0 }?.setAuthToken(try after.map { try AccessToken($0) })
      return HTTPResponse(status: 503)
    }
    let made = try APIClient.test(
      transport, token: before, resilience: Self.retrying, clock: ContinuousClock())
    client.withLock { $0 = made }
    let error = await apiError { try await made.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
    client.withLock { $0 = nil }
    #expect(error?.code == (isSent ? nil : .unauthorized))
    #expect(transport.requests.count == (isSent ? 2 : 1))
  }

  @Test func aCallThatBeganWithoutATokenGetsNoneLater() async throws {
    let tokens = Tokens(Holder(nil), .awaited)
    let transport = RecordingTransport { number, _ in
      tokens.holder.withLock { $0 = Self.ada }
      return HTTPResponse(status: number > 0 ? 200 : 503, body: Array("{}".utf8))
    }
    let client = try APIClient.test(
      transport, tokens: tokens, resilience: Self.retrying, clock: ContinuousClock())
    let error = await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
    #expect(error?.code == .unauthorized && transport.requests.count == 1)
  }

  /// A refresh can take long: another user can have signed in when it ends.
  @Test func aUserWhoSignsInDuringTheWaitForATokenIsNotTheCaller() async throws {
    let tokens = Tokens(Self.ada, .naming)
    tokens.next.withLock { $0 = Holder("bob-1", user: "bob") }
    let transport = RecordingTransport("{}")
    let client = try APIClient.test(transport, tokens: tokens)
    let error = await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
    #expect(error?.code == .unauthorized && transport.requests.isEmpty)
  }

  @Test(arguments: [
    (ada, Holder("ada-2", user: "ada"), true), (ada, Holder("bob-1", user: "bob"), false),
    (ada, Holder("opaque"), false), (Holder("t-1"), Holder("t-2"), true), (Holder("t-1"), ada, false),
  ])
  func aRefusedTokenIsReplacedByOneOfTheSameUser(before: Holder, after: Holder, isSent: Bool) async throws {
    let tokens = Tokens(before, .available)
    tokens.replacement.withLock { $0 = after }
    let transport = RecordingTransport { number, _ in
      HTTPResponse(status: number > 0 ? 200 : 401, body: Array("{}".utf8))
    }
    let client = try APIClient.test(transport, tokens: tokens)
    let error = await apiError { try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")) }
    expect(isSent ? .sent(after.token ?? "") : .ended, after: before, over: transport, error: error)
  }

  // MARK: Operations of several calls

  private func transport(_ tokens: Tokens, after count: Int, body: String) -> RecordingTransport {
    RecordingTransport { number, _ in
      if number + 1 == count { tokens.holder.withLock { $0 = Holder("bob-1", user: "bob") } }
      return HTTPResponse(
        status: 200, headers: ["Content-Type": "application/json"],
        body: Array(body.replacing("#", with: "\(number)").utf8))
    }
  }

  /// Which tokens were sent.
  private func tokens(of transport: RecordingTransport) -> Set<String?> {
    Set(transport.requests.map { $0.headers["Authorization"] })
  }

  @Test func theRestOfAListIsNotAnotherUsers() async throws {
    let tokens = Tokens(Self.ada, .available)
    let transport = transport(
      tokens, after: 3, body: #"{"user_ids":["user-#"],"total_count":100,"has_more":true}"#)
    let graph = GraphService(client: try APIClient.test(transport, tokens: tokens))
    var items: [String] = []
    let error = await apiError {
      for try await id in graph.followers(of: "ada", pageSize: 1) { items.append(id) }
    }
    #expect(error?.code == .unauthorized && items == ["user-0", "user-1", "user-2"])
    #expect(self.tokens(of: transport) == ["Bearer ada-1"])
    // The next reading is a new operation, of the user who is signed in now.
    var iterator = graph.followers(of: "ada", pageSize: 1).makeAsyncIterator()
    #expect(try await iterator.next() == "user-3")
  }

  @Test func noBatchIsAnotherUsers() async throws {
    let tokens = Tokens(Self.ada, .available)
    let transport = transport(tokens, after: 1, body: #"{"results":{}}"#)
    let graph = GraphService(client: try APIClient.test(transport, tokens: tokens))
    let error = await apiError {
      try await graph.batchCheckFollowing(followerId: "ada", followeeIds: (0..<900).map { "user-\($0)" })
    }
    #expect(error?.code == .unauthorized)
    #expect(self.tokens(of: transport).isSubset(of: ["Bearer ada-1"]))
  }

  @Test func operationsThatAreReadInTurnsKeepTheirCallers() async throws {
    let transport = RecordingTransport { number, request in
      let body = #"{"user_ids":["\#(number)"],"total_count":100,"has_more":true}"#
      return HTTPResponse(status: 200, body: Array(body.utf8))
    }
    let client = try APIClient.test(transport)
    func list(_ token: String) throws -> PagedSequence<String>.AsyncIterator {
      GraphService(client: client, options: CallOptions(token: try AccessToken(token)))
        .followers(of: "x", pageSize: 1).makeAsyncIterator()
    }
    var (first, second) = (try list("a"), try list("b"))
    for _ in 0..<5 {
      _ = try await first.next()
      _ = try await second.next()
    }
    #expect(tokens(of: transport) == ["Bearer a", "Bearer b"])
  }
}
