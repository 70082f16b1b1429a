import NovaCore

/// What this machine knows of an upload without asking the server: how much was sent, how much was confirmed, and whether its
/// completion was asked for. A server's word is compared with it, also by a later process, because the journal has it.
final class UploadLedger: Sendable {
  private struct State {
    var uploadId: String?
    var position = UploadRecord.Position.none
    /// When the upload last made progress, in Unix seconds: it expires some time after that.
    var time: Double
    /// How many bytes were sent at most; nil if an earlier process may have sent more than it has recorded.
    var sent: Int?
    /// Whether a completion was asked for, and no answer shows that it was refused.
    var hasAskedForCompletion = false
  }

  private let journal: UploadJournal?
  private let clock: any CallClock
  private let state: Locked<State>

  /// - Parameters:
  ///   - journal: where it is recorded; nil for nowhere.
  ///   - record: what an earlier process has recorded; nil for a new upload.
  init(_ journal: UploadJournal?, clock: any CallClock, record: UploadRecord? = nil) {
    (self.journal, self.clock) = (journal, clock)
    let position = record?.position ?? .none
    // Without a beginning, nothing was sent.
    let sent = record?.start == nil ? 0 : position.sent
    state = Locked(
      State(
        uploadId: record?.start?.uploadId, position: position, time: record?.changedAt ?? clock.unixTime, sent: sent,
        hasAskedForCompletion: position.isCompleting))
    // From now on, more can be sent than the record says.
    if position.sent != nil { change { $0.position.sent = nil } }
  }

  /// The most bytes that any process can have sent of the upload before this one; nil if that is not known.
  var sentBytes: Int? { state.withLock { $0.sent } }

  var hasAskedForCompletion: Bool { state.withLock { $0.hasAskedForCompletion } }

  /// The server has begun the upload, or another one in its place.
  func began(_ start: UploadRecord.Start) {
    let time = clock.unixTime
    let kept = state.withLock { state -> UploadRecord.Position? in
      state.time = time
      if let known = state.uploadId, start.uploadId.hasSameBytes(as: known) { return state.position }
      state = State(uploadId: start.uploadId, time: time, sent: 0)
      return nil
    }
    journal?.append(start.json(at: time))
    // The line ends what was known of another upload.
    if let kept { journal?.append(kept.json(at: time)) }
  }

  /// Bytes are about to be sent.
  func willSend(upTo end: Int) {
    state.withLock { state in state.sent = state.sent.map { max($0, end) } }
  }

  /// The server has confirmed everything up to an offset.
  func confirmed(_ offset: Int, digest: [UInt8]) {
    let (position, time) = (UploadRecord.Position(offset: offset, digest: digest), clock.unixTime)
    state.withLock { state in (state.position, state.time) = (position, time) }
    journal?.note(position.json(at: time))
  }

  /// The completion is about to be asked for: from then on, a refusal can mean that it has taken place.
  func willComplete() {
    change { state in
      state.position.isCompleting = true
      state.hasAskedForCompletion = true
    }
  }

  /// The server has refused the completion, and has not carried out an earlier one.
  func completionWasRefused() {
    change { state in
      state.hasAskedForCompletion = false
      state.position.isCompleting = false
    }
  }

  /// The upload ends here, and may continue in another process.
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
