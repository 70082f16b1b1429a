import NovaCore

/// The headers of a chunk, validated as far as they can be without its bytes.
struct ChunkHead: Sendable {
  /// The maximum size of a chunk, in bytes.
  static let maximumCount: Int64 = 64 << 20

  let first: Int64
  /// The number of bytes that must arrive.
  let count: Int64
  /// The digest that the bytes must have; nil for any, because CompleteUpload checks the whole file.
  let digest: [UInt8]?

  /// - Parameter received: the number of bytes that have arrived; nil while they arrive.
  init(_ headers: HTTPHeaders, fileSize: Int64, received: Int64?) throws(MockFailure) {
    digest = try headers["Content-Digest"].flatMap(ContentDigest.sha256)
    if received == 0 { throw .invalid("there are no bytes") }
    guard let header = headers["Content-Range"] else {
      (first, count) = (0, fileSize)
      try Self.checkSize(max(fileSize, received ?? 0), isPart: false)
      guard let received, received != fileSize else { return }
      guard received < fileSize else { throw Self.tooLarge(fileSize) }
      throw .invalid("these are \(received) of \(fileSize) bytes; a part needs a Content-Range")
    }
    guard let range = ContentRange(header), let bytes = range.bytes, let total = range.total,
      Int64(bytes.count) == received ?? Int64(bytes.count)
    else {
      let size = received.map { "fit the \($0) bytes sent" } ?? "fit the bytes sent"
      throw .invalid("Content-Range must be bytes <first>-<last>/<total> and \(size)")
    }
    guard bytes.upperBound <= fileSize else { throw Self.tooLarge(fileSize) }
    guard total == fileSize else { throw .invalid("Content-Range has a total of \(total) bytes; expected \(fileSize)") }
    (first, count) = (Int64(bytes.lowerBound), Int64(bytes.count))
    try Self.checkSize(count, isPart: true)
  }

  private static func checkSize(_ count: Int64, isPart: Bool) throws(MockFailure) {
    guard count > maximumCount else { return }
    throw MockFailure(
      .outOfRange,
      "the chunk is larger than \(maximumCount >> 20) MiB; send smaller ones\(isPart ? "" : " with Content-Range")",
      httpStatus: 413)
  }

  private static func tooLarge(_ fileSize: Int64) -> MockFailure {
    MockFailure(.outOfRange, "the bytes go past the file's \(fileSize)", httpStatus: 413)
  }

  static let digestMismatch = MockFailure(
    .invalidArgument, "the bytes do not have the digest of Content-Digest", httpStatus: 422)
}
