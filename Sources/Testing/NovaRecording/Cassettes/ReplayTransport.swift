public import NovaCore

/// A transport that answers from a ``Cassette``. A request that was not recorded fails, and so does ``verify()`` while
/// recorded requests were not sent.
///
/// ```swift
/// let page = try await ReplayTransport.replaying(Cassette(path: "Fixtures/followers.jsonl")) { transport in
///   let nova = NovaClient(configuration: .builtIn, transport: transport)
///   return try await nova.graph.getFollowers(userId: "mock-user-id")
/// }
/// ```
///
/// A request matches a recorded one if both are the same RPC with equal messages, as the contract reads them (an absent 0
/// is 0, `"5"` is 5, names in either style), or else have the same method, path, query, and body. Where a secret was
/// recorded, any secret matches, but the same one wherever it was the same. Headers and the host do not count, nor whether a
/// call goes over HTTP or gRPC. Equal
/// requests get their responses in the recorded order; otherwise the order is free.
public final class ReplayTransport: HTTPTransport {
  private struct State {
    var isUsed: [Bool]
    var secrets = SecretBindings()
    var unexpected: [String] = []
  }

  /// The cassette.
  public let cassette: Cassette
  private let recorded: [CanonicalRequest]
  private let state: Locked<State>

  /// Creates a transport.
  public init(_ cassette: Cassette) {
    self.cassette = cassette
    recorded = cassette.interactions.map(\.request).map {
      CanonicalRequest(method: $0.method, path: $0.path, query: $0.query, content: $0.content)
    }
    state = Locked(State(isUsed: Array(repeating: false, count: cassette.interactions.count)))
  }

  /// Runs `body` with a transport for the cassette, on the caller's actor, and then calls ``verify()``.
  ///
  /// - Throws: ``UnmetExpectations``, and whatever `body` throws.
  public static func replaying<Result>(
    _ cassette: Cassette, isolation: isolated (any Actor)? = #isolation,
    _ body: (ReplayTransport) async throws -> Result
  ) async throws -> Result {
    let transport = ReplayTransport(cassette)
    let result = try await body(transport)
    try transport.verify()
    return result
  }

  /// Throws if a request was not in the cassette, or a recorded request is unused.
  public func verify() throws(UnmetExpectations) {
    let (unexpected, isUsed) = state.withLock { ($0.unexpected, $0.isUsed) }
    let unused = cassette.interactions.indices.filter { !isUsed[$0] }.map(name)
    if let unmet = UnmetExpectations(unexpected: unexpected, unused: unused) { throw unmet }
  }

  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    #if GRPC
      return GRPCExchange.replayed(try await replay(GRPCExchange.recorded(request)), of: request)
    #else
      return try await replay(request)
    #endif
  }

  private func replay(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    let sent = CanonicalRequest(request, try await RecordedBody(reading: request.body))
    let found: Result<Cassette.Interaction, TransportError> = state.withLock { state in
      guard let index = match(sent, &state) else {
        let report = report("\(request.method) \(request.url.path)", sent, state: state)
        state.unexpected.append(report)
        return .failure(TransportError(.unexpectedRequest, report, requestMayHaveLeft: false))
      }
      state.isUsed[index] = true
      var interaction = cassette.interactions[index]
      interaction.outcome = interaction.outcome.filledIn(state.secrets)
      return .success(interaction)
    }
    let interaction = try found.get()
    switch interaction.outcome {
    case .response(var response):
      if let failure = interaction.bodyFailure {
        guard request.streamsResponse else { throw failure }
        response.body = .interrupted(response.body.inMemory, failure)
      }
      return response
    case .failure(let error): throw error
    }
  }

  /// Returns the first matching recorded request that is unused.
  private func match(_ sent: CanonicalRequest, _ state: inout State) -> Int? {
    for index in recorded.indices where !state.isUsed[index] {
      let comparison = compare(sent, withRecordedAt: index, secrets: state.secrets)
      guard comparison.differences.isEmpty else { continue }
      if let secrets = comparison.secrets { state.secrets = secrets }
      return index
    }
    return nil
  }

  private func compare(
    _ sent: CanonicalRequest, withRecordedAt index: Int, secrets: SecretBindings
  ) -> ValueComparison {
    var comparison = ValueComparison(
      secrets: secrets, secretNames: ContractMessages.nova.secretNames(sent.rpc))
    comparison.compare(recorded[index].value, sent.value)
    return comparison
  }

  // MARK: Reports

  private func report(_ request: String, _ sent: CanonicalRequest, state: State) -> String {
    let name = request + (sent.rpc.map { " (\($0.id))" } ?? "")
    guard !recorded.isEmpty else { return "unexpected request \(name): the cassette is empty" }
    let candidates = recorded.indices.map { index in
      let differences = compare(sent, withRecordedAt: index, secrets: state.secrets).differences
      // Prefer the same call, then unused requests.
      let isOtherCall = differences.contains { ["rpc", "method", "path"].contains($0.path) }
      return (index: index, differences: differences, rank: (isOtherCall ? 2_000_000 : 0) + differences.count * 2)
    }
    let best = candidates.min { left, right in
      (left.rank + (state.isUsed[left.index] ? 1 : 0)) < (right.rank + (state.isUsed[right.index] ? 1 : 0))
    }
    guard let best else { return "unexpected request \(name)" }
    var lines = ["unexpected request \(name); closest recorded request: \(self.name(best.index))"]
    if state.isUsed[best.index] { lines[0] += ", which is already used" }
    lines += best.differences.prefix(10).map { "  \($0)" }
    if best.differences.count > 10 { lines.append("  and \(best.differences.count - 10) more") }
    return lines.joined(separator: "\n")
  }

  private func name(_ index: Int) -> String {
    let interaction = cassette.interactions[index]
    let rpc = interaction.rpc.map { " (\($0))" } ?? ""
    return "#\(index + 1) \(interaction.request.method) \(interaction.request.path)\(rpc)"
  }
}

