import NovaCore

/// The bytes of a sequence, kept in pieces until the server has them.
actor StreamPieces {
  private let pump: StreamPump
  private let length: Int
  private var pieces: [(start: Int, bytes: [UInt8])] = []
  private var end = 0

  init(_ stream: HTTPBodyStream, length: Int) {
    pump = StreamPump(stream)
    self.length = length
  }

  /// Returns a range that has not been released.
  func bytes(_ range: Range<Int>) async throws -> [UInt8] {
    if range.upperBound > end {
      let wanted = range.upperBound - end
      let bytes = try await take(wanted, isLast: range.upperBound == length)
      pieces.append((end, bytes))
      end += bytes.count
    }
    if let piece = pieces.first(where: { $0.start == range.lowerBound && $0.bytes.count == range.count }) {
      return piece.bytes
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    for piece in pieces {
      let part = range.clamped(to: piece.start..<piece.start + piece.bytes.count)
      if !part.isEmpty { bytes += piece.bytes[part.lowerBound - piece.start..<part.upperBound - piece.start] }
    }
    guard bytes.count == range.count else {
      throw APIError(
        .invalidResponse, "the upload was given up",
        reason: "the server lost bytes of a sequence, which can be read only once",
        rpc: MediaService.uploadBytes.descriptor.id)
    }
    return bytes
  }

  private func take(_ count: Int, isLast: Bool) async throws -> [UInt8] {
    do { return try await pump.take(count, isLast: isLast) } catch let error as HTTPBodyError {
      throw APIError(.invalidArgument, error.description, rpc: MediaService.uploadBytes.descriptor.id)
    }
  }

  func release(upTo position: Int) { pieces.removeAll { $0.start + $0.bytes.count <= position } }
}
