package import NovaCore
import NovaEvents
import NovaMedia
import NovaRegistry

extension MockBackend {
  /// Prepares to receive the bytes of an upload; nil for every other request. The body of the request does not matter.
  ///
  /// Pass the bytes to the chunk as they arrive, and then the chunk to ``answer(_:chunk:clock:)``.
  package func incomingChunk(_ request: HTTPRequest) -> IncomingChunk? {
    guard request.method == .put, case .uploadBytes(let id)? = MediaFileRoute(request.url.path) else { return nil }
    return withEngine { engine in
      do {
        engine.state.caller = try engine.state.caller(request.headers, of: MediaRPC.startUpload.descriptor)
        return engine.incomingChunk(id, request.headers)
      } catch {
        return engine.incomingChunk(id, nil)
      }
    }
  }
}

extension MockEngine {
  /// - Parameter headers: nil if the caller is not allowed to send bytes.
  func incomingChunk(_ id: String, _ headers: HTTPHeaders?) -> IncomingChunk {
    let base = state.media.storedUpload(id)?.bytes
    let head = headers.flatMap { headers in
      try? ChunkHead(headers, fileSize: try state.ownUpload(id).fileSize, received: nil)
    }
    let isNext = head?.first == base?.count ?? 0
    return IncomingChunk(id, head: isNext ? head : nil, after: base, in: media)
  }

  /// Stores a chunk that has completely arrived, and returns the response.
  mutating func store(
    _ chunk: IncomingChunk, _ headers: HTTPHeaders, isJournaled: Bool
  ) throws -> HTTPResponse {
    let id = chunk.uploadID
    let head = try ChunkHead(headers, fileSize: try state.ownUpload(id).fileSize, received: chunk.receivedIfRead)
    let base = state.media.storedUpload(id)?.bytes
    guard head.first == base?.count ?? 0 else { return try refuse(id, isJournaled: isJournaled) }
    guard let bytes = try chunk.result(), chunk.base.map({ $0.isSame(as: base) }) ?? (base == nil) else {
      return try refuse(id, isJournaled: isJournaled)
    }
    let stored = StoredChunk(
      file: bytes.file.name, first: head.first, count: head.count, digest: try bytes.digest.value())
    guard chunk.commit() else { return try refuse(id, isJournaled: isJournaled) }
    do {
      if isJournaled { try journalize(MockChange(state, .bytes(id: id, stored))) }
    } catch {
      bytes.file.retract(to: head.first)
      throw error
    }
    return Self.response(200, state.changeUpload(id, noting: .uploadProgress) { $0.store(bytes) })
  }

  /// Responds with the position to continue from. A size that the client has reported is replaced.
  private mutating func refuse(_ id: String, isJournaled: Bool) throws -> HTTPResponse {
    let upload = state.media.storedUpload(id)
    if isJournaled, let upload, upload.upload.uploadedSize != upload.count {
      try journalize(MockChange(state, .recount(id: id)))
    }
    return Self.response(409, state.changeUpload(id, noting: .uploadProgress) { $0.countBytes() })
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
