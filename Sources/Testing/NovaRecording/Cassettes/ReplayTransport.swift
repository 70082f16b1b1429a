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
    var replay: Replay
    var unexpected: [String] = []
  }

  /// The cassette.
  public let cassette: Cassette
  private let state: Locked<State>

  /// Creates a transport.
  public init(_ cassette: Cassette) {
    self.cassette = cassette
    state = Locked(State(replay: Replay(cassette)))
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
    let (unexpected, unused) = state.withLock { ($0.unexpected, $0.replay.unused) }
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
      guard let interaction = state.replay.next(for: sent) else {
        let report = state.replay.report("\(request.method) \(request.url.path)", sent)
        state.unexpected.append(report)
        return .failure(TransportError(.unexpectedRequest, report, requestMayHaveLeft: false))
      }
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
