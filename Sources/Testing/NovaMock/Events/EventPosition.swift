import NovaCore

/// A position in the events of a backend, written as `<epoch>:<offset>`.
struct EventPosition: Hashable, Sendable, CustomStringConvertible {
  let epoch: String
  /// The number of the event, counted from 1; 0 before the first.
  let offset: Int

  var description: String { "\(epoch):\(offset)" }
}

extension EventPosition {
  /// Reads a position; nil for any other text.
  init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let digits = text[text.index(after: colon)...]
    guard !digits.isEmpty, digits.utf8.allSatisfy(\.isASCIIDigit), let offset = Int(digits) else { return nil }
    self.init(epoch: String(text[..<colon]), offset: offset)
  }
}
