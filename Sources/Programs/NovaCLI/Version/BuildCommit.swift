internal import CNovaProgram
import NovaCore

/// The commit that a program was built from.
struct BuildCommit: Equatable {
  /// 40 hexadecimal digits.
  let id: String
  /// The day of the commit: `2026-11-30`.
  let date: String
  /// Whether the sources had changes that are not in the commit.
  let isModified: Bool

  /// That of this program; nil in builds other than those of `Tools/build-release`.
  static let current = BuildCommit(parsing: text)

  /// Parses `<id> <date>`, and ` modified` after it; nil for anything else.
  init?(parsing text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard (2...3).contains(words.count), words[0].utf8.count == 40, words[0].allSatisfy(\.isHexDigit),
      words[1].utf8.count == 10, words.count == 2 || words[2] == "modified"
    else { return nil }
    (id, date, isModified) = (String(words[0]), String(words[1]), words.count == 3)
  }

  /// `7061fdcb… of 2026-11-30, with changes`
  var description: String { "\(id) of \(date)\(isModified ? ", with changes" : "")" }

  private static var text: String {
    var bytes = [CChar](repeating: 0, count: Int(NOVA_PROGRAM_COMMIT_SIZE))
    nova_program_commit(&bytes)
    return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
