import Foundation
import NovaTesting

/// A client that sends and does not read.
public struct HostileClient: Sendable {
  private let socket: RawSocket

  /// - Parameter bufferSize: how many bytes the system takes in each direction; nil for its choice.
  public init(port: UInt16, bufferSize: Int? = nil) throws {
    socket = try RawSocket.connected(to: Int(port), bufferSize: bufferSize)
  }

  /// Sends the same bytes repeatedly, until the system accepts no more for a while or `limit` bytes are sent.
  ///
  /// - Parameter meanwhile: called while no bytes are accepted.
  /// - Returns: the number of bytes that were accepted.
  public func flood(_ bytes: [UInt8], upTo limit: Int, meanwhile: () async throws -> Void) async throws -> Int {
    var (count, stalls) = (0, 0)
    while count < limit, stalls < 50 {
      let taken = socket.offer(bytes[(count % bytes.count)...])
      count += taken
      stalls = taken == 0 ? stalls + 1 : 0
      if taken == 0 { try await meanwhile() }
    }
    return count
  }

  public func send(_ bytes: [UInt8]) throws { try socket.write(bytes) }

  /// Sends the rest, and returns everything that comes until the server closes the connection.
  public func finish(_ rest: [UInt8] = []) async -> [UInt8] {
    let socket = socket
    return await withCheckedContinuation { continuation in
      // One thread sends while the other reads: neither end takes everything before it is read.
      Thread.detachNewThread {
        try? socket.write(rest)
        socket.finishWriting()
      }
      Thread.detachNewThread {
        var answer: [UInt8] = []
        while case let more = socket.read(), !more.isEmpty { answer += more }
        continuation.resume(returning: answer)
      }
    }
  }
}
