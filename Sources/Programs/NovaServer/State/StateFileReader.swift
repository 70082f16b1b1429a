import NovaCore

/// Reads the changes of a state file.
struct StateFileReader {
  enum Line {
    /// The content of a line.
    case change([UInt8])
    /// A line that was completely written and then damaged, or foreign text at the end.
    case damaged
    /// The beginning of a last line, whose change was never confirmed to a client.
    case incomplete
  }

  private static let pieceSize = 1 << 20

  private let descriptor: StateDescriptor
  private var buffer: [UInt8] = []
  /// Where in `buffer` the next line begins.
  private var start = 0
  private var readEnd: Int64
  /// The number of the last line, counted from 1.
  private(set) var lineNumber = 1
  /// The range of the last line in the file, including its line break.
  private(set) var place: Range<Int64>
  /// Whether the last line has a line break.
  private(set) var isTerminated = true

  /// - Parameter offset: where the second line begins.
  init(_ descriptor: StateDescriptor, from offset: Int64) {
    self.descriptor = descriptor
    readEnd = offset
    place = offset..<offset
  }

  /// The next line; nil at the end.
  mutating func next() throws(StateFileError) -> Line? {
    guard let line = try nextLine() else { return nil }
    lineNumber += 1
    place = place.upperBound..<place.upperBound + Int64(line.count) + (isTerminated ? 1 : 0)
    if let content = StateLine.content(line) { return .change(content) }
    return !isTerminated && StateLine.isBeginning(line) ? .incomplete : .damaged
  }

  private mutating func nextLine() throws(StateFileError) -> ArraySlice<UInt8>? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return buffer[start..<end]
      }
      buffer.removeFirst(start)
      start = 0
      searched = buffer.count
      let piece = try descriptor.read(at: readEnd, count: Self.pieceSize)
      if piece.isEmpty {
        guard !buffer.isEmpty else { return nil }
        isTerminated = false
        start = buffer.count
        return buffer[...]
      }
      readEnd += Int64(piece.count)
      buffer += piece
    }
  }
}
