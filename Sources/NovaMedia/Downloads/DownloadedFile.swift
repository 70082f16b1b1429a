/// A file that was downloaded with ``MediaService/download(url:to:onProgress:)``.
public struct DownloadedFile: Sendable, Hashable {
  /// Where the file is, as the caller named it.
  public var path: String
  /// The file's size in bytes.
  public var byteCount: Int
  /// The file's media type, such as `video/mp4`; nil if the server reports none.
  public var contentType: String?
  /// The server's strong or weak entity tag with its quotation marks; nil if it sent none.
  public var etag: String?
  /// How many bytes an earlier, interrupted download had left; 0 for a download from the beginning.
  public var resumedFrom: Int
  /// Why bytes were discarded and received again; nil if none were.
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

/// How far a download is.
public struct DownloadProgress: Sendable, Hashable {
  /// How many bytes are on disk, those of an earlier download included.
  public var receivedBytes: Int
  /// The file's size in bytes; nil if the server does not report it.
  public var totalBytes: Int?
  /// How many bytes arrive in a second, over the last few seconds; nil until that can be measured.
  public var bytesPerSecond: Double?
  /// How many bytes an earlier, interrupted download had left; 0 for a download from the beginning.
  public var resumedFrom: Int
  /// Why bytes were discarded and are received again, the last time; nil if none were.
  public var restart: DownloadRestart?

  /// How long the rest takes at the present rate; nil while the size or the rate is unknown.
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
