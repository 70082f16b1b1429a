import NovaCore

/// Where redirects led to the bytes of a file. A validator compares versions of one resource, but a URL can redirect to
/// a different resource each time.
struct MediaLanding: Sendable, Hashable {
  /// Represents the final URL, which may contain secrets; empty without redirects.
  let text: String

  init(text: String) { self.text = text }

  /// Creates the landing of redirects; nil if it is unknown where they led.
  init?(_ redirects: [HTTPRedirect]) {
    guard let last = redirects.last else {
      text = ""
      return
    }
    guard let target = last.target else { return nil }
    text = PartRecord.place(of: target)
  }

  /// Whether an equal validator at both places means the same bytes.
  ///
  /// Storage servers sign each URL again, so that queries differ, and send entity tags. A modification time is not
  /// enough, because two files can be from the same second. A different path or host proves nothing.
  func isSame(as other: MediaLanding, for validator: MediaValidator) -> Bool {
    if self == other { return true }
    guard case .etag = validator, !text.isEmpty else { return false }
    return textWithoutQuery == other.textWithoutQuery
  }

  private var textWithoutQuery: Substring { text.prefix { $0 != "#" } }
}
