/// The bytes that a connection has to write.
///
/// A batch of commands stays in its place until all of it is written, because TLS continues an interrupted write only
/// from the memory where it began.
struct RedisOutput: Sendable {
  /// A part of a batch, which is written at once.
  struct Piece: Sendable {
    /// Over TLS, it is unknown how much of an interrupted write has left.
    static let maximumCount = 64 << 10

    let batch: [UInt8]
    let range: Range<Int>
  }

  private var outgoing: [UInt8] = []
  private var batch: [UInt8] = []
  private var done = 0
  /// The number of bytes that were added.
  private(set) var queued = 0
  /// The number of bytes that may have left.
  private(set) var written = 0

  var unwritten: Int { batch.count - done + outgoing.count }

  mutating func append(_ command: [UInt8]) {
    outgoing += command
    queued += command.count
  }

  mutating func removeAll() { (outgoing, batch, done) = ([], [], 0) }

  /// What to write next; nil if there is nothing. It counts as written from then on, so that a failure never reports
  /// written bytes as not sent.
  mutating func next() -> Piece? {
    if done == batch.count { (batch, outgoing, done) = (outgoing, [], 0) }
    guard !batch.isEmpty else { return nil }
    let end = min(done + Piece.maximumCount, batch.count)
    written = max(written, queued - unwritten + end - done)
    return Piece(batch: batch, range: done..<end)
  }

  /// Counts what was written of the last piece.
  mutating func advance(by count: Int) {
    // It is empty if the connection was closed.
    if !batch.isEmpty { done += count }
  }
}
