internal import CNovaCurl
internal import Dispatch
import NovaSupport

/// Connects any number of tasks to the engine that runs the transfers.
///
/// Tasks put transfers and cancellations into an inbox. The thread that runs the engine takes them out, and resumes the
/// continuations: normally the loop's own thread. If calls come one at a time, and the server responds faster than
/// threads switch, the calling task runs the engine itself. The thread holds the loop; nothing that the loop holds
/// refers back to the transport.
package final class CurlLoop: Sendable {
  private enum Phase { case notStarted, running, ended }

  /// Who is running the engine, and may touch it.
  private enum Runner { case thread, caller, nobody }

  private struct State {
    var phase = Phase.notStarted
    var runner = Runner.thread
    var inbox = CurlInbox()
    /// Set while the runner waits or is about to. Clearing it means waking the runner.
    var isSleeping = false
    var waker: CurlWaker?
    var endWaiters: [CheckedContinuation<Void, Never>] = []
  }

  let options: CurlTransport.Options
  private let state = Locked(State())
  // Only the runner may touch these.
  nonisolated(unsafe) let shared: CurlShared
  nonisolated(unsafe) private var engine: CurlEngine?
  nonisolated(unsafe) private var taken = CurlInbox()
  /// Signaled when the thread gets the engine back.
  private let engineReturned = DispatchSemaphore(value: 0)

  init(options: CurlTransport.Options) {
    self.options = options
    shared = CurlShared(options: options)
  }

  /// Adds a transfer. Its continuation is resumed exactly once: here, or by the runner.
  func submit(_ transfer: CurlTransfer, _ continuation: CheckedContinuation<CurlOutcome, any Error>) {
    transfer.continuation = continuation
    let mayRun = transfer.mayRunOnItsCaller
    let outcome: Result<Next, any Error> = state.withLock { state in
      // A cancellation that found no transfer took this lock earlier, so the flag is set by now.
      if Task.isCancelled { return .failure(CancellationError()) }
      if state.inbox.mustStop { return .failure(TransportError.shutDown(requestMayHaveLeft: false)) }
      if let error = startIfNeeded(&state) { return .failure(error) }
      state.inbox.submissions.append(transfer)
      guard state.runner == .nobody, mayRun else { return .success(Self.next(&state)) }
      state.runner = .caller
      return .success(.run)
    }
    switch outcome {
    case .success(let next): perform(next)
    case .failure(let refusal): transfer.refuse(refusal)
    }
  }

  /// Ends a transfer. Does nothing if it has ended, or was never submitted.
  func cancel(_ transfer: CurlTransfer) {
    perform(
      state.withLock { state in
        guard state.phase == .running else { return .nothing }
        state.inbox.cancellations.append(transfer)
        return Self.next(&state)
      })
  }

  /// Resumes a paused transfer. Does nothing for any other.
  func resume(_ transfer: CurlTransfer) {
    perform(
      state.withLock { state in
        guard state.phase == .running else { return .nothing }
        state.inbox.resumptions.append(transfer)
        return Self.next(&state)
      })
  }

  /// Makes the thread end all transfers and itself. Does not wait, so any thread may call it, including the loop's own.
  func stop() {
    perform(
      state.withLock { state in
        state.inbox.mustStop = true
        if state.phase == .notStarted { state.phase = .ended }
        return Self.next(&state)
      })
  }

  func stopAndWait() async {
    stop()
    await waitUntilEnded()
  }

  /// Returns once the thread has released everything; at once if it never started.
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

  /// The next step for a new inbox entry, taken outside the lock, which the woken thread needs at once.
  private enum Next {
    case nothing
    case wake(CurlWaker?)
    case returnEngine
    case run
  }

  private static func next(_ state: inout State) -> Next {
    if state.runner == .nobody, state.phase == .running {
      state.runner = .thread
      return .returnEngine
    }
    guard state.isSleeping else { return .nothing }
    state.isSleeping = false
    return .wake(state.waker)
  }

  private func perform(_ next: Next) {
    switch next {
    case .nothing: break
    case .wake(let waker): waker?.wake()
    case .returnEngine: engineReturned.signal()
    case .run: runOnCaller()
    }
  }
}

// Runs on the engine's runner: the thread or the calling task.
extension CurlLoop {
  private func takeInbox(to engine: CurlEngine) {
    state.withLock { $0.inbox.exchange(for: &taken) }
    engine.take(taken)
    taken.removeAll()
  }
}

// Runs on the calling task.
extension CurlLoop {
  /// How long a task runs the engine at most before it passes its transfer to the thread. Until then, it blocks a
  /// thread of Swift's pool.
  private static let patience: Int64 = 1_000_000

