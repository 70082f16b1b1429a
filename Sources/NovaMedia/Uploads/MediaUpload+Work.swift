import NovaCore

/// Thrown when ``MediaUpload/pause()`` interrupts a step.
struct UploadPause: Error {}

// The reports of an upload's work, and how it is paused.
extension MediaUpload {
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

  /// Sets the function that removes the upload's record, for ``cancel()``.
  func onDiscard(_ discard: @escaping @Sendable () async -> Void) { state.withLock { $0.discard = discard } }

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
