import NovaCore
import NovaMedia

/// A chunk of a file, sent with `PUT`.
struct UploadedChunk {
  private let first: Int64
  private let bytes: [UInt8]
  private let digest: [UInt8]?

  static func answer(_ request: HTTPRequest, uploadID id: String, in state: inout MockState) -> HTTPResponse {
    do throws(MockFailure) {
      let chunk = try UploadedChunk(request, fileSize: try state.ownUpload(id).fileSize)
      return try chunk.store(in: id, &state)
    } catch {
      return error.response
    }
  }

  /// Validates everything that does not depend on stored bytes.
  private init(_ request: HTTPRequest, fileSize: Int64) throws(MockFailure) {
    bytes = request.body.inMemory
    // The digest is optional: CompleteUpload checks the whole file.
    digest = try request.headers["Content-Digest"].flatMap(ContentDigest.sha256)
    guard !bytes.isEmpty else { throw MockFailure(.invalidArgument, "there are no bytes") }
    guard let header = request.headers["Content-Range"] else {
      first = 0
      guard bytes.count <= fileSize else { throw .tooLarge(fileSize) }
      guard bytes.count == fileSize else {
        throw MockFailure(
          .invalidArgument, "these are \(bytes.count) of \(fileSize) bytes; a part needs a Content-Range")
      }
      return
    }
    guard let range = ContentRange(header), range.count == bytes.count else {
      throw MockFailure(
        .invalidArgument, "Content-Range must be bytes <first>-<last>/<total> and fit the \(bytes.count) bytes sent")
    }
    guard range.last < fileSize else { throw .tooLarge(fileSize) }
    guard range.total == fileSize else {
      throw MockFailure(.invalidArgument, "Content-Range has a total of \(range.total) bytes; expected \(fileSize)")
    }
    first = range.first
  }

  private func store(in id: String, _ state: inout MockState) throws(MockFailure) -> HTTPResponse {
    guard first == state.media.byteCount(of: id) else {
      return Self.response(409, state.media.change(id) { $0.countBytes() })
    }
    if let digest, try digest != StoredUpload.digest(of: bytes) { throw .digestMismatch }
    guard state.media.storedBytes + bytes.count <= state.media.maximumStoredBytes else {
      throw MockFailure(
        .resourceExhausted, "the mock backend keeps at most \(state.media.maximumStoredBytes) bytes of uploads")
    }
    return Self.response(200, state.media.change(id) { $0.append(bytes) })
  }

  private static func response(_ status: Int, _ upload: Upload) -> HTTPResponse {
    let names = MediaRPC.startUpload.descriptor.http
    // The message contains only values that JSON can represent.
    let json = (try? upload.jsonUTF8(names.json(includesDefaults: true))) ?? Array("{}".utf8)
    return HTTPResponse(
      status: status, headers: ["Content-Type": "application/json"],
      body: Array(#"{"upload":"#.utf8) + json + Array("}".utf8))
  }
}

/// Failures whose HTTP status has no gRPC code.
extension MockFailure {
  fileprivate static func tooLarge(_ fileSize: Int64) -> MockFailure {
    MockFailure(.outOfRange, "the bytes go past the file's \(fileSize)", httpStatus: 413)
  }

  fileprivate static let digestMismatch = MockFailure(
    .invalidArgument, "the bytes do not have the digest of Content-Digest", httpStatus: 422)
}
