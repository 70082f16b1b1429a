import NovaCore

/// Suggestions for misspelled names.
enum Suggestions {
  /// Returns up to three names that are or contain a text within a small edit distance, closest first.
  static func closest(to written: String, among names: [String]) -> [String] {
    let pattern = Array(written.lowercased().utf8.prefix(60))
    let method = Array(pattern.split(separator: UInt8(ascii: ".")).last ?? [])
    let ranked = names.compactMap { name -> (name: String, rank: Int)? in
      let text = Array(name.lowercased().utf8)
      let partSlips = min(distance(of: pattern, within: text), distance(of: method, within: text))
      // With a slip, a short text is a part of too many names.
      let isPart = partSlips <= (method.count < 5 ? 0 : method.count / 4)
      let slips = isPart ? partSlips : Suggestion.distance(pattern, text)
      guard method.count >= 2, isPart || slips <= max(1, pattern.count / 4) else { return nil }
      // Among equally close names, the one with the fewest other characters.
      return (name, slips * 1000 + abs(text.count - pattern.count))
    }
    let best = (ranked.map(\.rank).min() ?? 0) / 1000
    return ranked.filter { $0.rank / 1000 == best }.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }.prefix(3).map(
      \.name)
  }

  /// The number of bytes to insert, remove or replace to find `pattern` somewhere in `text`.
  private static func distance(of pattern: [UInt8], within text: [UInt8]) -> Int {
    // The pattern may begin anywhere, so the first row is zero.
    var row = [Int](repeating: 0, count: text.count + 1)
    for byte in pattern {
      var diagonal = row[0]
      row[0] += 1
      for column in text.indices {
        let cost = min(row[column + 1] + 1, row[column] + 1, diagonal + (text[column] == byte ? 0 : 1))
        diagonal = row[column + 1]
        row[column + 1] = cost
      }
    }
    return row.min() ?? pattern.count
  }

  /// `; did you mean limit?` for the closest name, or nothing when none is close.
  static func question(for written: String, among names: [String]) -> String {
    let guess = Suggestion.closest(to: written, among: names) ?? closest(to: written, among: names).first
    return guess.map { "; did you mean \($0)?" } ?? ""
  }

  /// The same as a sentence, or `fallback` when nothing is close.
  static func sentence(for written: String, among names: [String], otherwise fallback: String) -> String {
    let close = closest(to: written, among: names)
    guard let last = close.last else { return fallback }
    let list = close.count == 1 ? last : "\(close.dropLast().joined(separator: ", ")) or \(last)"
    return "Did you mean \(list)? \(fallback)"
  }
}
