import NovaCore

/// What this machine knows about an upload without asking the server: how much was sent, how much was confirmed, and
/// whether its completion was requested. The server's reports are compared with it, even by a later process, because
/// the journal contains it.
final class UploadLedger: Sendable {
  private struct State {
    var uploadId: String?
    var position = UploadRecord.Position.none
    /// When the upload last made progress, in Unix seconds. It expires some time after that.
    var time: Double
    /// The maximum number of bytes that were sent; nil if an earlier process may have sent more than it recorded.
    var sent: Int?
    /// Whether completion was requested and has not been refused.
    var hasAskedForCompletion = false
  }

  private let journal: UploadJournal?
  private let clock: any CallClock
  private let state: Locked<State>

  /// - Parameters:
  ///   - journal: the journal that records it; nil for none.
  ///   - record: the record of an earlier process; nil for a new upload.
  init(_ journal: UploadJournal?, clock: any CallClock, record: UploadRecord? = nil) {
    (self.journal, self.clock) = (journal, clock)
    let position = record?.position ?? .none
    // If the upload was never started, nothing was sent.
    let sent = record?.start == nil ? 0 : position.sent
    state = Locked(
      State(
        uploadId: record?.start?.uploadId, position: position, time: record?.changedAt ?? clock.unixTime, sent: sent,
        hasAskedForCompletion: position.isCompleting))
    // From now on, more may be sent than the record says.
    if position.sent != nil { change { $0.position.sent = nil } }
  }

  /// The maximum number of bytes that earlier processes can have sent; nil if unknown.
  var sentBytes: Int? { state.withLock { $0.sent } }

  var hasAskedForCompletion: Bool { state.withLock { $0.hasAskedForCompletion } }

  /// Records that the server has started the upload, or another one in its place.
  func began(_ start: UploadRecord.Start) {
    let time = clock.unixTime
    let kept = state.withLock { state -> UploadRecord.Position? in
      state.time = time
      if let known = state.uploadId, start.uploadId.hasSameBytes(as: known) { return state.position }
      state = State(uploadId: start.uploadId, time: time, sent: 0)
      return nil
    }
    journal?.append(start.json(at: time))
    // This line ends the record of an earlier upload.
    if let kept { journal?.append(kept.json(at: time)) }
  }

  /// Records that bytes are about to be sent.
  func willSend(upTo end: Int) {
    state.withLock { state in state.sent = state.sent.map { max($0, end) } }
  }

  /// Records that the server has confirmed everything up to an offset.
  func confirmed(_ offset: Int, digest: [UInt8]) {
    let (position, time) = (UploadRecord.Position(offset: offset, digest: digest), clock.unixTime)
    state.withLock { state in (state.position, state.time) = (position, time) }
    journal?.note(position.json(at: time))
  }

  /// Records that completion is about to be requested. From now on, a refusal can mean that it already happened.
  func willComplete() {
    change { state in
      state.position.isCompleting = true
      state.hasAskedForCompletion = true
    }
  }

  /// Records that the server refused the completion, and did not run an earlier one.
  func completionWasRefused() {
    change { state in
      state.hasAskedForCompletion = false
      state.position.isCompleting = false
    }
  }

  /// Records that the upload ends here, and may continue in another process.
  func close() {
    if sentBytes != nil { change { $0.position.sent = $0.sent } }
  }

  private func change(_ body: (inout State) -> Void) {
    let line = state.withLock { state in
      body(&state)
      return state.position.json(at: state.time)
    }
    journal?.append(line)
  }
}
