import NovaCore
import Observation

/// Thrown when ``UploadControl/pause()`` interrupts a step.
struct UploadPause: Error {}

/// The state that an upload's work and its handle, ``MediaUpload``, share.
///
/// The work reports its steps here, and runs those that a pause may interrupt through ``interruptible(_:)``. The handle
/// reads the progress, and pauses and resumes the work.
final class UploadControl: Sendable, Observable {
  private struct State {
    var progress: UploadProgress
    var rate = UploadRate()
    var firstBytes: Int?
    var hasBegun = false
    var hasOtherContent = false
    var isPaused = false
    /// Whether ``pause()`` interrupted the current step.
    var wasInterrupted = false
    /// Interrupts the running step, if it can be interrupted.
    var interrupt: (@Sendable () -> Void)?
    var removeRecord: (@Sendable () async -> Void)?
  }

  /// The upload's ID on this machine.
  let id: String
  let clock: any CallClock
  private let state: Locked<State>
  /// The progress for ``updates``.
  private let reported: LatestValue<UploadProgress>
  private let registrar = ObservationRegistrar()
  /// Wakes the work after a pause.
  private let resumption = WakeSignal()

  init(id: String, clock: any CallClock, progress: UploadProgress) {
    self.id = id
    self.clock = clock
    state = Locked(State(progress: progress))
    reported = LatestValue(progress)
  }

  /// Changes the state, and notifies observers if the progress changes.
  @discardableResult
  private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, isChanged) = state.withLock { state in
      let result = body(&state)
      return (result, reported.prepare { [progress = state.progress] in $0 = progress })
    }
    guard isChanged else { return result }
    reported.deliver()
    registrar.withMutation(of: self, keyPath: \.progress) {}
    return result
  }

  // MARK: For the handle

  /// The current progress. It is observable.
  var progress: UploadProgress {
    registrar.access(self, keyPath: \.progress)
    return state.withLock { $0.progress }
  }

  var updates: AsyncStream<UploadProgress> { reported.stream() }

  /// The number of bytes that the server had when sending began; nil before that.
  var firstBytes: Int? { state.withLock { $0.firstBytes } }

  /// Interrupts the current step, and makes the work wait for ``resume()``. Has no effect while the upload completes,
  /// or after it has ended.
  func pause() {
    let interrupt = change { state -> (@Sendable () -> Void)? in
      guard !state.isPaused, state.progress.state == .starting || state.progress.state == .uploading else { return nil }
      state.isPaused = true
      state.wasInterrupted = true
      state.rate.reset()
      (state.progress.state, state.progress.bytesPerSecond) = (.paused, nil)
      return state.interrupt
    }
    interrupt?()
  }

  /// Continues after ``pause()``.
  func resume() {
    change { state in
      guard state.isPaused else { return }
      state.isPaused = false
      if state.progress.state == .paused { state.progress.state = .uploading }
    }
    resumption.wake()
  }

  /// Removes the upload's record, if there is one.
  func discard() async { await state.withLock { $0.removeRecord }?() }

  // MARK: For the work

  /// Reports that the source is open, and how many bytes the server already has.
  func begin(_ uploadedBytes: Int, of totalBytes: Int) {
    let now = clock.now
    change { state in
      (state.progress.uploadedBytes, state.progress.totalBytes) = (uploadedBytes, totalBytes)
      state.firstBytes = uploadedBytes
      if !state.isPaused { state.progress.state = .uploading }
      state.rate.reset()
      state.rate.note(uploadedBytes, at: now)
    }
  }

  /// Reports the size.
  func open(_ totalBytes: Int) { change { $0.progress.totalBytes = totalBytes } }

  /// Whether the server is known to have the upload.
  var hasBegun: Bool {
    get { state.withLock { $0.hasBegun } }
    set { state.withLock { $0.hasBegun = newValue } }
  }

  /// Reports the number of bytes that the server has confirmed.
  func confirm(_ uploadedBytes: Int) {
    let now = clock.now
    change { state in
      state.progress.uploadedBytes = uploadedBytes
      state.rate.note(uploadedBytes, at: now)
      state.progress.bytesPerSecond = state.isPaused ? nil : state.rate.bytesPerSecond
    }
  }

  /// Reports that all bytes are sent. From now on, the upload cannot be paused.
  ///
  /// - Returns: false if the upload is paused.
  func beginCompleting() -> Bool {
    change { state in
      guard !state.isPaused else { return false }
      (state.progress.state, state.progress.bytesPerSecond) = (.completing, nil)
      return true
    }
  }

  /// Runs a step that a pause interrupts at once.
  ///
  /// - Throws: ``UploadPause`` if it was interrupted; what `body` throws.
  func interruptible<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let step = Task { try await body() }
    let isPaused = state.withLock { state in
      if state.isPaused { return true }
      state.wasInterrupted = false
      state.interrupt = { step.cancel() }
      return false
    }
    if isPaused { step.cancel() }
    defer { state.withLock { $0.interrupt = nil } }
    do {
      return try await withTaskCancellationHandler {
        try await step.value
      } onCancel: {
        step.cancel()
      }
    } catch {
      // The interruption may surface as another kind of error. After the pause, the step is repeated.
      if !Task.isCancelled, state.withLock({ $0.wasInterrupted }) { throw UploadPause() }
      throw error
    }
  }

  /// Returns when the upload is not paused. Only one task at a time may wait.
  ///
  /// - Returns: whether it was.
  /// - Throws: `CancellationError`.
  func waitWhilePaused() async throws -> Bool {
    var wasPaused = false
    while state.withLock({ $0.isPaused }) {
      wasPaused = true
      await resumption.wait()
      try Task.checkCancellation()
    }
    if wasPaused {
      let now = clock.now
      state.withLock { $0.rate.note($0.progress.uploadedBytes, at: now) }
    }
    return wasPaused
  }

  /// Reports that the file of a resumed upload had changed before anything was sent.
  func noteOtherContent() { state.withLock { $0.hasOtherContent = true } }

  var hasOtherContent: Bool { state.withLock { $0.hasOtherContent } }

  /// Sets how ``discard()`` removes the upload's record.
  func onDiscard(_ removeRecord: @escaping @Sendable () async -> Void) {
    state.withLock { $0.removeRecord = removeRecord }
  }

  /// Reports the end of the work.
  func end(_ ending: UploadProgress.State) {
    change { state in (state.progress.state, state.progress.bytesPerSecond) = (ending, nil) }
    reported.finish()
  }
}
