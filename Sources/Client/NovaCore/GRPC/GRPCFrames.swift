#if GRPC
  import NovaSupport

  /// The messages in the body of a gRPC response, each behind a ``GRPCPrefix``.
  ///
  /// Bytes go in as they arrive, and messages come out when they are complete.
  package struct GRPCFrames: Sendable {
    /// The length of what precedes a message.
    package static let prefixLength = GRPCPrefix.length

    /// The longest message that is accepted, in bytes.
    private let limit: Int
    private var bytes: [UInt8] = []
    private var position = 0

    package init(limit: Int) { self.limit = limit }

    /// Whether bytes of an incomplete message are left.
    package var isInsideMessage: Bool { position < bytes.count }

    package mutating func append(_ chunk: [UInt8]) {
      if position == bytes.count {
        (bytes, position) = (chunk, 0)
      } else {
        // Moves what is left to the front, so that the bytes of earlier messages are not kept.
        if position > 0 { bytes.removeSubrange(..<position) }
        position = 0
        bytes.append(contentsOf: chunk)
      }
    }

    /// The next complete message; nil if more bytes are needed.
    ///
    /// - Throws: ``GRPCViolation`` for a compressed message, which was not asked for, and for one above the limit.
    package mutating func next() throws(GRPCViolation) -> [UInt8]? {
      let left = bytes.count - position
      guard left >= Self.prefixLength else { return nil }
      let length = try Self.length(in: bytes[position...], limit: limit)
      guard left - Self.prefixLength >= length else { return nil }
      let start = position + Self.prefixLength
      position = start + length
      return Array(bytes[start..<position])
    }

    /// The only message of a whole body.
    ///
    /// - Throws: ``GRPCViolation`` if the body has no message, more than one, or only a part of one.
    package static func onlyMessage(of body: [UInt8], limit: Int) throws(GRPCViolation) -> [UInt8] {
      guard !body.isEmpty else { throw GRPCViolation(.internalError, "the answer has no message") }
      guard body.count >= prefixLength else { throw .incomplete }
      let length = try length(in: body[...], limit: limit)
      guard body.count - prefixLength >= length else { throw .incomplete }
      guard body.count - prefixLength == length else {
        throw GRPCViolation(.internalError, "the answer has more than one message")
      }
      return Array(body[prefixLength...])
    }

    /// The length of the message whose prefix the bytes begin with.
    private static func length(in bytes: ArraySlice<UInt8>, limit: Int) throws(GRPCViolation) -> Int {
      let start = bytes.startIndex
      guard bytes[start] == 0 else {
        throw GRPCViolation(
          .internalError,
          bytes[start] == 1
            ? "the message is compressed, which was not asked for" : "the message begins with an unknown flag")
      }
      var length = 0
      for byte in bytes[start + 1..<start + prefixLength] { length = length << 8 | Int(byte) }
      guard length <= limit else {
        throw GRPCViolation(
          .resourceExhausted, "the message has \(length) bytes, more than limits.max_response_bytes (\(limit))")
      }
      return length
    }

    /// Writes the prefix in front of a message, for which the first bytes are left free.
    package static func fillPrefix(of bytes: inout [UInt8]) {
      let length = bytes.count - prefixLength
      bytes[0] = 0
      for place in 1..<prefixLength {
        bytes[place] = UInt8(truncatingIfNeeded: length >> (8 * (prefixLength - 1 - place)))
      }
    }
  }

  /// An answer that is not as gRPC requires.
  package struct GRPCViolation: Error {
    /// The status that gRPC prescribes for it.
    package let status: GRPCStatus
    /// What is wrong, as a clause.
    package let reason: String

    init(_ status: GRPCStatus, _ reason: String) {
      self.status = status
      self.reason = reason
    }

    static let incomplete = GRPCViolation(.internalError, "the answer ends inside a message")
  }
#endif