extension HTTPBody {
  /// The recorded beginning of a body, and then the error that ended it.
  fileprivate static func interrupted(_ bytes: [UInt8], _ failure: TransportError) -> HTTPBody {
    let chunks = AsyncThrowingStream<[UInt8], any Error> { chunks in
      if !bytes.isEmpty { chunks.yield(bytes) }
      chunks.finish(throwing: failure)
    }
    return .stream(HTTPBodyStream(chunks))
  }
}

extension Cassette.Outcome {
  /// Returns the outcome with known secrets filled in, because a client can compare a response with its request.
  fileprivate func filledIn(_ secrets: SecretBindings) -> Cassette.Outcome {
    guard case .response(var response) = self else { return self }
    response.headers = HTTPHeaders(
      response.headers.map { HTTPHeaders.Field(name: $0.name, value: secrets.filledIn($0.value)) })
    switch RecordedBody(response.body.inMemory) {
    case .json(let json): response.body = .bytes(json.filledIn(secrets).jsonUTF8)
    case .text(let text): response.body = .bytes(Array(secrets.filledIn(text).utf8))
    case .none, .bytes, .omitted: break
    }
    return .response(response)
  }
}

extension JSONValue {
  fileprivate func filledIn(_ secrets: SecretBindings) -> JSONValue {
    switch self {
    case .object(let members):
      .object(members.map { Member(name: secrets.filledIn($0.name), value: $0.value.filledIn(secrets)) })
    case .array(let elements): .array(elements.map { $0.filledIn(secrets) })
    case .string(let text): .string(secrets.filledIn(text))
    default: self
    }
  }
}

/// Unexpected requests and unused expectations of a stub or a replay.
public struct UnmetExpectations: NovaError, Hashable {
  /// The unexpected requests, each with the closest expectation.
  public let unexpected: [String]
  /// The expected requests that did not occur.
  public let unused: [String]

  package init?(unexpected: [String], unused: [String]) {
    if unexpected.isEmpty, unused.isEmpty { return nil }
    self.unexpected = unexpected
    self.unused = unused
  }

  public var description: String {
    (unexpected + unused.map { "not requested: \($0)" }).joined(separator: "\n")
  }
}

extension TransportError.Kind {
  /// A stub or a replay has no response to the request. Never retried.
  public static let unexpectedRequest = TransportError.Kind(rawValue: "unexpectedRequest")
}
