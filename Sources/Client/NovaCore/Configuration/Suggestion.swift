/// Corrects misspelled names.
package enum Suggestion {
  /// The closest of the candidates, or nil when none is close.
  package static func closest(to name: String, among candidates: [String]) -> String? {
    let written = Array(name.lowercased().utf8Bytes.prefix(100))
    // One edit per three characters still is a slip; more is another word.
    let bound = max(1, written.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let distance = distance(written, candidate.lowercased().utf8Bytes)
      if distance <= bound, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// How many bytes must be inserted, removed, replaced or swapped with the next byte (optimal string alignment).
  package static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = beforeLast
    for column in last.indices { last[column] = column }
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let same = left[row] == right[column]
        var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (same ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
