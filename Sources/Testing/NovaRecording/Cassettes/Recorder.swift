public import NovaCore

/// A middleware that records every attempt of every call into a ``Cassette``, with secrets replaced by placeholders.
///
/// ```swift
/// let recorder = try Recorder(path: "Fixtures/followers.jsonl")
/// let nova = NovaClient(configuration: try .load()) { $0.middlewares = [recorder] }
/// _ = try await nova.graph.getFollowers(userId: "mock-user-id")
/// try recorder.finish()
/// ```
///
/// ``recording(_:)`` records around a transport instead.
///
/// Passwords, tokens, and other secrets are replaced: in headers, queries, and bodies, whether the contract marks them as
/// secret, their name is that of a secret, or they look like one. The same secret has the same placeholder throughout the
/// cassette. E-mail addresses and other personal data are recorded. Cancelled calls are not.
///
/// Calls over gRPC are recorded as their messages in JSON, in the form of the gateway's HTTP; the recorded origin begins with
/// `grpc://`. Of a call of another service, whose messages the SDK does not know, the bytes are recorded.
///
/// Streams pass through while they are copied, and are recorded when they end, or when they are not read any further. Of a
/// body of more than 64 MiB, only the size is recorded.
public final class Recorder: Middleware, Sendable {
  fileprivate struct State {
    var masker = SecretMasker()
    var cassette: Cassette
    var file: CassetteFile?
    var failure: CassetteError?
    /// The streams that are being read, by their numbers.
    var streams: [Int: WeakPassingBody] = [:]
    var streamCount = 0
    var summary = Summary()
  }

  fileprivate struct WeakPassingBody: Sendable {
    weak var body: PassingBody?
  }

  /// The largest body that is recorded, in bytes.
  package static let largestBody = 64 << 20

  /// Decompresses a body with a content coding; nil if that fails.
  package typealias Decoding = @Sendable (_ body: [UInt8], _ coding: String) -> [UInt8]?

  /// What was recorded so far.
  package struct Summary: Sendable, Hashable {
    /// The number of interactions.
    package var count = 0
    /// The number of those without their response, because it was too large or in an unknown coding.
    package var incompleteCount = 0
  }

  private let clock: any CallClock
  private let state: Locked<State>
  /// How a recorder of other programs' requests works; nil for a recorder of this program's own.
  private let proxying: Proxying?

  private struct Proxying: Sendable {
    let queue = RecordingQueue()
    let budget = CopyBudget()
    let decode: Decoding
    let warn: @Sendable (String) -> Void
  }

  /// Creates a recorder that records in memory; see ``cassette``.
  public init(clock: any CallClock = ContinuousClock()) {
    self.clock = clock
    proxying = nil
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
    proxying = nil
    state = Locked(try State(path, replacing: replacing, clock))
  }

