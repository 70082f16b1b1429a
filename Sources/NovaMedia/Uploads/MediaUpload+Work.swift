import NovaCore

/// A step was interrupted by ``MediaUpload/pause()``.
struct UploadPause: Error {}

// What the work of an upload reports, and how it is paused.
extension MediaUpload {
  /// The source is open, and the server has some of its bytes.
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

  /// The size is known.
  func open(_ totalBytes: Int) { change { $0.progress.totalBytes = totalBytes } }

  /// The server has confirmed so many bytes.
  func confirm(_ uploadedBytes: Int) {
    let now = clock.now
    change { state in
      state.progress.uploadedBytes = uploadedBytes
      state.rate.note(uploadedBytes, at: now)
      state.progress.bytesPerSecond = state.isPaused ? nil : state.rate.bytesPerSecond
    }
  }

  /// All bytes are sent: from now on there is nothing to pause.
  ///
  /// - Returns: false if the upload is paused.
  func beginCompleting() -> Bool {
    change { state in
      guard !state.isPaused else { return false }
      (state.progress.state, state.progress.bytesPerSecond) = (.completing, nil)
      return true
    }
  }

  /// What removes the record of the upload, for ``cancel()``.
  func onDiscard(_ discard: @escaping @Sendable () async -> Void) { state.withLock { $0.discard = discard } }

  /// Runs a step that a pause ends at once.
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
      // An error of another kind may come with the interruption; after the pause, the step is taken again.
      if !Task.isCancelled, state.withLock({ $0.wasInterrupted }) { throw UploadPause() }
      throw error
    }
  }

  /// Returns when the upload is not paused.
  ///
  /// - Returns: whether it was.
  /// - Throws: `CancellationError`.
  func waitWhilePaused() async throws -> Bool {
    var wasPaused = false
    while state.withLock({ $0.isPaused }) {
      wasPaused = true
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isDue = state.withLock { state in
            if !state.isPaused || Task.isCancelled { return true }
            state.resumers.append(continuation)
            return false
          }
          if isDue { continuation.resume() }
        }
      } onCancel: {
        let resumers = state.withLock { state in
          defer { state.resumers = [] }
          return state.resumers
        }
        for resumer in resumers { resumer.resume() }
      }
      try Task.checkCancellation()
    }
    if wasPaused {
      let now = clock.now
      state.withLock { $0.rate.note($0.progress.uploadedBytes, at: now) }
    }
    return wasPaused
  }
}
