/// The damaged lines of a state file. Their changes were confirmed to clients, so they are never dropped silently.
struct StateDamage {
  private static let shownLines = 10

  private(set) var lines: [Int] = []
  private var places: [Range<Int64>] = []
  /// Why lines that are themselves valid cannot be used.
  private var reasons: [String] = []

  var isEmpty: Bool { lines.isEmpty }

  mutating func add(_ line: Int, at place: Range<Int64>, reason: String? = nil) {
    if let reason { reasons.append(reason) }
    lines.append(line)
    places.append(place)
  }

  /// Keeps the original file under another name, and replaces it with one without the damaged lines. If the process is
  /// killed in between, the file is the old or the new one.
  ///
  /// - Parameter end: where the last line to keep ends.
  /// - Returns: the new file, and the name of the old one.
  func repair(
    _ descriptor: StateDescriptor, upTo end: Int64
  ) throws(StateFileError) -> (descriptor: StateDescriptor, length: Int64, aside: String) {
    let repaired = try descriptor.createNeighbor()
    do throws(StateFileError) {
      var length: Int64 = 0
      var start: Int64 = 0
      for place in places + [end..<end] {
        length = try Self.copy(start..<place.lowerBound, of: descriptor, to: repaired, at: length)
        start = place.upperBound
      }
      try repaired.synchronize()
      let aside = try descriptor.keepAside()
      let file = try repaired.replace(descriptor)
      file.synchronizeFolder()
      return (file, length, aside)
    } catch {
      repaired.unlinkName()
      throw error
    }
  }

  /// Returns where the copy ends.
  private static func copy(
    _ place: Range<Int64>, of source: StateDescriptor, to target: StateDescriptor, at offset: Int64
  ) throws(StateFileError) -> Int64 {
    var (from, to) = (place.lowerBound, offset)
    while from < place.upperBound {
      let piece = try source.read(at: from, count: Int(min(place.upperBound - from, 1 << 20)))
      if piece.isEmpty { throw StateFileError(source.path, "was truncated while it was read. Try again.") }
      try target.write(piece, at: to)
      from += Int64(piece.count)
      to += Int64(piece.count)
    }
    return to
  }

  /// The warning to print.
  func report(_ path: String, aside: String) -> String {
    let shown = lines.prefix(Self.shownLines).map(String.init).joined(separator: ", ")
    let more = lines.count > Self.shownLines ? " and \(lines.count - Self.shownLines) more" : ""
    return "the state file \(path) was damaged in line\(lines.count == 1 ? "" : "s") \(shown)\(more): "
      + "their changes are missing, and records created after them may have different ids; "
      + "the original file is kept as \(aside)"
      + reasons.prefix(Self.shownLines).map { "; \($0)" }.joined()
  }
}
