#if Server
  import NIOCore
  import NovaCore

  /// An answer that leaves piece by piece.
  struct OutgoingAnswer {
    static let pieceSize = 64 << 10

    let response: NovaCore.HTTPResponse
    let isToHEAD: Bool
    private let body: [UInt8]
    private let isStored: Bool
    private var sent = 0
    private var hasBegun = false

    /// - Parameter isStored: whether the backend holds the body anyway, so that only copies of its pieces are the answer's.
    init(_ response: NovaCore.HTTPResponse, toHEAD isToHEAD: Bool, isStored: Bool = false) {
      self.response = response
      body = response.body.inMemory
      self.isToHEAD = isToHEAD
      self.isStored = isStored
    }

    /// How many bytes it holds until its end has left.
    var heldBytes: Int {
      if isToHEAD { return 0 }
      return isStored ? min(body.count, Self.pieceSize) : body.count
    }

    var isAtEnd: Bool { hasBegun && (isToHEAD || sent == body.count) }

    /// The next piece, an empty one where there is no body; nil at the end.
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
