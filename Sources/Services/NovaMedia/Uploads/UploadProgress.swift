/// The progress of an upload: bytes that the server has confirmed, speed, and state.
public struct UploadProgress: Sendable, Hashable {
  /// The stages of an upload.
  public enum State: Sendable, Hashable {
    /// The source is being opened, and StartUpload is sent.
    case starting
    /// Chunks are being sent.
    case uploading
    /// Nothing is sent until ``MediaUpload/resume()``.
    case paused
    /// The server has all bytes, and verifies them. The upload can no longer be paused.
    case completing
    /// The server has verified the whole file.
    case completed
    /// The upload ended with an error, which ``MediaUpload/value`` throws.
    case failed
    /// The upload was cancelled.
    case cancelled
  }

  /// The number of bytes that the server has confirmed, 0…``totalBytes``. Decreases only if the server loses bytes.
  public internal(set) var uploadedBytes: Int
  /// The size of the source in bytes; 0 until it is open.
  public internal(set) var totalBytes: Int
  /// The number of bytes per second that the server has confirmed, over the last 8 seconds, or during the last chunk if
  /// that took longer. Nil before the first chunk is confirmed, and whenever no chunks are being sent.
  public internal(set) var bytesPerSecond: Double?
  /// The stage of the upload.
  public internal(set) var state: State

  /// The estimated time until all bytes are sent; nil if ``bytesPerSecond`` is nil.
  public var timeLeft: Duration? {
    guard let bytesPerSecond, bytesPerSecond > 0, state == .uploading else { return nil }
    let seconds = Double(totalBytes - uploadedBytes) / bytesPerSecond
    return seconds < 1e9 ? .seconds(seconds) : nil
  }

  /// The fraction that the server has confirmed, 0…1; 0 while the size is unknown.
  public var fractionCompleted: Double { totalBytes > 0 ? Double(uploadedBytes) / Double(totalBytes) : 0 }

  /// Whether the upload has completed, failed, or was cancelled.
  public var isOver: Bool { [.completed, .failed, .cancelled].contains(state) }

  /// Creates a progress.
  public init(
    uploadedBytes: Int = 0, totalBytes: Int = 0, bytesPerSecond: Double? = nil, state: State = .starting
  ) {
    self.uploadedBytes = uploadedBytes
    self.totalBytes = totalBytes
    self.bytesPerSecond = bytesPerSecond
    self.state = state
  }
}
