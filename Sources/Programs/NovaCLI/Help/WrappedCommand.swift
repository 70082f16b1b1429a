// How command lines and their synopses are broken into lines, which is not between any words.

extension String {
  /// The lines of a command for a shell: all but the last end with a backslash, so that they can be copied.
  func wrappedCommand(to width: Int, indent: Int = 4) -> [String] {
    guard columns > width else { return [self] }
    let parts = split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let quoted = parts.merged { $0.utf8.count(where: { $0 == UInt8(ascii: "'") }) % 2 == 1 }
    var words: [String] = []
    for word in quoted {
      // An option stays with its value.
      if let last = words.last, last.hasPrefix("--"), !last.contains(" "), !word.hasPrefix("-") {
        words[words.count - 1] += " \(word)"
      } else {
        words.append(word)
      }
    }
    var lines: [String] = []
    var line = ""
    for word in words {
      if !line.isEmpty, line.columns + 1 + word.columns > width - 2 {
        lines.append("\(line) \\")
        line = String(repeating: " ", count: indent) + word
      } else {
        line += line.isEmpty ? word : " \(word)"
      }
    }
    return lines + [line]
  }

  /// The lines of a command's synopsis, broken between its arguments: `[--limit <count>]` stays whole.
  func wrappedSynopsis(to width: Int, label: String) -> [String] {
    let words = split(separator: " ").map(String.init).merged { word in
      word.utf8.reduce(0) { $0 + ("[(".utf8.contains($1) ? 1 : "])".utf8.contains($1) ? -1 : 0) } > 0
    }
    var lines = [label]
    for word in words {
      let last = lines[lines.count - 1]
      let isStart = last.allSatisfy { $0 == " " } || last == label
      if !isStart, last.columns + 1 + word.columns > width {
        lines.append(String(repeating: " ", count: label.columns + 4) + word)
      } else {
        lines[lines.count - 1] = isStart ? last + word : "\(last) \(word)"
      }
    }
    return lines
  }
}
