/// How far an upload is.
public struct UploadProgress: Sendable, Hashable {
  /// What an upload does.
  public enum State: Sendable, Hashable {
    /// The source is opened, and the server asked where the bytes go.
    case starting
    /// Bytes are sent.
    case uploading
    /// Nothing is sent until ``MediaUpload/resume()``.
    case paused
    /// All bytes are sent, and the server checks them.
    case completing
    /// The server has the whole file.
    case completed
    /// The upload ended with an error, which ``MediaUpload/value`` throws.
    case failed
    /// The upload was cancelled.
    case cancelled
  }

  /// How many bytes the server has confirmed. Goes back only if the server loses bytes.
  public internal(set) var uploadedBytes: Int
  /// How many bytes there are; 0 until the source is opened.
  public internal(set) var totalBytes: Int
  /// How many bytes a second the server has confirmed in the last seconds; nil while that is unknown.
  public internal(set) var bytesPerSecond: Double?
  /// What the upload does.
  public internal(set) var state: State

  /// The estimated time until all bytes are sent; nil while that is unknown.
  public var timeLeft: Duration? {
    guard let bytesPerSecond, bytesPerSecond > 0, state == .uploading else { return nil }
    let seconds = Double(totalBytes - uploadedBytes) / bytesPerSecond
    return seconds < 1e9 ? .seconds(seconds) : nil
  }

  /// The part that the server has confirmed, 0…1.
  public var fractionCompleted: Double { totalBytes > 0 ? Double(uploadedBytes) / Double(totalBytes) : 0 }

  /// Whether the upload has ended, in whichever way.
  public var isOver: Bool {
    switch state {
    case .completed, .failed, .cancelled: true
    case .starting, .uploading, .paused, .completing: false
    }
  }

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
