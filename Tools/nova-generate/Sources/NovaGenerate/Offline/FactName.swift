/// The name of a fact in `gateway.yaml`: `posts[creator_id, status|published] first`.
struct FactName: Sendable {
  var kind: String
  var keys: [FactValue]
  /// Where new items of a list are put, as a case of `ListEnd`; nil where nothing is said.
  var end: String?

  /// Parses a name; nil if it is not one.
  init?(_ text: String) {
    guard let match = text.wholeMatch(of: /([A-Za-z][A-Za-z0-9_]*)(?:\[([^\[\]]+)\])?(?: (first|last)(_changed)?)?/)
    else {
      return nil
    }
    kind = String(match.1)
    end = match.3.map { $0 + (match.4 == nil ? "" : "Changed") }
    keys = []
    for key in (match.2 ?? "").split(separator: ",", omittingEmptySubsequences: false) where match.2 != nil {
      guard let value = FactValue(String(key.trimmingPrefix(while: { $0 == " " }))) else { return nil }
      keys.append(value)
    }
  }
}

/// A value in `gateway.yaml`.
enum FactValue: Sendable, Equatable {
  /// `=text`
  case literal(String)
  /// `field` or `field|default`
  case field(String, default: String?)
  /// The time of a write.
  case now

  init?(_ text: String) {
    if text.hasPrefix("=") {
      self = .literal(String(text.dropFirst()))
    } else if text == "now" {
      self = .now
    } else if let match = text.wholeMatch(of: /([a-z][a-z0-9_]*)(?:\|(.+))?/) {
      self = .field(String(match.1), default: match.2.map(String.init))
    } else {
      return nil
    }
  }
}
