import NovaCore
public import Observation

/// A running upload: shows its progress, and pauses, resumes, and ends it.
///
/// ```swift
/// let upload = nova.media.upload(.file(path), userId: me)
/// for await progress in upload.updates { print(progress.uploadedBytes, "of", progress.totalBytes) }
/// let record = try await upload.value
/// ```
///
/// An upload runs until it ends, even if nothing refers to it anymore. You can call all methods in every state, from
/// any task.
public final class MediaUpload: Sendable, Observable {
  /// The work of an upload: reports its steps, and returns the completed upload.
  typealias Work = @Sendable (MediaUpload) async throws -> Upload

  struct State {
    var progress = UploadProgress()
    var rate = UploadRate()
    /// The number of bytes that the server had when sending began.
    var firstBytes: Int?
    /// Whether the server is known to have the upload.
    var hasBegun = false
    /// See ``MediaUpload/hasOtherContent``.
    var hasOtherContent = false
    var isPaused = false
    /// Whether ``pause()`` interrupted the current step.
    var wasInterrupted = false
    /// Interrupts the running step, if it can be interrupted.
    var interrupt: (@Sendable () -> Void)?
    var resumers: [CheckedContinuation<Void, Never>] = []
    var task: Task<Upload, any Error>?
    /// Removes the record for other processes.
    var discard: (@Sendable () async -> Void)?
  }

  /// The upload's ID on this machine, with which ``MediaService/pendingUploads()`` lists it. It differs from the
  /// server's ID, which ``value`` contains.
  public let id: String

  let clock: any CallClock
  let state = Locked(State())
  /// The progress for ``updates``.
  private let reported: LatestValue<UploadProgress>
  private let registrar = ObservationRegistrar()

  /// Starts an upload.
  init(id: String, clock: any CallClock, progress: UploadProgress = UploadProgress(), _ work: @escaping Work) {
    self.id = id
    self.clock = clock
    reported = LatestValue(progress)
    state.withLock { $0.progress = progress }
    // Keeps the upload alive until it ends.
    let task = Task {
      do {
        let upload = try await work(self)
        self.end(.completed)
        return upload
      } catch {
        self.end(Task.isCancelled ? .cancelled : .failed)
        // A cancelled step may report another failure.
        throw Task.isCancelled ? CancellationError() : error
      }
    }
    state.withLock { $0.task = task }
  }

  /// The current progress. It is observable: SwiftUI and `withObservationTracking` notice its changes.
  public var progress: UploadProgress {
    registrar.access(self, keyPath: \.progress)
    return state.withLock { $0.progress }
  }

  /// The number of bytes that the server had when sending began, 0 for a new upload; nil before that.
  package var resumedFrom: Int? { state.withLock { $0.firstBytes } }

  /// Whether a resumed upload failed because its file had changed before anything was sent.
  package var hasOtherContent: Bool { state.withLock { $0.hasOtherContent } }

  /// The current progress, and each change of it. A slow reader skips values. The last value has the state `completed`,
  /// `failed`, or `cancelled`; then the sequence ends without an error. Each access returns a new sequence.
  public var updates: AsyncStream<UploadProgress> { reported.stream() }

  /// The server's record of the completed upload, with its ID and URL. Waits for the end of the upload. Several tasks
  /// can wait for it, even after the end.
  ///
  /// Cancelling a task that waits for it ends the upload at once. Its record on disk is kept, for
  /// ``MediaService/resumeUpload(_:)``.
  ///
  /// - Throws: ``APIError``: `cancelled` after ``cancel()`` or the cancellation of a waiting task; `timeout` after the
  ///   deadline.
  public var value: Upload {
    get async throws {
      guard let task = state.withLock({ $0.task }) else {
        throw APIError(.cancelled, "the upload was not started", rpc: MediaService.uploadBytes.descriptor.id)
      }
      return try await withTaskCancellationHandler {
        do { return try await task.value } catch is CancellationError {
          throw APIError(.cancelled, "the upload was cancelled", rpc: MediaService.uploadBytes.descriptor.id)
        }
      } onCancel: {
        task.cancel()
      }
    }
  }

  /// Stops sending at once, until ``resume()``. If the server has not received a chunk completely, its rest is sent
  /// again later. Has no effect while the upload completes, or after it has ended.
  ///
  /// A pause does not extend a `deadline` of the service's options. If the deadline passes during the pause, the upload
  /// stays paused, and fails with `timeout` when it is resumed; ``MediaService/resumeUpload(_:)`` can continue it.
  public func pause() {
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

  /// Continues after ``pause()``, with the first byte that the server does not have. Has no effect in other states.
  public func resume() {
    let resumers = change { state -> [CheckedContinuation<Void, Never>] in
      guard state.isPaused else { return [] }
      state.isPaused = false
      if state.progress.state == .paused { state.progress.state = .uploading }
      defer { state.resumers = [] }
      return state.resumers
    }
    for resumer in resumers { resumer.resume() }
  }

  /// Ends the upload and removes its record on disk, so that it cannot be resumed. Returns when both are done.
  ///
  /// Also removes the record of an upload that already failed or was stopped. Has no effect on a completed upload. The
  /// server keeps the bytes that it has.
  public func cancel() async {
    let task = state.withLock { $0.task }
    task?.cancel()
    _ = await task?.result
    await state.withLock { $0.discard }?()
  }

  // MARK: For the upload's work

  /// Changes the state, and notifies observers if the progress changes.
  @discardableResult
  func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, isChanged) = state.withLock { state in
      let result = body(&state)
      return (result, reported.prepare { [progress = state.progress] in $0 = progress })
    }
    guard isChanged else { return result }
    reported.deliver()
    registrar.withMutation(of: self, keyPath: \.progress) {}
    return result
  }

  private func end(_ ending: UploadProgress.State) {
    change { state in (state.progress.state, state.progress.bytesPerSecond) = (ending, nil) }
    reported.finish()
  }
}
