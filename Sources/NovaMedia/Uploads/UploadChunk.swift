import NovaCore

/// A part of an upload's bytes, ready to be sent.
struct UploadChunk: Sendable {
  let range: Range<Int>
  let body: HTTPBody
  /// The SHA-256 digest of the chunk.
  let digest: [UInt8]
  /// The digest of all bytes up to the end of the chunk; nil if the upload went back.
  let digestSoFar: [UInt8]?

  /// The header fields that describe the chunk to the server.
  func headers(of count: Int, contentType: String) -> HTTPHeaders {
    [
      "Content-Type": contentType.isEmpty ? MediaType.octetStream.rawValue : contentType,
      "Content-Range": ContentRange(range, of: count).text,
      "Content-Digest": DigestField.text(digest),
    ]
  }
}
