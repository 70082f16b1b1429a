import NovaCore
import NovaMedia

/// A file to download, with the values for its responses' headers.
struct StoredFile: Sendable {
  let contentType: String
  let count: Int64
  /// The SHA-256 digest of the bytes.
  let digest: [UInt8]
  /// When the file got its bytes, in Unix seconds.
  let modified: Int64
  /// Whether caches may serve the file to any user.
  var isShared = true
  /// Returns a part of the bytes.
  let body: @Sendable (Range<Int64>) throws(HTTPBodyError) -> HTTPBody

  /// The strong entity tag: the digest, in quotes.
  var tag: String { "\"\(Hexadecimal.encode(digest))\"" }

  /// The headers of every response that describes the file. Ids are used again after a reset, so caches ask again soon.
  var headers: HTTPHeaders {
    var headers = StoredFileHeaders.make(type: contentType)
    headers["Accept-Ranges"] = "bytes"
    headers["ETag"] = tag
    // The digest of the whole file, even if the response has only a part of it.
    headers["Repr-Digest"] = DigestField.text(digest)
    headers["Last-Modified"] = HTTPDate.text(modified)
    headers["Cache-Control"] = "\(isShared ? "public" : "private"), max-age=300"
    return headers
  }
}

extension StoredFile {
  /// A file in memory.
  init(_ bytes: [UInt8], digest: [UInt8], contentType: String, modified: Int64) {
    self.init(
      contentType: contentType, count: Int64(bytes.count), digest: digest, modified: modified,
      body: { range throws(HTTPBodyError) in .bytes(Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])) })
  }

  /// A completed upload; nil if it is not completed.
  init?(_ upload: StoredUpload, contentType: String) {
    guard let bytes = upload.bytes, let digest = upload.sha256 else { return nil }
    self.init(
      contentType: contentType.isEmpty ? "application/octet-stream" : contentType, count: bytes.count,
      digest: digest, modified: upload.completedAt,
      body: { range throws(HTTPBodyError) in
        .file(
          try HTTPFileRegion(
            path: bytes.file.path, offset: Int(range.lowerBound), length: Int(range.upperBound - range.lowerBound)))
      })
  }
}

/// The headers of an uploaded file. Browsers must not run it, because it has the mock's origin.
enum StoredFileHeaders {
  private static let inertImages = ["png", "jpeg", "gif", "webp", "avif", "bmp", "heic", "heif"].map { "image/\($0)" }

  static func make(type: String) -> HTTPHeaders {
    var headers: HTTPHeaders = [
      "Content-Type": type, "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "sandbox; default-src 'none'",
    ]
    if !isInert(type) { headers["Content-Disposition"] = "attachment" }
    return headers
  }

  /// Whether browsers display the type without running scripts in it.
  private static func isInert(_ type: String) -> Bool {
    if type.contains(",") { return false }
    let type = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    return type == "text/plain" || type.hasPrefix("video/") || type.hasPrefix("audio/") || inertImages.contains(type)
  }
}
