import Foundation

extension Canary {
  /// What of the secret shows in encodings that change letters: all of it, or the Base64 digits that it alone decides.
  ///
  /// Written out here rather than by what masks secrets, which must not judge itself. `Tools/run-tests` has the same.
  static let spellings: [String] = {
    let bytes = Array(secret.utf8)
    func joined(_ spell: (UInt8) -> String) -> String { bytes.map(spell).joined() }
    let base64 = (0..<3).map { offset in
      let text = Data(Array(repeating: 0, count: offset) + bytes).base64EncodedString()
      let first = (offset * 8 + 5) / 6
      return String(text.dropFirst(first).prefix((offset + bytes.count) * 8 / 6 - first))
    }
    let all =
      base64 + base64.map { $0.replacing("+", with: "-").replacing("/", with: "_") } + [
        joined { String(format: "%%%02X", $0) }, joined { String(format: "%%%02x", $0) },
        joined { String(format: "\\u%04X", $0) }, joined { String(format: "\\u%04x", $0) },
        joined { String(format: "\\x%02x", $0) }, joined { "&#\($0);" }, joined { String(format: "&#x%02x;", $0) },
        joined { String(format: "&#x%02X;", $0) },
      ]
    return Array(Set(all))
  }()
}
