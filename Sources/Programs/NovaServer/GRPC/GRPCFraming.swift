#if Server
  import NIOCore
  import NovaCore

  /// Takes the messages out of the bytes of a request. Each has a prefix: a byte of flags, and its length.
  struct GRPCDeframer {
    static let prefixSize = 5
    /// The maximum size of a message, as gRPC's own servers have it.
    static let messageLimit = 4 << 20

    /// Nil if compressed messages are not allowed.
    private let compression: GRPCCompression
    private var buffer = ByteBuffer()

    init(_ compression: GRPCCompression) { self.compression = compression }

    /// The number of bytes that wait for the rest of their message.
    var pendingCount: Int { buffer.readableBytes }

    mutating func append(_ bytes: ByteBuffer) {
      var bytes = bytes
      buffer.writeBuffer(&bytes)
    }

    /// Returns the next message, decompressed; nil if it has not arrived.
    mutating func next() throws(GRPCFailure) -> [UInt8]? {
      guard let flags = buffer.getInteger(at: buffer.readerIndex, as: UInt8.self),
        let length = buffer.getInteger(at: buffer.readerIndex + 1, as: UInt32.self)
      else { return nil }
      guard flags <= 1 else { throw .invalid("invalid message: the flags in its prefix are \(flags), expected 0 or 1") }
      guard length <= Self.messageLimit else { throw .tooLarge("\(length) bytes") }
      guard buffer.readableBytes >= Self.prefixSize + Int(length) else { return nil }
      buffer.moveReaderIndex(forwardBy: Self.prefixSize)
      let message = buffer.readBytes(length: Int(length)) ?? []
      buffer.discardReadBytes()
      return flags == 0 ? message : try decompressed(message)
    }

    private func decompressed(_ message: [UInt8]) throws(GRPCFailure) -> [UInt8] {
      guard compression == .gzip else {
        throw .invalid("invalid message: its prefix says that it is compressed, but grpc-encoding names no compression")
      }
      do throws(Gzip.Problem) {
        return try Gzip.decompress(message, upTo: Self.messageLimit)
      } catch {
        switch error {
        case .tooLarge: throw .tooLarge("more than \(Self.messageLimit) bytes when it is decompressed")
        case .invalid: throw .invalid("invalid message: it is not valid gzip")
        }
      }
    }
  }

  extension GRPCFailure {
    fileprivate static func tooLarge(_ size: String) -> GRPCFailure {
      GRPCFailure(
        .resourceExhausted, "message too large: it has \(size), and \(GRPCDeframer.messageLimit) are allowed")
    }
  }

  /// How messages are compressed.
  enum GRPCCompression: String, CaseIterable {
    case identity, gzip

    /// All that the server supports, for `grpc-accept-encoding`.
    static var supported: String {
      (Gzip.isAvailable ? allCases : [.identity]).map(\.rawValue).joined(separator: ",")
    }

    /// Smaller messages are not compressed.
    private static let smallest = 256

    /// Writes the prefix of a message, which has room for it in front, and compresses the message if that makes it
    /// smaller.
    func framed(_ message: [UInt8]) -> [UInt8] {
      let size = GRPCDeframer.prefixSize
      if self == .gzip, message.count - size >= Self.smallest,
        let compressed = Gzip.compress(message[size...], after: size)
      {
        return Self.prefixed(compressed, flags: 1)
      }
      return Self.prefixed(message, flags: 0)
    }

    private static func prefixed(_ message: [UInt8], flags: UInt8) -> [UInt8] {
      var message = message
      let length = UInt32(message.count - GRPCDeframer.prefixSize)
      message[0] = flags
      for index in 0..<4 { message[index + 1] = UInt8(truncatingIfNeeded: length >> (24 - 8 * index)) }
      return message
    }
  }
#endif
