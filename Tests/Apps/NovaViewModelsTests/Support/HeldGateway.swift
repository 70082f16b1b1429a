import NovaCore
import NovaMock
import NovaTestSupport

/// The mock backend with a gate in front of it. While the gate is shut, calls wait until the test sets their outcome.
final class HeldGateway: HTTPTransport {
  /// The outcome of a call.
  enum Outcome: Sendable, CaseIterable {
    /// The backend responds.
    case answered
    /// The call is refused (403), without an effect.
    case refused
    /// The token is refused (401), without an effect.
    case unauthorized
    /// The connection breaks before the call has an effect.
    case lost
    /// The connection breaks after the call has had its effect.
    case lostAfterwards
  }

  /// A waiting call.
  struct Call: Sendable {
    let number: Int
    /// The last part of the path: `followers`, `unlike`.
    let name: String
    let body: String
  }

  private struct Waiting {
    let call: Call
    let continuation: CheckedContinuation<Outcome, any Error>
  }

  private struct State {
    var isShut = false
    var rule: @Sendable (Call) -> Outcome = { _ in .answered }
    var ignoresCancellation = false
    var waiting: [Waiting] = []
    var cancelled: Set<Int> = []
    var calls: [Call] = []
    /// The number of released calls without a response.
    var inProgress = 0
    /// The writes to the same target that were in progress at the same time.
    var doubled: [String] = []
  }

  let backend: MockBackend
  private let state = Locked(State())

  init(_ backend: MockBackend) { self.backend = backend }

  /// All calls so far.
  var calls: [Call] { state.withLock { $0.calls } }
  var waiting: [Call] { state.withLock { $0.waiting.map(\.call) } }
  var doubled: [String] { state.withLock { $0.doubled } }

  func count(_ name: String) -> Int { calls.filter { $0.name == name }.count }

  /// Makes calls wait from now on. If `ignoringCancellation`, cancelled calls keep waiting, because a response may
  /// arrive after a cancellation.
  func shut(ignoringCancellation: Bool = false) {
    state.withLock { state in
      state.isShut = true
      state.ignoresCancellation = ignoringCancellation
    }
  }

  /// Releases all calls, now and from now on. `rule` returns their outcomes.
  func open(_ rule: @escaping @Sendable (Call) -> Outcome = { _ in .answered }) {
    let waiting = state.withLock { state in
      state.isShut = false
      state.rule = rule
      defer { state.waiting = [] }
      state.inProgress += state.waiting.count
      return state.waiting
    }
    for one in waiting { one.continuation.resume(returning: rule(one.call)) }
  }

  /// Waits until `count` calls are waiting, or the test's time is up.
  func waitForCalls(_ count: Int) async {
    while waiting.count < count, !Task.isCancelled { await Task.yield() }
  }

  /// Releases the calls that fit, and returns their number.
  @discardableResult
  func release(_ outcome: Outcome = .answered, where fits: (Call) -> Bool = { _ in true }) -> Int {
    let released = state.withLock { state in
      let released = state.waiting.filter { fits($0.call) }
      state.waiting.removeAll { fits($0.call) }
      state.inProgress += released.count
      return released
    }
    for one in released { one.continuation.resume(returning: outcome) }
    return released.count
  }

  /// Waits until the backend has handled the released calls.
  func waitForAnswers() async { while state.withLock({ $0.inProgress > 0 }), !Task.isCancelled { await Task.yield() } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let outcome = try await outcome(of: note(request))
    defer { state.withLock { $0.inProgress = max(0, $0.inProgress - 1) } }
    switch outcome {
    case .answered: return backend.respond(to: request)
    case .refused: return refusal(403, "{\"code\":7,\"message\":\"no\"}")
    case .unauthorized: return refusal(401, "{\"code\":16,\"message\":\"no\"}")
    case .lost: throw TransportError(.connectionLost, "the connection broke", requestMayHaveLeft: false)
    case .lostAfterwards:
      _ = backend.respond(to: request)
      throw TransportError(.connectionLost, "the connection broke", requestMayHaveLeft: true)
    }
  }

  private func refusal(_ status: Int, _ body: String) -> HTTPResponse {
    HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
  }

  private func note(_ request: HTTPRequest) -> Call {
    let name = request.url.text.split(separator: "/").last.map(String.init) ?? ""
    return state.withLock { state in
      let call = Call(
        number: state.calls.count, name: name, body: String(decoding: request.body.inMemory, as: UTF8.self))
      state.calls.append(call)
      return call
    }
  }

  private func outcome(of call: Call) async throws -> Outcome {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { add(Waiting(call: call, continuation: $0)) }
    } onCancel: {
      cancel(call.number)
    }
  }

  private func add(_ waiting: Waiting) {
    let result = state.withLock { state -> Result<Outcome, any Error>? in
      if state.cancelled.contains(waiting.call.number) { return .failure(CancellationError()) }
      guard state.isShut else { return .success(state.rule(waiting.call)) }
      if let thing = Self.thing(waiting.call), state.waiting.contains(where: { Self.thing($0.call) == thing }) {
        state.doubled.append("\(waiting.call.name) \(thing)")
      }
      state.waiting.append(waiting)
      return nil
    }
    if let result { waiting.continuation.resume(with: result) }
  }

  private func cancel(_ number: Int) {
    let cancelled = state.withLock { state -> [Waiting] in
      if state.ignoresCancellation { return [] }
      state.cancelled.insert(number)
      defer { state.waiting.removeAll { $0.call.number == number } }
      return state.waiting.filter { $0.call.number == number }
    }
    for one in cancelled { one.continuation.resume(throwing: CancellationError()) }
  }

  /// The target of a write; nil for reads.
  private static func thing(_ call: Call) -> String? {
    switch call.name {
    case "follow", "unfollow": "follow \(call.body)"
    case "like", "unlike": "like \(call.body)"
    case "bookmark", "delete": "bookmark \(call.body)"
    default: nil
    }
  }
}
