internal import CNovaCurl
import NovaSupport

/// Connects any number of tasks to the one thread that runs the transfers.
///
/// Tasks leave calls and cancellations in an inbox; the thread takes them out, and resumes the continuations. The
/// thread holds the loop; nothing the loop holds leads back to the transport.
package final class CurlLoop: Sendable {
  private enum Phase { case notStarted, running, ended }

  private struct State {
    var phase = Phase.notStarted
    var inbox = CurlInbox()
    /// Set while the thread is about to wait or waits; whoever clears it wakes the thread.
    var isSleeping = false
    var waker: CurlWaker?
    var endWaiters: [CheckedContinuation<Void, Never>] = []
  }

  private let options: CurlTransport.Options
  private let state = Locked(State())

  init(options: CurlTransport.Options) { self.options = options }

  /// Takes a call. Its continuation is resumed exactly once: here, or by the thread.
  func submit(_ submission: CurlSubmission) {
    let refusal: (any Error)? = state.withLock { state in
      // A cancellation that found nothing to cancel came before this lock, and has set the flag by now.
      if Task.isCancelled { return CancellationError() }
      if state.inbox.mustStop { return TransportError.shutDown(requestMayHaveLeft: false) }
      if let error = startIfNeeded(&state) { return error }
      state.inbox.submissions.append(submission)
      Self.wake(&state)
      return nil
    }
    if let refusal { submission.continuation.resume(throwing: refusal) }
  }

  /// Ends a call; does nothing when it is over, or has not begun.
  func cancel(_ call: CurlCall) {
    state.withLock { state in
      guard state.phase == .running else { return }
      state.inbox.cancellations.append(call)
      Self.wake(&state)
    }
  }

  /// Lets a transfer continue that has paused; does nothing for any other.
  func resume(_ call: CurlCall) {
    state.withLock { state in
      guard state.phase == .running else { return }
      state.inbox.resumptions.append(call)
      Self.wake(&state)
    }
  }

  /// Makes the thread end all transfers and itself. Does not wait, so any thread may call it, including the loop's own.
  func stop() {
    state.withLock { state in
      state.inbox.mustStop = true
      if state.phase == .notStarted { state.phase = .ended }
      Self.wake(&state)
    }
  }

  func stopAndWait() async {
    stop()
    await waitUntilEnded()
  }

  /// Returns once the thread has let go of everything, at once if it never started.
  package func waitUntilEnded() async {
    await withCheckedContinuation { continuation in
      let isRunning = state.withLock { state in
        if state.phase == .running { state.endWaiters.append(continuation) }
        return state.phase == .running
      }
      if !isRunning { continuation.resume() }
    }
  }

  private func startIfNeeded(_ state: inout State) -> TransportError? {
    guard state.phase == .notStarted else { return nil }
    let status = nova_thread_start(
      { Unmanaged<CurlLoop>.fromOpaque($0).takeRetainedValue().run() }, Unmanaged.passRetained(self).toOpaque())
    guard status == 0 else {
      Unmanaged.passUnretained(self).release()
      return TransportError(.unavailable, "no thread could be started (errno \(status))", requestMayHaveLeft: false)
    }
    state.phase = .running
    return nil
  }

  private static func wake(_ state: inout State) {
    guard state.isSleeping else { return }
    state.isSleeping = false
    state.waker?.wake()
  }
}

// On the loop's thread.
extension CurlLoop {
  private func run() {
    end(runEngine())
  }

  /// Returns why it ended, when the engine and all its connections are gone.
  private func runEngine() -> TransportError {
    do {
      let engine = try CurlEngine(options: options)
      state.withLock { $0.waker = engine.waker }
      let error = runTransfers(on: engine)
      // Before the engine goes: nobody may wake a multi handle that is freed.
      state.withLock { $0.waker = nil }
      engine.failAll(error)
      return error
    } catch {
      return error
    }
  }

  private func runTransfers(on engine: CurlEngine) -> TransportError {
    while true {
      let inbox = state.withLock { $0.inbox.take() }
      engine.take(inbox)
      if inbox.mustStop { return .shutDown(requestMayHaveLeft: true) }
      do { try engine.run() } catch { return error }
      if engine.hasWorkToStart || !fallAsleep() { continue }
      engine.wait()
      state.withLock { $0.isSleeping = false }
    }
  }

  /// Whether there is nothing new, so that the thread may wait.
  private func fallAsleep() -> Bool {
    state.withLock { state in
      state.isSleeping = state.inbox.isEmpty
      return state.isSleeping
    }
  }

  /// After a failure (anything but a stop) the next call starts a new thread with a new multi handle.
  private func end(_ error: TransportError) {
    // The whole inbox leaves the lock: what it releases may call back.
    let (inbox, waiters) = state.withLock { state in
      state.phase = state.inbox.mustStop ? .ended : .notStarted
      state.isSleeping = false
      let waiters = state.endWaiters
      state.endWaiters = []
      return (state.inbox.take(), waiters)
    }
    for submission in inbox.submissions {
      var error = error
      error.requestMayHaveLeft = false
      submission.continuation.resume(throwing: error)
    }
    for waiter in waiters { waiter.resume() }
  }
}

/// What tasks have left for the thread.
struct CurlInbox: Sendable {
  var submissions: [CurlSubmission] = []
  var resumptions: [CurlCall] = []
  var cancellations: [CurlCall] = []
  /// Stays set.
  var mustStop = false

  var isEmpty: Bool { submissions.isEmpty && resumptions.isEmpty && cancellations.isEmpty && !mustStop }

  mutating func take() -> CurlInbox {
    let all = self
    self = CurlInbox(mustStop: mustStop)
    return all
  }
}

extension TransportError {
  static func shutDown(requestMayHaveLeft: Bool) -> TransportError {
    TransportError(.shutDown, "the transport was shut down", requestMayHaveLeft: requestMayHaveLeft)
  }
}
