@testable import NovaMock
@testable import NovaServer

/// The first byte says whether the rest is the file, or the contents of its lines, which then get their checksums. A file
/// that is refused stays as it was, and one that is accepted is accepted again and gives the same state.
enum StateTarget {
  static func check(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let rest = Array(bytes.dropFirst())
    let file = first % 4 == 0 ? rest : lines(rest)
    TemporaryFile.with(file) { path in
      guard let state = open(path) else {
        return require(TemporaryFile.read() == file, "a file that was refused has been changed")
      }
      let kept = TemporaryFile.read()
      // A file that ended in its first line has a new one; damaged lines are kept in another file.
      require(file.count < kept.count || isPart(kept, of: file), "the file has other lines than those that were there")
      let again = open(path)
      require(again == state, "the state is another one after the second start: \(state), then \(again ?? "none")")
      require(TemporaryFile.read() == kept, "the second start changes the file")
    }
  }

  /// Whether all lines of one file are in the other, in the same order.
  private static func isPart(_ part: [UInt8], of whole: [UInt8]) -> Bool {
    var rest = whole.split(separator: UInt8(ascii: "\n"))[...]
    return part.split(separator: UInt8(ascii: "\n")).allSatisfy { line in
      rest = rest.drop { $0 != line }
      return rest.popFirst() != nil
    }
  }

  private static func lines(_ bytes: [UInt8]) -> [UInt8] {
    let head = StateLine.make(StateHead(seed: 1, dataSet: "empty").json)
    return bytes.split(separator: UInt8(ascii: "\n")).reduce(head) { $0 + StateLine.make(Array($1)) }
  }

  /// What is in the backend that the file makes; nil when it is refused.
  private static func open(_ path: String) -> String? {
    let backend = MockBackend(seed: 1, dataSet: .empty) { 1_764_583_200 }
    do {
      _ = try StateFile(path, of: backend)
      return "\(backend.counts)"
    } catch {
      require("\(error)".isPrintable, "the error has control characters: \(error)")
      return nil
    }
  }
}
