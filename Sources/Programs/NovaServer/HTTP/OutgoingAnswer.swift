#if Server
  import NIOCore
  import NIOHTTP1
  import NovaCore
  import NovaMock

  /// A response that is written piece by piece.
  struct OutgoingAnswer {
    static let pieceSize = 64 << 10
    /// A piece of a file is never in the server's memory: the system sends it.
    private static let filePieceSize = 512 << 10

    let response: NovaCore.HTTPResponse
    let isToHEAD: Bool
    private let body: [UInt8]
    private let file: OpenFile?
    private let count: Int
    private var sent = 0
    private var hasBegun = false

    init(_ response: NovaCore.HTTPResponse, toHEAD isToHEAD: Bool) {
      var response = response
      let hasBody = !isToHEAD && NovaCore.HTTPResponse.hasBody(status: response.status)
      var file: OpenFile?
      if hasBody, case .file(let region) = response.body {
        file = OpenFile(region)
        if file == nil { response = Refusal.unreadableFile }
      }
      self.response = response
      self.isToHEAD = isToHEAD
      self.file = file
      body = hasBody ? response.body.bytes ?? [] : []
      count = file?.region.length ?? body.count
    }

    /// The bytes that it uses until it is completely written.
    var heldBytes: Int { isStream ? Self.pieceSize : body.count }

    /// Whether the body arrives over time, and is not written by ``nextPiece()``.
    var isStream: Bool {
      if isToHEAD || !NovaCore.HTTPResponse.hasBody(status: response.status) { return false }
      if case .stream = response.body { return true }
      return false
    }

    /// Whether no header shows where the body ends.
    var lacksLength: Bool { response.bodyLength == nil && response.headers["Content-Length"] == nil }

    /// The fields after the body, once it has ended; nil for none.
    var trailers: NIOHTTP1.HTTPHeaders? {
      guard isStream, case .stream(let stream) = response.body, let fields = stream.trailers?.fields.fields,
        !fields.isEmpty
      else { return nil }
      return NIOHTTP1.HTTPHeaders(fields.map { ($0.name, $0.value) })
    }

    /// Whether the body continues until one side ends it.
    var isOpenEnded: Bool { isStream && response.body.length == nil }

    /// Whether it may take any time, as long as the client receives it: the system sends a file, or a fault makes the body
    /// late.
    var isUnlimited: Bool { file != nil || isStream }

    var isAtEnd: Bool { hasBegun && sent == count }

    /// Returns the next piece, an empty one if there is no body; nil at the end.
    mutating func nextPiece() -> IOData? {
      if isAtEnd { return nil }
      hasBegun = true
      guard count > 0 else { return .byteBuffer(ByteBuffer()) }
      let start = sent
      sent = min(start + (file == nil ? Self.pieceSize : Self.filePieceSize), count)
      if let file { return .fileRegion(file.part(start..<sent)) }
      return .byteBuffer(start == 0 && sent == count ? ByteBuffer(bytes: body) : ByteBuffer(bytes: body[start..<sent]))
    }
  }

  /// A file that is open as long as a response sends it.
  private final class OpenFile {
    let region: HTTPFileRegion
    private let handle: NIOFileHandle

    /// Nil if the file cannot be opened, or is shorter than the region.
    init?(_ region: HTTPFileRegion) {
      self.region = region
      // Something else may have replaced the file, and opening a pipe would wait.
      guard let descriptor = try? SystemIO.openFile(region.path) else { return nil }
      handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: descriptor)
      // `deinit` closes it.
      guard let whole = try? FileRegion(fileHandle: handle), whole.endIndex >= region.offset + region.length else {
        return nil
      }
    }

    deinit { try? handle.close() }

    func part(_ range: Range<Int>) -> FileRegion {
      FileRegion(
        fileHandle: handle, readerIndex: region.offset + range.lowerBound, endIndex: region.offset + range.upperBound)
    }
  }
#endif
