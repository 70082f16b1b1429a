/// The meaning of an upload's status.
package enum UploadStatus: Equatable {
  /// Bytes are missing, or it was not completed.
  case inProgress
  /// The server has all bytes. Some servers report this before completion.
  case received
  case completed
  /// The upload failed permanently, with the status in words.
  case failed(String)
  /// No status, or an unknown one.
  case unknown

  private static let inProgressStatuses: Set = [
    "pending", "uploading", "in progress", "incomplete", "partial", "paused", "initiated", "started", "created",
  ]
  private static let completedStatuses: Set = [
    "completed", "complete", "done", "finished", "success", "succeeded", "ready", "available", "processed", "published",
  ]
  private static let receivedStatuses: Set = ["uploaded", "stored", "queued", "processing", "transcoding"]

  package init(_ status: String) {
    let words = StatusWords(status)
    if words.isFailure {
      self = .failed(words.text)
    } else if Self.inProgressStatuses.contains(words.text) {
      self = .inProgress
    } else if Self.receivedStatuses.contains(words.text) {
      self = .received
    } else {
      self = Self.completedStatuses.contains(words.text) ? .completed : .unknown
    }
  }
}
