#if Server
  import NIOCore
  import NovaCore
  import NovaMock

  /// A response that is written piece by piece.
  struct OutgoingAnswer {
    static let pieceSize = 64 << 10

    let response: NovaCore.HTTPResponse
    let isToHEAD: Bool
    private let body: [UInt8]
    private let isStored: Bool
    private var sent = 0
    private var hasBegun = false

    /// - Parameter isStored: whether the backend stores the body anyway, so that only a piece at a time is copied.
    init(_ response: NovaCore.HTTPResponse, toHEAD isToHEAD: Bool, isStored: Bool = false) {
      self.response = response
      body = NovaCore.HTTPResponse.hasBody(status: response.status) ? response.body.inMemory : []
      self.isToHEAD = isToHEAD
      self.isStored = isStored
    }

    /// The bytes that it uses until it is completely written.
    var heldBytes: Int {
      if isToHEAD { return 0 }
      return isStored ? min(body.count, Self.pieceSize) : body.count
    }

    var isAtEnd: Bool { hasBegun && (isToHEAD || sent == body.count) }

    /// Returns the next piece, an empty one if there is no body; nil at the end.
    mutating func nextPiece() -> ByteBuffer? {
      if isAtEnd { return nil }
      hasBegun = true
      guard !isToHEAD, !body.isEmpty else { return ByteBuffer() }
      let end = min(sent + Self.pieceSize, body.count)
      defer { sent = end }
      return sent == 0 && end == body.count
        ? ByteBuffer(bytes: body) : ByteBuffer(bytes: body[sent..<end])
    }
  }
#endif
