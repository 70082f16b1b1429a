import NovaCore

/// One check under way: sends requests in turn, keeps to the limits, and remembers what was learned and created.
struct CheckRun {
  let check: ContractCheck
  var recorder: Recorder
  var facts = Facts()
  /// The token of the account that the check opened.
  var ownToken: AccessToken?
  /// What must be deleted at the end, the first created first.
  private(set) var leftovers: [Leftover] = []
  /// The services that were asked with a bad token, and at a path that is none.
  var probedServices: Set<String> = []

  private let progress: @Sendable (ContractCheck.Progress) -> Void
  private let deadline: ContinuousClock.Instant
  private var nextStart: ContinuousClock.Instant
  private var failuresInARow = 0
  private let total: Int

  init(_ check: ContractCheck, _ progress: @escaping @Sendable (ContractCheck.Progress) -> Void) {
    self.check = check
    self.progress = progress
    recorder = Recorder(check.registry)
    nextStart = check.clock.now
    deadline = check.clock.now.advanced(by: check.options.maximumTime)
    total = check.registry.rpcs.count { !check.options.isReadOnly || $0.effect == .noSideEffects }
  }

  // MARK: Sending

  /// Sends a request and returns the answer, or nil when there is none to look at.
  ///
  /// - Throws: ``StoppedCheck`` when a limit is reached or there is no connection; `CancellationError`.
  mutating func exchange(_ rpc: RPCDescriptor, _ name: String, _ request: HTTPRequest) async throws -> HTTPResponse? {
    for attempt in 0..<3 {
      guard let response = try await exchangeOnce(rpc, name, request) else { return nil }
      guard response.status == 429 || response.status == 503 else { return response }
      guard attempt < 2 else { break }
      try await wait(RetryAfter.wait(response.headers, unixTime: check.clock.unixTime) ?? .seconds(1))
    }
    recorder.skip(rpc.id, "the gateway had no time for it (429 or 503, three times)")
    return nil
  }

  private mutating func exchangeOnce(
    _ rpc: RPCDescriptor, _ name: String, _ request: HTTPRequest
  ) async throws -> HTTPResponse? {
    try await takeTurn()
    recorder.hideCredentials(of: request)
    let (result, duration) = await check.clock.timed { [transport = check.transport] in
      try await transport.send(request)
    }
    if case .failure(let error) = result, error is CancellationError { throw error }
    // A storage out of reach says nothing about the gateway.
    if case .failure(let error as TransportError) = result, error.isNoConnection, !request.isForStorage {
      throw StoppedCheck(reason: .noConnection(recorder.masked(error.message).shortened(to: 300)))
    }
    recorder.sent(rpc.id, name, duration)
    defer { tellProgress(rpc, name) }
    switch result {
    case .success(let response):
      failuresInARow = 0
      return response
    case .failure(let error):
      try failed(error, rpc, name)
      return nil
    }
  }

  /// Waits until the next request may be sent.
  private mutating func takeTurn() async throws {
    try Task.checkCancellation()
    guard recorder.requestCount < check.options.maximumRequests else {
      throw StoppedCheck(reason: .maximumRequests(check.options.maximumRequests))
    }
    try await wait(check.clock.now.duration(to: nextStart))
    guard check.clock.now < deadline else { throw StoppedCheck(reason: .maximumTime(check.options.maximumTime)) }
    if let rate = check.options.requestsPerSecond {
      nextStart = check.clock.now.advanced(by: .seconds(1) / max(rate, 0.001))
    }
  }

  private func wait(_ duration: Duration) async throws {
    guard duration > .zero else { return }
    let end = check.clock.now.advanced(by: duration)
    try await check.clock.sleep(until: min(end, deadline), tolerance: nil)
  }

  private mutating func failed(_ error: any Error, _ rpc: RPCDescriptor, _ name: String) throws {
    let message = recorder.masked((error as? TransportError)?.message ?? "\(error)")
    recorder.note(
      Finding(.noAnswer, .breaking, expected: "an answer", found: message.shortened(to: 200).printable(to: 400)),
      rpc.id, name)
    failuresInARow += 1
    if failuresInARow == 3 {
      throw StoppedCheck(reason: .noConnection("three requests in a row had no answer; \(message)".shortened(to: 300)))
    }
  }

  private func tellProgress(_ rpc: RPCDescriptor, _ name: String) {
    progress(
      ContractCheck.Progress(
        rpcs: recorder.calledCount, total: total, requests: recorder.requestCount, breaking: recorder.breakingCount,
        rpc: rpc.id, request: name))
  }

  // MARK: Cleaning up

  /// Remembers that something was created.
  ///
  /// - Parameter deletion: what deletes it.
  mutating func created<Request, Response>(
    _ what: String, deletion rpc: RPC<Request, Response>, _ message: Request
  ) async {
    guard let request = try? await request(rpc.descriptor, message) else { return }
    leftovers.append(Leftover(what: what, rpc: rpc.descriptor.id, request: request))
  }

  /// Remembers that something is deleted.
  mutating func deleted(_ what: String) { leftovers.removeAll { $0.what == what } }

  /// Deletes what is left, the last created first, also after the task was cancelled.
  mutating func cleanUp() async {
    let leftovers = Array(leftovers.reversed())
    self.leftovers = []
    guard !leftovers.isEmpty else { return }
    if case .noConnection = recorder.stop {
      recorder.notCleanedUp += leftovers.map(\.what)
      return
    }
    let transport = check.transport
    recorder.notCleanedUp += await Task.detached {
      var kept: [String] = []
      for leftover in leftovers {
        let response = try? await transport.send(leftover.request)
        // What is gone needs no deleting.
        if response.map({ !$0.isSuccess && $0.status != 404 }) ?? true { kept.append(leftover.what) }
      }
      return kept
    }.value
  }
}

/// Something that the check created.
struct Leftover: Sendable {
  let what: String
  let rpc: String
  let request: HTTPRequest
}

extension TransportError {
  /// Whether there is nobody to talk to, so that another request would end the same way.
  fileprivate var isNoConnection: Bool {
    switch kind {
    case .connectionRefused, .nameResolution, .connectionFailed, .connectTimeout, .tls, .offline, .unavailable,
      .invalidURL, .shutDown:
      true
    default: false
    }
  }
}
