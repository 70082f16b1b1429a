import NovaCore

/// What a server reports about a file, apart from its bytes.
struct MediaHead: Sendable, Hashable {
  var contentType: String?
  var etag: String?
  /// Proves later that the file is the same; nil if the server sent no such proof.
  var validator: MediaValidator?
  /// The file's size in bytes, if known.
  var total: Int?
  /// The SHA-256 digest of the whole file, if the server sends one (`Repr-Digest`).
  var digest: [UInt8]?
  /// Where redirects led; nil if unknown.
  var landing: MediaLanding?

  init(contentType: String? = nil, etag: String? = nil, validator: MediaValidator? = nil, total: Int? = nil) {
    self.contentType = contentType
    self.etag = etag
    self.validator = validator
    self.total = total
  }

  init(_ headers: HTTPHeaders, total: Int?, landing: MediaLanding? = nil) {
    contentType = headers["Content-Type"]
    etag = headers.agreed("ETag")
    validator = MediaValidator(headers)
    self.total = total
    self.landing = landing
    digest = DigestField.sha256("Repr-Digest", in: headers)
  }

  /// Whether a response is about the same file.
  enum Sameness: Hashable {
    case proven, refuted, unknown
  }

  /// Compares a later response with this file.
  ///
  /// - Parameters:
  ///   - headers: the response's headers. Some servers repeat neither the validator nor the digest, which proves
  ///     nothing.
  ///   - landing: where redirects led to the response.
  ///   - needsDigest: whether an equal validator is not enough.
  func sameness(_ headers: HTTPHeaders, at landing: MediaLanding? = nil, needsDigest: Bool) -> Sameness {
    let other = DigestField.sha256("Repr-Digest", in: headers)
    if let digest, let other, digest != other { return .refuted }
    let byValidator = validator?.sameness(headers) ?? .unknown
    if byValidator == .refuted { return .refuted }
    if digest != nil, digest == other { return .proven }
    return byValidator == .proven && !needsDigest && isAt(landing) ? .proven : .unknown
  }

  /// Whether an equal validator means the same file at the place of the response.
  func isAt(_ landing: MediaLanding?) -> Bool {
    guard let mine = self.landing, let landing, let validator else { return true }
    return mine.isSame(as: landing, for: validator)
  }
}

/// A strong validator of a file (RFC 9110, 8.8): it changes whenever any byte does.
enum MediaValidator: Sendable, Hashable {
  case etag(String)
  case lastModified(String)

  /// Reads the strong entity tag of a response. Without any tag, reads its modification time, if it is at least a
  /// second before the response's own time: within that second, the file could have changed again. A weak tag proves
  /// nothing about bytes.
  init?(_ headers: HTTPHeaders) {
    if headers["ETag"] != nil {
      guard let etag = headers.agreed("ETag"), Self.isStrong(etag) else { return nil }
      self = .etag(etag)
    } else {
      guard let text = headers.agreed("Last-Modified"), let time = HTTPDate.seconds(text),
        let date = headers["Date"].flatMap(HTTPDate.seconds), time < date
      else { return nil }
      self = .lastModified(text)
    }
  }

  /// Compares the validator with that of a later response. A modification time need not be old enough again, and counts
  /// only without a tag. A response with several validators proves nothing.
  fileprivate func sameness(_ headers: HTTPHeaders) -> MediaHead.Sameness {
    switch self {
    case .etag(let text):
      guard let other = headers.agreed("ETag") else { return .unknown }
      if other.hasSameBytes(as: text) { return .proven }
      return Self.isStrong(other) ? .refuted : .unknown
    case .lastModified(let text):
      guard headers["ETag"] == nil, let other = headers.agreed("Last-Modified") else { return .unknown }
      return other == text ? .proven : .refuted
    }
  }

  /// The value of `If-Range`.
  var text: String {
    switch self {
    case .etag(let text), .lastModified(let text): text
    }
  }

  /// Whether a text is a strong entity tag that can be sent back unchanged. Some servers send an empty tag for every
  /// file; it does not distinguish files.
  static func isStrong(_ etag: String) -> Bool {
    let bytes = etag.utf8Bytes
    guard (3...1024).contains(bytes.count), bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else {
      return false
    }
    return bytes.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != 0x7F }
  }
}

/// Where redirects led to the bytes of a file. A validator compares versions of one resource, but a URL can redirect to
/// a different resource each time.
struct MediaLanding: Sendable, Hashable {
  /// The recorded form of the final URL, which may contain secrets; empty without redirects.
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
