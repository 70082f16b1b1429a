import NovaCore
public import Observation

/// An upload that was started: shows its progress, pauses, resumes, and ends it.
///
/// ```swift
/// let upload = nova.media.upload(.file(path), userId: me)
/// for await progress in upload.updates { print(progress.uploadedBytes, "of", progress.totalBytes) }
/// let record = try await upload.value
/// ```
///
/// An upload runs until it ends, even if nothing refers to it anymore. All of its methods can be called in every state, from
/// any task.
public final class MediaUpload: Sendable, Observable {
  /// Reports one upload's steps, and returns the completed upload.
  typealias Work = @Sendable (MediaUpload) async throws -> Upload

  struct State {
    var progress = UploadProgress()
    var rate = UploadRate()
    /// How many bytes the server had when sending began.
    var firstBytes: Int?
    /// Whether the server is known to have the upload.
    var hasBegun = false
    /// See ``MediaUpload/hasOtherContent``.
    var hasOtherContent = false
    var isPaused = false
    /// Whether ``pause()`` has interrupted the present step.
    var wasInterrupted = false
    /// Ends the step that is running, if it may be interrupted.
    var interrupt: (@Sendable () -> Void)?
    var resumers: [CheckedContinuation<Void, Never>] = []
    var task: Task<Upload, any Error>?
    /// Removes what is kept for another process.
    var discard: (@Sendable () async -> Void)?
  }

  /// The upload's id on this machine, under which ``MediaService/pendingUploads()`` lists it. It is not the id at the
  /// server, which ``value`` has.
  public let id: String

  let clock: any CallClock
  let state = Locked(State())
  /// The progress for readers of ``updates``.
  private let reported: LatestValue<UploadProgress>
  private let registrar = ObservationRegistrar()

  /// Starts an upload.
  init(id: String, clock: any CallClock, progress: UploadProgress = UploadProgress(), _ work: @escaping Work) {
    self.id = id
    self.clock = clock
    reported = LatestValue(progress)
    state.withLock { $0.progress = progress }
    // Holds the upload until it ends.
    let task = Task {
      do {
        let upload = try await work(self)
        self.end(.completed)
        return upload
      } catch {
        self.end(Task.isCancelled ? .cancelled : .failed)
        // A step that was cancelled may report it as another failure.
        throw Task.isCancelled ? CancellationError() : error
      }
    }
    state.withLock { $0.task = task }
  }

  /// The present progress. Observable: SwiftUI and `withObservationTracking` notice its changes.
  public var progress: UploadProgress {
    registrar.access(self, keyPath: \.progress)
    return state.withLock { $0.progress }
  }

  /// How many bytes the server had when sending began, 0 for a new upload; nil before that.
  package var resumedFrom: Int? { state.withLock { $0.firstBytes } }

  /// Whether a resumed upload failed because its file already had another content before anything was sent.
  package var hasOtherContent: Bool { state.withLock { $0.hasOtherContent } }

  /// The present progress, and each change of it. A slow reader gets the newest value. The last one has the state
  /// `completed`, `failed`, or `cancelled`; then the sequence ends, without an error. Each access returns a new sequence.
  public var updates: AsyncStream<UploadProgress> { reported.stream() }

  /// The server's record of the completed upload, with its id and URL. Waits for the end of the upload; several tasks can
  /// wait, also afterward.
  ///
  /// Cancelling a task that waits for it ends the upload at once. Its record on disk stays, for
  /// ``MediaService/resumeUpload(_:)``.
  ///
  /// - Throws: ``APIError``; `cancelled` after ``cancel()`` or the cancellation of a waiting task, `timeout` after the
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

  /// Stops sending at once, until ``resume()``. What the server does not have of the chunk on its way is sent again later.
  /// Without effect on an upload that completes or has ended.
  ///
  /// A pause does not extend a `deadline` of the service's options. An upload whose deadline passes during the pause stays
  /// paused, and fails with `timeout` when it is resumed; ``MediaService/resumeUpload(_:)`` can continue it.
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

  /// Continues after ``pause()``, behind the bytes that the server has. Without effect in other states.
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

  /// Ends the upload, and removes its record on disk, so that it cannot be resumed. Returns when both are done.
  ///
  /// Also removes the record of an upload that failed or was stopped before. Without effect on a completed upload. The
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
