import NovaCore

/// Reads a state file from its beginning.
struct StateFileReader {
  private static let pieceSize = 1 << 20

  private let descriptor: StateDescriptor
  private var buffer: [UInt8] = []
  /// Where in `buffer` the next line begins.
  private var start = 0
  private var readEnd: Int64 = 0
  private(set) var lineNumber = 0
  /// Where the last whole line ended.
  private(set) var goodEnd: Int64 = 0

  init(_ descriptor: StateDescriptor) { self.descriptor = descriptor }

  /// What the next line says; nil at the end, which may be a line that was not written to its end.
  mutating func next() throws(StateFileError) -> [UInt8]? {
    guard let line = try nextLine() else { return nil }
    if let content = StateLine.content(line) {
      goodEnd += Int64(line.count) + 1
      return content
    }
    // The machine may have stopped with more than one line half written; what is whole again after that was not the end.
    let number = lineNumber
    while let later = try nextLine() {
      guard StateLine.content(later) == nil else {
        throw StateFileError(
          descriptor.path,
          "is damaged in line \(number), and more follows. Bring back a copy of it, or choose another file.")
      }
    }
    return nil
  }

  private mutating func nextLine() throws(StateFileError) -> ArraySlice<UInt8>? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        lineNumber += 1
        return buffer[start..<end]
      }
      buffer.removeFirst(start)
      start = 0
      searched = buffer.count
      let piece = try descriptor.read(at: readEnd, count: Self.pieceSize)
      if piece.isEmpty { return nil }
      readEnd += Int64(piece.count)
      buffer += piece
    }
  }
}
