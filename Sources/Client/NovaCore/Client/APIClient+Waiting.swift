extension APIClient {
  /// How often to look: after about half a second, then at growing intervals.
  private static let waiting = Pacing(
    Backoff(base: .milliseconds(500), factor: 1.5, maximum: .seconds(10)), floor: .milliseconds(500))
  /// How many looks in a row may fail with a failure that can pass.
  private static let toleratedFailures = 5

  /// Looks repeatedly until there is a result, within one deadline: the options' `timeout` and `deadline`, or without them
  /// the longest time of a transfer.
  ///
  /// Failures that can pass do not end the wait, unless there are too many in a row.
  ///
  /// - Parameters:
  ///   - what: what is waited for, as in "the video "v" was processed".
  ///   - rpc: the RPC that looks.
  ///   - options: those of the service.
  ///   - look: returns the result, or nil to look again later. Its options have the deadline.
  /// - Throws: ``APIError``: what `look` throws, `timeout` when there is no time left, `cancelled`.
  package func wait<Value: Sendable>(
    until what: String, by rpc: RPCDescriptor, _ options: CallOptions,
    look: (CallOptions) async throws -> Value?
  ) async throws -> Value {
    let start = clock.now
    let end = end(of: options, from: start)
    var call = options
    (call.timeout, call.deadline, call.cache) = (nil, end, .networkOnly)
    var (looks, failures) = (0, 0)
    while true {
      looks += 1
      var requested: Duration?
      do {
        if let value = try await look(call) { return value }
        failures = 0
      } catch let error as APIError where Self.canPass(error) {
        failures += 1
        if failures > Self.toleratedFailures { throw error }
        requested = error.retryAfter.map { min($0, configuration.maximumRetryWait) }
      }
      var pause = Self.waiting.wait(after: looks, requested: requested, random: random)
      let rest = clock.now.duration(to: end)
      // Near the deadline, looks come closer together, so that the last one is shortly before it.
      pause = min(pause, max(rest / 2, .milliseconds(100)))
      guard pause < rest else {
        throw APIError(
          .timeout,
          "the call's time was up after \(start.duration(to: clock.now).formatted), before \(what)",
          advice: "wait again, or with a longer timeout", rpc: rpc.id)
      }
      do {
        try await clock.sleep(until: clock.now.advanced(by: pause), tolerance: nil)
      } catch { throw APIError.seenByCallers(error) }
    }
  }

  private func end(of options: CallOptions, from start: ContinuousClock.Instant) -> ContinuousClock.Instant {
    let end = options.timeout.map { start.advanced(by: min($0, .seconds(86_400))) }
    guard let deadline = options.deadline else {
      return end ?? start.advanced(by: configuration.limits.totalTimeout)
    }
    return min(end ?? deadline, deadline)
  }

  private static func canPass(_ error: APIError) -> Bool {
    TransientOnly.isTransient(error) || error.transport?.kind == .circuitOpen
  }
}
