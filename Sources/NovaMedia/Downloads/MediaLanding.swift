import NovaCore

/// Where redirects led to the bytes of a file: a validator compares versions of one resource, and a URL that redirects can
/// lead to another one each time.
struct MediaLanding: Sendable, Hashable {
  /// Stands for the URL, which may contain secrets; empty without redirects.
  let text: String

  init(text: String) { self.text = text }

  /// Nil if it is not known where the redirects led.
  init?(_ redirects: [HTTPRedirect]) {
    guard let last = redirects.last else {
      text = ""
      return
    }
    guard let target = last.target else { return nil }
    text = PartRecord.place(of: target)
  }

  /// Whether an equal validator here and there means the same bytes.
  ///
  /// Storages sign each URL again, so that queries differ, and send entity tags. A time does not suffice:
  /// two files can be of the same second. Another path or another host proves nothing.
  func isSame(as other: MediaLanding, for validator: MediaValidator) -> Bool {
    if self == other { return true }
    guard case .etag = validator, !text.isEmpty else { return false }
    return textWithoutQuery == other.textWithoutQuery
  }

  private var textWithoutQuery: Substring { text.prefix { $0 != "#" } }
}
