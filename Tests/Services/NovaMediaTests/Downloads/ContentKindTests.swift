import NovaCore
import NovaTestSupport
import Testing

@testable import NovaMedia

/// What replaces a file, by its media type.
@Suite struct ContentKindTests {
  static let kinds: [(String?, ContentKind)] = [
    ("image/png", .image), ("IMAGE/SVG+XML; charset=utf-8", .image), ("video/mp4", .sound), ("audio/ogg", .sound),
    ("application/vnd.apple.mpegurl", .sound), ("text/html", .page), ("application/xhtml+xml", .page),
    ("application/json", .json), ("application/problem+json", .json), ("text/json", .json), ("application/xml", .xml),
    ("text/xml", .xml), ("application/atom+xml", .xml), ("text/plain", .text), ("text/csv", .text), (nil, .generic),
    ("", .generic), ("application/octet-stream", .generic), ("binary/octet-stream", .generic),
    ("application/pdf", .other), ("application/zip", .other), ("application/dash+xml", .sound),
  ]

  @Test(arguments: 0..<kinds.count) func typesHaveKinds(_ number: Int) {
    let (type, kind) = Self.kinds[number]
    #expect(ContentKind(type) == kind, "\(type ?? "no type")")
  }

  /// The media type in the record, which has 300 bytes; the type and size of the response; and whether it is refused.
  static let rows: [(String, String?, Int?, isRefused: Bool)] = [
    ("image/png", "image/png", 300, false), ("image/png", "image/png", 299, true),
    ("image/png", "image/png", 301, false),
    ("image/png", "image/webp", 100, false), ("image/png", "image/webp", 900, false),
    ("image/png", "application/pdf", 100, false), ("image/gif", "video/mp4", 100, false),
    ("video/mp4", "audio/mp4", 100, false), ("video/mp4", "image/jpeg", 100, false),
    ("video/mp4", "application/vnd.apple.mpegurl", 100, false),
    ("image/png", "application/json", 48, true), ("image/png", "application/json", 480, true),
    ("image/png", "application/json", 300, false), ("image/png", "application/json", nil, false),
    ("image/png", "application/problem+json", 48, true), ("video/mp4", "application/xml", 61, true),
    ("audio/mpeg", "text/plain", 14, true), ("image/png", "binary/octet-stream", 100, true),
    ("image/png", "binary/octet-stream", 900, true), ("image/png", "binary/octet-stream", 300, false),
    ("image/png", nil, 100, true), ("image/png", nil, 900, false), ("image/png", "text/html", 300, true),
    ("image/png", "text/html", nil, true), ("image/svg+xml", "text/xml", 300, false),
    ("application/zip", "application/json", 48, true), ("application/zip", "text/plain", 14, true),
    ("application/zip", "application/octet-stream", 900, false), ("text/csv", "text/plain", 14, false),
    ("text/plain", "application/json", 48, true), ("application/json", "application/ld+json", 48, false),
    ("", "application/json", 900, false), ("", "application/json", 48, true),
    ("application/octet-stream", "image/png", 100, false), ("application/octet-stream", "application/json", 48, true),
  ]

  @Test(arguments: 0..<rows.count) func conversionsAreAccepted(_ number: Int) {
    let (type, other, count, isRefused) = Self.rows[number]
    let expected = ExpectedFile(byteCount: 300, contentType: type)
    let problem = expected.problem(contentType: other, byteCount: count)
    #expect((problem != nil) == isRefused, "\(type) → \(other ?? "no type") \(count ?? -1): \(problem ?? "accepted")")
  }

  /// Without a record, the type of the existing bytes counts.
  static let replacements: [(String?, String?, isRefused: Bool)] = [
    ("image/png", "application/json", true), ("video/mp4", "application/xml", true), ("image/png", "text/plain", true),
    ("image/png", "text/html", true), ("application/pdf", "text/html", true), ("application/pdf", "text/plain", false),
    ("image/png", "image/webp", false), ("image/png", "binary/octet-stream", false), ("image/png", nil, false),
    (nil, "application/json", false), ("", "text/html", false), ("text/html", "text/html", false),
    ("text/html", "image/png", false), ("application/json", "text/plain", false), ("image/svg+xml", "text/xml", false),
    ("image/svg+xml", "text/html", true),
  ]

  @Test(arguments: 0..<replacements.count) func reportsAreNoLaterVersion(_ number: Int) {
    let (type, other, isRefused) = Self.replacements[number]
    let replacement = Replacement(contentType: other, insteadOf: type)
    #expect((replacement != nil) == isRefused, "\(type ?? "-") → \(other ?? "-"): \(replacement as Any)")
  }
}
