/// A file that was downloaded with ``MediaService/download(url:to:onProgress:)``.
public struct DownloadedFile: Sendable, Hashable {
  /// The file's path, as the caller passed it.
  public var path: String
  /// The file's size in bytes.
  public var byteCount: Int
  /// The file's media type, such as `video/mp4`; nil if the server reports none.
  public var contentType: String?
  /// The server's entity tag, strong or weak, with its quotation marks; nil if it sent none.
  public var etag: String?
  /// The number of bytes from an earlier, interrupted download; 0 if the download started at the beginning.
  public var resumedFrom: Int
  /// Why bytes were discarded and received again; nil if that did not happen.
  public var restart: DownloadRestart?

  /// Whether the download continued an earlier one.
  public var wasResumed: Bool { resumedFrom > 0 }

  /// Creates a description of a file.
  public init(
    path: String, byteCount: Int, contentType: String? = nil, etag: String? = nil, resumedFrom: Int = 0,
    restart: DownloadRestart? = nil
  ) {
    self.path = path
    self.byteCount = byteCount
    self.contentType = contentType
    self.etag = etag
    self.resumedFrom = resumedFrom
    self.restart = restart
  }
}

/// The progress of a download.
public struct DownloadProgress: Sendable, Hashable {
  /// The number of bytes on disk, including those of an earlier download. Decreases if the download has to start over.
  public var receivedBytes: Int
  /// The file's size in bytes; nil if the server does not report it.
  public var totalBytes: Int?
  /// The number of bytes per second over the last 8 seconds; nil until it can be measured.
  public var bytesPerSecond: Double?
  /// The number of bytes from an earlier, interrupted download; 0 if the download started at the beginning.
  public var resumedFrom: Int
  /// The last time that bytes were discarded, and why; nil if that did not happen.
  public var restart: DownloadRestart?

  /// The estimated time for the remaining bytes; nil while the size or the speed is unknown.
  public var timeLeft: Duration? {
    guard let totalBytes, let bytesPerSecond, bytesPerSecond > 0 else { return nil }
    return .seconds(min(Double(max(0, totalBytes - receivedBytes)) / bytesPerSecond, 1e9))
  }

  /// Creates a progress.
  public init(
    receivedBytes: Int, totalBytes: Int? = nil, bytesPerSecond: Double? = nil, resumedFrom: Int = 0,
    restart: DownloadRestart? = nil
  ) {
    self.receivedBytes = receivedBytes
    self.totalBytes = totalBytes
    self.bytesPerSecond = bytesPerSecond
    self.resumedFrom = resumedFrom
    self.restart = restart
  }
}

/// Bytes that a download discarded, and receives again.
public struct DownloadRestart: Sendable, Hashable {
  /// The reason why bytes are discarded.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// They are from another URL.
    case differentURL
    /// They were received for another caller, or it was not recorded for whom.
    case differentCaller
    /// The server has another version of the file.
    case fileChanged
    /// The server sends no proof that the file is the same, such as a strong `ETag`.
    case noValidator
    /// They don't match the digest that the server sent.
    case wrongDigest
  }

  /// The reason why the bytes are discarded.
  public var reason: Reason
  /// The number of discarded bytes.
  public var byteCount: Int

  /// Creates a description of a restart.
  public init(reason: Reason, byteCount: Int) {
    self.reason = reason
    self.byteCount = byteCount
  }
}

extension DownloadRestart.Reason: CustomStringConvertible {
  /// The reason, as a clause: `the file has changed on the server`.
  public var description: String {
    switch self {
    case .differentURL: "the bytes are those of another URL"
    case .differentCaller: "the bytes were received for another user"
    case .fileChanged: "the file has changed on the server"
    case .noValidator: "the server sends no strong ETag that proves that the file is the same"
    case .wrongDigest: "the bytes do not have the digest that the server sent"
    }
  }
}
