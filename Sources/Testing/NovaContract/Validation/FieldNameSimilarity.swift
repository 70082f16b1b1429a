import NovaCore

/// Decides whether an unknown name may be a known field's, renamed.
enum FieldNameSimilarity {
  /// Whether `name` has a word in common with the field's name (`user_id_list` and `user_ids`), or is a slip of the pen
  /// away from it. Words that many names have do not count.
  static func isLikely(_ field: FieldDescriptor, _ name: String) -> Bool { isLikely(field.name, name) }

  /// The same for two names.
  static func isLikely(_ first: String, _ second: String) -> Bool {
    let (left, right) = (words(first), words(second))
    guard !left.isEmpty, !right.isEmpty else { return false }
    if left.joined() == right.joined() || isSlip(left.joined(), right.joined()) { return true }
    // Every word of the shorter one is in the longer one: `following` and `is_following`, `count` and `like_count`.
    let (short, long) = left.count <= right.count ? (left, right) : (right, left)
    let rare = short.filter { !common.contains($0) }
    guard !rare.isEmpty else { return left.count == 1 || right.count == 1 ? short.allSatisfy(long.contains) : false }
    return rare.allSatisfy { word in long.contains { alike($0, word) } }
  }

  private static let common: Set<String> = ["id", "is", "has", "at", "by", "url", "count", "total", "name", "type"]

  private static func alike(_ left: String, _ right: String) -> Bool {
    left == right || min(left.utf8.count, right.utf8.count) >= 4 && (left.hasPrefix(right) || right.hasPrefix(left))
  }

  private static func isSlip(_ left: String, _ right: String) -> Bool {
    Suggestion.distance(Array(left.utf8), Array(right.utf8)) <= max(left.utf8.count, right.utf8.count) / 5
  }

  /// The words of a name in either style, in the singular and in lower case.
  private static func words(_ name: String) -> [String] {
    var words = [""]
    for character in name.prefix(100) {
      if character == "_" || character == "-" {
        words.append("")
      } else {
        if character.isUppercase, words.last?.last?.isLowercase ?? false { words.append("") }
        words[words.count - 1] += character.lowercased()
      }
    }
    return words.filter { !$0.isEmpty }.map { $0.count > 3 && $0.hasSuffix("s") ? String($0.dropLast()) : $0 }
      .map { $0 == "ids" ? "id" : $0 }
  }
}
