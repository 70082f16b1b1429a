import NovaCapture
import NovaContent
import NovaCore
import NovaGraph
import NovaSocial
import NovaUsers

extension EdgeCase {
  static let texts = [emptyStrings, maximumLengths, emoji, rightToLeft, controlCharacters]

  private static let emptyStrings = EdgeCase("empty-strings", summary: "Texts that are present but empty.") { cast in
    [
      .profile(cast.user) {
        ($0.displayName, $0.bio, $0.avatarUrl, $0.coverUrl, $0.website, $0.location) = ("", "", "", "", "", "")
      },
      .settings(cast.settings) { ($0.timezone, $0.language, $0.privacyLevel) = ("", "", "") },
      .post(cast.post, breakingReason: "a post has 1 to 10,000 characters") { $0.content = "" },
    ]
  }

  private static let maximumLengths = EdgeCase(
    "maximum-lengths", summary: "Texts and pages of the contract's maximum length."
  ) { cast in
    [
      .post(cast.post) { $0.content = text(10_000) }, .comment(cast.comment) { $0.content = text(2_000) },
      .something(cast.something) { $0.content = text(10_000) },
      .profile(cast.user) {
        $0.username = String(repeating: "u", count: 32)
        ($0.displayName, $0.bio, $0.location) = (text(50), text(500), text(100))
      },
      EdgeCaseAnswer(
        GraphRPC.batchCheckFollowing, .init(followerId: cast.user.id, followeeIds: (1...100).map { "user-\($0)" }),
        response: .init(
          results: Dictionary(uniqueKeysWithValues: (1...100).map { ("user-\($0)", $0.isMultiple(of: 3)) }))),
    ]
  }

  /// Returns a text of two-byte characters, which reveals code that counts bytes.
  private static func text(_ count: Int) -> String { String(repeating: "é", count: count) }

  private static let emoji = written(
    "emoji-zwj", "Emoji of several code points that display as one character: families, skin tones, flags, keycaps.",
    name: "👩‍👩‍👧‍👦 👨🏽‍🚀", text: "🏳️‍🌈🏴‍☠️🇯🇵🇵🇱 1️⃣ ❤️‍🔥 👍🏿 👩🏻‍❤️‍💋‍👨🏾")

  private static let rightToLeft = written(
    "rtl", "Arabic and Hebrew, mixed with Latin and digits, with marks and bidirectional controls.",
    name: "مُنى ‏(Muna)‏ שָׁלוֹם", text: "הַתִּקְוָה ‎v2.0‎ في ٢٠٢٥: \u{2067}abc عربي 123\u{2069} \u{202B}עברית\u{202C}")

  private static let controlCharacters = written(
    "control-characters", "Control characters, line separators, and a byte order mark, but not NUL.",
    name: "Tab\tBell\u{7}", text: controls)

  private static let controls: String = {
    let codes = Array(0x01...0x1F) + Array(0x7F...0x9F) + [0x2028, 0x2029, 0xFEFF, 0xFFFD]
    var text = String.UnicodeScalarView()
    for scalar in codes.compactMap(Unicode.Scalar.init) { text.append(scalar) }
    return "from \(String(text)) to"
  }()

  /// Creates an edge case with the same text in every text field.
  private static func written(_ edge: String, _ summary: String, name: String, text: String) -> EdgeCase {
    EdgeCase(edge, summary: summary) { cast in
      var comment = cast.comment
      comment.content = text
      return [
        .profile(cast.user) { ($0.displayName, $0.bio) = (name, text) },
        .post(cast.post) { ($0.title, $0.content) = (name, text) },
        EdgeCaseAnswer(
          SocialRPC.getComments, .init(postId: comment.postId), response: .init(comments: [comment], totalCount: 1)),
        .something(cast.something) { ($0.content, $0.meaning) = (text, name) },
      ]
    }
  }
}
