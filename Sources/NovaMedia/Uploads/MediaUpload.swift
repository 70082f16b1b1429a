import NovaCore
public import Observation

/// A running upload: shows its progress, pauses, resumes, and ends it.
///
/// ```swift
/// let upload = nova.media.upload(.file(path), userId: me)
/// Task { for await progress in upload.updates { print(progress.uploadedBytes, "of", progress.totalBytes) } }
/// let record = try await upload.value
/// ```
///
/// An upload runs until it ends, also if nothing refers to it anymore. It can be used from any task.
public final class MediaUpload: Sendable, Observable {
  /// Reports one upload's steps, and returns the completed upload.
  typealias Work = @Sendable (MediaUpload) async throws -> Upload

  struct State {
    var progress = UploadProgress()
    var rate = UploadRate()
    var isPaused = false
    /// Whether ``pause()`` has interrupted the present step.
    var wasInterrupted = false
    /// Ends the step that is running, if it may be interrupted.
    var interrupt: (@Sendable () -> Void)?
    var resumers: [CheckedContinuation<Void, Never>] = []
    var readers: [Int: AsyncStream<UploadProgress>.Continuation] = [:]
    var readerCount = 0
    var task: Task<Upload, any Error>?
    /// Removes what is kept for another process.
    var discard: (@Sendable () async -> Void)?
  }

  /// The upload's id on this machine, under which ``MediaService/pendingUploads()`` lists it. The server's id is that of
  /// ``value``.
  public let id: String

  let clock: any CallClock
  let state = Locked(State())
  private let registrar = ObservationRegistrar()

  /// Starts an upload.
  init(id: String, clock: any CallClock, progress: UploadProgress = UploadProgress(), _ work: @escaping Work) {
    self.id = id
    self.clock = clock
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

  /// How far the upload is. Observable: SwiftUI and `withObservationTracking` notice its changes.
  public var progress: UploadProgress {
    registrar.access(self, keyPath: \.progress)
    return state.withLock { $0.progress }
  }

  /// The progress now and each time it changes. A slow reader gets the newest value; the last one has the state
  /// `completed`, `failed`, or `cancelled`, and then the sequence ends.
  public var updates: AsyncStream<UploadProgress> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: UploadProgress.self, bufferingPolicy: .bufferingNewest(1))
    let key = state.withLock { state in
      state.readerCount += 1
      continuation.yield(state.progress)
      if state.progress.isOver { continuation.finish() } else { state.readers[state.readerCount] = continuation }
      return state.readerCount
    }
    continuation.onTermination = { [weak self] _ in
      let reader = self?.state.withLock { $0.readers.removeValue(forKey: key) }
      withExtendedLifetime(reader) {}
    }
    return stream
  }

  /// The completed upload, once the server has it all.
  ///
  /// Cancelling a task that waits for it stops the upload at once. What is kept for ``MediaService/resumeUpload(_:)``
  /// stays.
  ///
  /// - Throws: ``APIError``; `cancelled` after ``cancel()`` or the cancellation of a waiting task.
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

  /// Stops sending at once, until ``resume()``. The chunk on its way is sent again later, except for what the server
  /// has of it. Without effect on an upload that completes or has ended.
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

  /// Continues after ``pause()``; in other states without effect.
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

  /// Ends the upload, and removes what is kept for resuming it. Returns when both are done. Without effect on an upload
  /// that has completed; that of one that failed or was stopped cannot be resumed afterward.
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
      let before = state.progress
      let result = body(&state)
      guard state.progress != before else { return (result, false) }
      for reader in state.readers.values { reader.yield(state.progress) }
      return (result, true)
    }
    if isChanged { registrar.withMutation(of: self, keyPath: \.progress) {} }
    return result
  }

  private func end(_ ending: UploadProgress.State) {
    let readers = change { state in
      (state.progress.state, state.progress.bytesPerSecond) = (ending, nil)
      return state.readers
    }
    for reader in readers.values { reader.finish() }
  }
}
