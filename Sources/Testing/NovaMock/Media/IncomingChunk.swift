import NovaCore

/// A chunk whose bytes arrive piece by piece. They are written after the stored bytes of its upload at once, but belong
/// to it only after ``MockBackend`` has validated the whole chunk.
///
/// Use it from one task or queue at a time.
package final class IncomingChunk: Sendable {
  private struct State {
    var received: Int64 = 0
    var writer: MediaWriter?
    /// The digest of the chunk; nil if the request has none to compare, or if it is the digest of the file so far.
    var digest: DigestBuilder?
    /// Why the bytes are not stored.
    var failure: MockFailure?
    /// Whether bytes are only counted: the response is an error.
    var isDiscarding: Bool
    var isFinished = false
    /// Whether the client sent the bytes without being asked to.
    var isUnread = false
    /// The faults of the request, if they were decided before its bytes arrived.
    var planned: PlannedFaults?

    mutating func fail(_ failure: MockFailure) {
      self.failure = failure
      isDiscarding = true
      writer?.cancel()
      writer = nil
    }
  }

  let uploadID: String
  /// What is written: nil if the headers are refused, or the chunk does not begin after the stored bytes.
  private let head: ChunkHead?
  /// The stored bytes that it continues.
  let base: StoredBytes?
  private let folder: MediaFolder
  private let state: Locked<State>

  init(_ uploadID: String, head: ChunkHead?, after base: StoredBytes?, in folder: MediaFolder) {
    (self.uploadID, self.head, self.base, self.folder) = (uploadID, head, base, folder)
    state = Locked(State(isDiscarding: head == nil))
  }

  deinit { cancel() }

  /// The faults of the request, if they were decided before its bytes arrived.
  var planned: PlannedFaults? {
    get { state.withLock { $0.planned } }
    set { state.withLock { $0.planned = newValue } }
  }

  /// The number of bytes that have arrived.
  var received: Int64 { state.withLock { $0.received } }

  /// The number of bytes that have arrived; nil if the client was not asked to send them.
  var receivedIfRead: Int64? { state.withLock { $0.isUnread ? nil : $0.received } }

  /// Whether the response is known to be an error before the first byte.
  package var isRefused: Bool { head == nil }

  /// Records that the client is not asked to send the bytes, because the response is an error without them.
  package func leaveUnread() { state.withLock { $0.isUnread = true } }

  /// Takes the next bytes. Writes to a file and computes digests, so call it where it may block.
  package func append(_ bytes: UnsafeRawBufferPointer) {
    guard !bytes.isEmpty else { return }
    let bytes = RawBytes(value: bytes)
    state.withLock { state in
      state.received += Int64(bytes.value.count)
      guard let head, !state.isDiscarding else { return }
      do throws(MockFailure) {
        guard state.received <= head.count else { throw .invalid("too many bytes") }
        let writer = if let writer = state.writer { writer } else { try MediaWriter(after: base, in: folder) }
        state.writer = writer
        if head.digest != nil, head.first > 0, state.digest == nil { state.digest = try DigestBuilder() }
        state.digest?.update(bytes.value)
        // Otherwise the same bytes arrive in another request, and this one gets 409.
        if try !writer.write(bytes.value) { state.isDiscarding = true }
      } catch {
        state.fail(error)
      }
    }
  }

  /// Takes the next bytes.
  package func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

  /// Compares the digest and makes the bytes durable if a journal will refer to them. May block.
  package func finish() {
    state.withLock { state in
      guard let head, let writer = state.writer, !state.isDiscarding, !state.isFinished else { return }
      state.isFinished = true
      do throws(MockFailure) {
        guard state.received == head.count else { throw .invalid("too few bytes") }
        if let expected = head.digest {
          let digest = if let digest = state.digest { try digest.digest() } else { try writer.result().digest }
          if try digest.value() != expected { throw ChunkHead.digestMismatch }
        }
        if folder.permanentPath != nil { try writer.synchronize() }
      } catch {
        state.fail(error)
      }
    }
  }

  /// The stored bytes with those of the chunk; nil if another request has replaced them.
  ///
  /// - Throws: why they are not stored.
  func result() throws(MockFailure) -> StoredBytes? {
    finish()
    return try state.withLock { state throws(MockFailure) in
      if let failure = state.failure { throw failure }
      guard state.isFinished, !state.isDiscarding, let writer = state.writer else { return nil }
      return try writer.result()
    }
  }

  /// Makes the bytes part of their file; false if another request has replaced them.
  func commit() -> Bool {
    state.withLock { state in
      defer { state.writer = nil }
      return state.writer?.commit() ?? false
    }
  }

  /// Discards the bytes of a request that will get no response.
  package func cancel() {
    state.withLock { state in
      state.writer?.cancel()
      state.writer = nil
      state.isDiscarding = true
    }
  }

  /// Damages what was received, for a fault: as if it had been changed on its way.
  func damage() {
    state.withLock { state in
      guard head?.digest != nil else { return }
      state.fail(ChunkHead.digestMismatch)
    }
  }
}

/// Bytes that are used only during a call.
private struct RawBytes: @unchecked Sendable {
  // Sendable because it does not leave the call that created it.
  let value: UnsafeRawBufferPointer
}
