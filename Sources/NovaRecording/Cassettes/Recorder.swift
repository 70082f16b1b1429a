public import NovaCore

/// A middleware that records every attempt of every call into a ``Cassette``, with secrets replaced by placeholders.
///
/// ```swift
/// let recorder = try Recorder(path: "Fixtures/followers.jsonl")
/// let nova = NovaClient(configuration: try .load(), middlewares: [recorder])
/// _ = try await nova.graph.getFollowers(userId: "mock-user-id")
/// try recorder.finish()
/// ```
///
/// ``recording(_:)`` records around a transport instead.
///
/// Passwords, tokens, and other secrets are replaced: in headers, queries, and bodies, whether the contract marks them as
/// secret, their name is that of a secret, or they look like one. The same secret has the same placeholder throughout the
/// cassette. E-mail addresses and other personal data are recorded. Cancelled calls are not.
public final class Recorder: Middleware, Sendable {
  private struct State {
    var masker = SecretMasker()
    var cassette: Cassette
    var file: CassetteFile?
    var failure: CassetteError?
  }

  /// The largest body that is recorded, in bytes: streams and files are read into memory for it, and a larger one fails.
  package static let largestBody = 64 << 20

  private let clock: any CallClock
  private let state: Locked<State>

  /// Creates a recorder that records in memory; see ``cassette``.
  public init(clock: any CallClock = ContinuousClock()) {
    self.clock = clock
    state = Locked(State(cassette: Cassette(createdAt: Int64(clock.unixTime))))
  }

  /// Creates a recorder that also writes each interaction to a file as soon as it completes.
  ///
  /// - Parameters:
  ///   - path: the path of the file, created with mode 600 in an existing folder.
  ///   - replacing: whether an existing file is replaced. Default: false, which fails.
  ///   - clock: the clock for times and durations. Default: the system's.
  /// - Throws: ``CassetteError``.
  public init(path: String, replacing: Bool = false, clock: any CallClock = ContinuousClock()) throws(CassetteError) {
    self.clock = clock
    let createdAt = Int64(clock.unixTime)
    let file = try CassetteFile(path, createdAt: createdAt, replacing: replacing)
    state = Locked(State(cassette: Cassette(createdAt: createdAt), file: file))
  }

  /// The recording so far.
  public var cassette: Cassette { state.withLock { $0.cassette } }

  /// Returns a transport that records its requests.
  public func recording(_ transport: any HTTPTransport) -> any HTTPTransport {
    RecordedTransport(recorder: self, transport: transport)
  }

  public func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
    try await record(request, next)
  }

  /// Finishes the file; later interactions are recorded in memory only.
  ///
  /// - Throws: ``CassetteError`` if writing failed. Calls themselves do not fail in that case.
  public func finish() throws(CassetteError) {
    try state.withLock { state throws(CassetteError) in
      let failure = state.failure
      let file = state.file
      state.file = nil
      if let failure { throw failure }
      if let file { try file.sync() }
    }
  }

  fileprivate func record(_ request: HTTPRequest, _ next: Middleware.Next) async throws -> HTTPResponse {
    let start = clock.unixTime
    var request = request
    request.body = try await request.body.collected(upTo: Self.largestBody)
    let (result, duration) = await clock.timed { [request] in
      var response = try await next(request)
      response.body = try await response.body.collected(upTo: Self.largestBody)
      return response
    }
    switch result {
    case .success(let response): add(request, .response(response), startedAt: start, duration: duration)
    case .failure(let error as TransportError): add(request, .failure(error), startedAt: start, duration: duration)
    case .failure: break
    }
    return try result.get()
  }

  private func add(_ request: HTTPRequest, _ outcome: Cassette.Outcome, startedAt start: Double, duration: Duration) {
    state.withLock { state in
      let interaction = state.masker.interaction(request, outcome, startedAt: start, duration: duration)
      state.cassette.interactions.append(interaction)
      guard state.failure == nil else { return }
      do throws(CassetteError) {
        try state.file?.append(interaction.line)
      } catch {
        state.failure = error
      }
    }
  }
}

extension Cassette {
  /// Creates a cassette of exchanges that already happened, with secrets replaced by placeholders.
  package init(recording exchanges: [(request: HTTPRequest, response: HTTPResponse)]) {
    var masker = SecretMasker()
    self.init(
      interactions: exchanges.map {
        masker.interaction($0.request, .response($0.response), startedAt: 0, duration: .zero)
      })
  }
}

private struct RecordedTransport: HTTPTransport {
  let recorder: Recorder
  let transport: any HTTPTransport

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await recorder.record(request) { try await transport.send($0) }
  }

  func shutdown() async { await transport.shutdown() }
}

extension SecretMasker {
  /// Returns an interaction with secrets replaced.
  fileprivate mutating func interaction(
    _ request: HTTPRequest, _ outcome: Cassette.Outcome, startedAt start: Double, duration: Duration
  ) -> Cassette.Interaction {
    let before = count
    let interaction = masked(request, outcome, startedAt: start, duration: duration)
    let rpc = interaction.rpc.flatMap { ContractMessages.nova.registry.rpc(named: $0) }
    for secret in SecretRedactor.secrets(in: request, rpc) { _ = placeholder(secret) }
    // A secret can occur before the field that identifies it.
    return count == before ? interaction : masked(request, outcome, startedAt: start, duration: duration)
  }

  private mutating func masked(
    _ request: HTTPRequest, _ outcome: Cassette.Outcome, startedAt start: Double, duration: Duration
  ) -> Cassette.Interaction {
    let contract = ContractMessages.nova
    let rpc = contract.routes.route(request.method, request.url.path)?.rpc
    let secretNames = contract.secretNames(rpc)
    let masked = Cassette.Request(
      method: request.method, origin: request.url.origin.text, path: path(request.url.path),
      query: query(request.url.query ?? ""),
      headers: headers(request.headers), content: body(request.body.inMemory, secretNames))
    return Cassette.Interaction(
      rpc: rpc?.id, startedAt: start, duration: duration, request: masked, outcome: self.outcome(outcome, secretNames))
  }

  private mutating func outcome(_ outcome: Cassette.Outcome, _ secretNames: Set<String>) -> Cassette.Outcome {
    switch outcome {
    case .response(var response):
      response.headers = headers(response.headers)
      response.body = .bytes(body(response.body.inMemory, secretNames).bytes)
      return .response(response)
    case .failure(var error):
      error.message = hidingKnown(error.message)
      return .failure(error)
    }
  }
}