  /// Creates a recorder for a proxy, which records the requests of other programs into a file and keeps nothing in memory.
  ///
  /// Masking and writing don't hold up what passes, except for the end of a response: the reader gets it when the line is
  /// in the file, so that a client that has the whole response finds it in the cassette. All copies together use at most
  /// 256 MiB; of a body beyond that, only the size is recorded.
  ///
  /// - Parameters:
  ///   - publishes: whether the file is in its place at once. Otherwise, ``publish()`` moves it there. Until then, an
  ///     existing file stays, and ``finish()`` removes the new one. Default: true.
  ///   - decode: decompresses bodies, because secrets cannot be found in compressed ones. What it cannot decompress is not
  ///     recorded.
  ///   - warn: called once if the file cannot be written. Default: does nothing.
  package init(
    proxying path: String, replacing: Bool, publishes: Bool = true, clock: any CallClock = ContinuousClock(),
    decode: @escaping Decoding, warn: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(CassetteError) {
    self.clock = clock
    proxying = Proxying(decode: decode, warn: warn)
    state = Locked(
      try State(path, replacing: replacing, clock, publishes: publishes, toReplace: "use --force"))
  }

  /// Moves the file of a recorder that does not publish it at once into its place.
  package func publish() throws(CassetteError) {
    try state.withLock { state throws(CassetteError) in try state.file?.publish() }
  }

  /// What was recorded so far.
  package var summary: Summary { state.withLock { $0.summary } }

  /// The recording so far.
  public var cassette: Cassette { state.withLock { $0.cassette } }

  /// Returns a transport that records its requests.
  public func recording(_ transport: any HTTPTransport) -> any HTTPTransport {
    RecordedTransport(recorder: self, transport: transport)
  }

  public func intercept(_ request: HTTPRequest, _ context: CallContext, next: Next) async throws -> HTTPResponse {
    try await record(request, next)
  }

  /// Finishes the file; later interactions are recorded in memory only. Streams that are being read are recorded as far as
  /// they have arrived.
  ///
  /// - Throws: ``CassetteError`` if writing failed. Calls themselves do not fail in that case.
  public func finish() throws(CassetteError) {
    for stream in state.withLock({ $0.streams.sorted { $0.key < $1.key }.compactMap(\.value.body) }) {
      stream.end(.left)
    }
    try state.withLock { state throws(CassetteError) in
      let failure = state.failure
      let file = state.file
      state.file = nil
      if let failure { throw failure }
      if let file { try file.sync() }
    }
  }

  /// Finishes the file once everything that has passed is written.
  ///
  /// - Throws: ``CassetteError`` if writing failed.
  package func finishWhenWritten() async throws(CassetteError) {
    for stream in state.withLock({ $0.streams.sorted { $0.key < $1.key }.compactMap(\.value.body) }) {
      stream.end(.left)
    }
    await proxying?.queue.flush()
    try finish()
  }

  fileprivate func record(_ request: HTTPRequest, _ next: Middleware.Next) async throws -> HTTPResponse {
    var request = request
    let sent: SentBody
    (sent, request.body) = try await SentBody.copying(request.body, within: proxying?.budget)
    let start = clock.unixTime
    let (result, duration) = await clock.timed { [request] in try await next(request) }
    let exchange = SentExchange(request: request, sent: sent, start: start, duration: duration)
    switch result {
    case .success(var response):
      if case .stream(let stream) = response.body {
        response.body = .stream(
          HTTPBodyStream(
            passing(stream, of: response, exchange), length: stream.length, trailers: stream.trailers))
        return response
      }
      add(exchange, response, body: try await BodyCopy(reading: response.body), failure: nil)
      await proxying?.queue.flush()
    case .failure(let error as TransportError):
      add(exchange, .failure(error))
      await proxying?.queue.flush()
    case .failure: break
    }
    return try result.get()
  }

  /// Copies a stream while it is read.
  private func passing(_ stream: HTTPBodyStream, of response: HTTPResponse, _ exchange: SentExchange) -> PassingBody {
    var head = response
    head.body = .empty
    let number = state.withLock { state in
      state.streamCount += 1
      return state.streamCount
    }
    let start = clock.moment
    let copy = BodyCopy(proxying?.budget)
    let settle = proxying.map { proxying in { @Sendable in await proxying.queue.flush() } }
    let body = PassingBody(stream, copy: copy, settle: settle) { [head, clock] copy, ending in
      var (exchange, head, failure) = (exchange, head, ending.failure)
      exchange.duration += start.duration(to: clock.moment)
      self.state.withLock { $0.streams[number] = nil }
      #if GRPC
        // The status is a part of the response.
        if let status = ending.status {
          failure = nil
          for field in status { head.headers[field.name] = field.value }
        }
      #endif
      self.add(exchange, head, body: copy, failure: failure)
    }
    state.withLock { $0.streams[number] = WeakPassingBody(body: body) }
    return body
  }

  private func add(_ exchange: SentExchange, _ response: HTTPResponse, body copy: BodyCopy, failure: TransportError?) {
    if copy.isTooLarge { return add(exchange, .failure(.notRecorded(response, byteCount: copy.count))) }
    var response = response
    response.body = copy.body
    add(exchange, .response(response), bodyFailure: failure)
  }

  private func add(_ exchange: SentExchange, _ outcome: Cassette.Outcome, bodyFailure: TransportError? = nil) {
    guard let proxying else { return write(exchange, outcome, bodyFailure: bodyFailure) }
    proxying.queue.add {
      let outcome = outcome.decoded(by: proxying.decode)
      self.write(exchange, outcome, bodyFailure: bodyFailure, decode: proxying.decode)
    }
  }

  private func write(
    _ exchange: SentExchange, _ outcome: Cassette.Outcome, bodyFailure: TransportError?, decode: Decoding? = nil
  ) {
    let (request, content) = exchange.sentRequest(decode)
    let failure = state.withLock { state -> CassetteError? in
      state.summary.count += 1
      if case .failure(let error) = outcome, error.kind == .notRecorded { state.summary.incompleteCount += 1 }
      var interaction = state.masker.interaction(
        request, outcome, startedAt: exchange.start, duration: exchange.duration)
      if case .omitted = content { interaction.request.content = content }
      if var failure = bodyFailure {
        failure.text = failure.text.map(state.masker.hidingKnown)
        interaction.bodyFailure = failure
      }
      if proxying == nil { state.cassette.interactions.append(interaction) }
      guard state.failure == nil else { return nil }
      do throws(CassetteError) {
        try state.file?.append(interaction.line)
      } catch {
        state.failure = error
      }
      return state.failure
    }
    if let failure { proxying?.warn("\(failure); requests still pass, but are no longer recorded") }
  }
}

extension Recorder.State {
  fileprivate init(
    _ path: String, replacing: Bool, _ clock: any CallClock, publishes: Bool = true,
    toReplace: String = "record with replacing: true"
  ) throws(CassetteError) {
    let createdAt = Int64(clock.unixTime)
    let file = try CassetteFile(
      path, createdAt: createdAt, replacing: replacing, publishes: publishes, toReplace: toReplace)
    self.init(cassette: Cassette(createdAt: createdAt), file: file)
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
  mutating func interaction(
    _ request: HTTPRequest, _ outcome: Cassette.Outcome, startedAt start: Double, duration: Duration
  ) -> Cassette.Interaction {
    #if GRPC
      let (request, outcome) = (GRPCExchange.recorded(request), GRPCExchange.recorded(outcome, of: request))
    #endif
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
      error.text = error.text.map(hidingKnown)
      return .failure(error)
    }
  }
}