  /// Makes a transfer without switching threads.
  private func runOnCaller() {
    // TLS libraries write without MSG_NOSIGNAL.
    let hasBlockedSignal = nova_sigpipe_block()
    defer { if hasBlockedSignal { nova_sigpipe_unblock() } }
    if let engine, runBriefly(engine) { return }
    state.withLock { $0.runner = .thread }
    engineReturned.signal()
  }

  /// Returns whether nothing is left to do, and the engine has no runner anymore.
  private func runBriefly(_ engine: CurlEngine) -> Bool {
    let end = nova_monotonic_nanoseconds().addingClamped(Self.patience)
    while true {
      takeInbox(to: engine)
      guard !taken.mustStop, (try? engine.run()) != nil else { return false }
      let isDone: Bool? = state.withLock { state in
        guard state.inbox.isEmpty else { return nil }
        if engine.isIdle { state.runner = .nobody }
        state.isSleeping = !engine.isIdle
        return engine.isIdle
      }
      if isDone == true { return true }
      guard engine.isForOneCaller, nova_monotonic_nanoseconds() < end else {
        state.withLock { $0.isSleeping = false }
        return false
      }
      if isDone == false {
        engine.wait(atMost: 1)
        state.withLock { $0.isSleeping = false }
      }
    }
  }
}

// Runs on the loop's thread.
extension CurlLoop {
  private func run() {
    end(runEngine())
  }

  /// Runs the engine until it ends and all its connections are closed, and returns the reason.
  private func runEngine() -> TransportError {
    do {
      let engine = try CurlEngine(shared)
      self.engine = engine
      state.withLock { $0.waker = engine.waker }
      let error = runTransfers(on: engine)
      state.withLock { $0.waker = nil }
      self.engine = nil
      engine.failAll(error)
      return error
    } catch {
      return error
    }
  }

  private func runTransfers(on engine: CurlEngine) -> TransportError {
    while true {
      takeInbox(to: engine)
      if taken.mustStop { return .shutDown(requestMayHaveLeft: true) }
      do { try engine.run() } catch { return error }
      if engine.hasWorkToStart { continue }
      switch rest(from: engine) {
      case .nothing: continue
      case .lent: engineReturned.wait()
      case .sleep:
        engine.wait()
        state.withLock { $0.isSleeping = false }
      }
    }
  }

  private enum Rest { case nothing, sleep, lent }

  /// What the thread may do until something happens.
  private func rest(from engine: CurlEngine) -> Rest {
    state.withLock { state in
      guard state.inbox.isEmpty else { return .nothing }
      if engine.isIdle, engine.isForOneCaller {
        state.runner = .nobody
        return .lent
      }
      state.isSleeping = true
      return .sleep
    }
  }

  /// After a failure (anything but a stop), the next call starts a new thread with a new multi handle.
  private func end(_ error: TransportError) {
    // Releases the inbox outside the lock, because what it releases may call back.
    var inbox = CurlInbox()
    let waiters = state.withLock { state in
      state.phase = state.inbox.mustStop ? .ended : .notStarted
      state.runner = .thread
      state.isSleeping = false
      let waiters = state.endWaiters
      state.endWaiters = []
      state.inbox.exchange(for: &inbox)
      return waiters
    }
    for transfer in inbox.submissions {
      var error = error
      error.requestMayHaveLeft = false
      transfer.refuse(error)
    }
    for waiter in waiters { waiter.resume() }
  }
}

/// The work that tasks left for the thread.
struct CurlInbox: Sendable {
  var submissions: [CurlTransfer] = []
  var resumptions: [CurlTransfer] = []
  var cancellations: [CurlTransfer] = []
  /// Never cleared.
  var mustStop = false

  /// The number of transfers for which a list keeps its memory.
  private static let keptCount = 1024

  var isEmpty: Bool { submissions.isEmpty && resumptions.isEmpty && cancellations.isEmpty && !mustStop }

  /// Swaps its content for an empty inbox, whose memory it then uses.
  mutating func exchange(for empty: inout CurlInbox) {
    empty.mustStop = mustStop
    swap(&self, &empty)
  }

  /// Removes all transfers. Keeps the memory of each list, unless it is large.
  mutating func removeAll() {
    submissions.removeAll(keepingCapacity: submissions.count <= Self.keptCount)
    resumptions.removeAll(keepingCapacity: resumptions.count <= Self.keptCount)
    cancellations.removeAll(keepingCapacity: cancellations.count <= Self.keptCount)
  }
}

extension TransportError {
  static func shutDown(requestMayHaveLeft: Bool) -> TransportError {
    TransportError(.shutDown, "the transport was shut down", requestMayHaveLeft: requestMayHaveLeft)
  }
}
