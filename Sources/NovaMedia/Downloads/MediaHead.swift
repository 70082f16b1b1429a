import NovaCore

/// What a server reports about a file, apart from its bytes.
struct MediaHead: Sendable, Hashable {
  var contentType: String?
  var etag: String?
  /// What proves later that the file is the same; nil if nothing does.
  var validator: MediaValidator?
  /// The file's size in bytes, if it is known.
  var total: Int?
  /// The SHA-256 digest of the whole file, if the server sends one (`Repr-Digest`).
  var digest: [UInt8]?
  /// Where redirects led to it; nil if that is unknown.
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

  /// Whether a response is about the file of this head.
  enum Sameness: Hashable {
    case proven, refuted, unknown
  }

  /// Compares what a later response reports about a file.
  ///
  /// - Parameters:
  ///   - headers: those of the response. Some servers repeat neither validator nor digest, and prove nothing.
  ///   - landing: where redirects led to the response.
  ///   - needsDigest: whether an equal validator does not suffice.
  func sameness(_ headers: HTTPHeaders, at landing: MediaLanding? = nil, needsDigest: Bool) -> Sameness {
    let other = DigestField.sha256("Repr-Digest", in: headers)
    if let digest, let other, digest != other { return .refuted }
    if let validator, validator.isOther(in: headers) { return .refuted }
    if digest != nil, digest == other { return .proven }
    guard !needsDigest, let validator, validator.isRepeated(in: headers), isAt(landing) else { return .unknown }
    return .proven
  }

  /// Whether a response comes from a place at which an equal validator means the same file.
  func isAt(_ landing: MediaLanding?) -> Bool {
    guard let mine = self.landing, let landing, let validator else { return true }
    return mine.isSame(as: landing, for: validator)
  }
}

/// A strong validator of a file (RFC 9110, 8.8): while it stays the same, so does every byte.
enum MediaValidator: Sendable, Hashable {
  case etag(String)
  case lastModified(String)

  /// The response's strong entity tag, or its modification time if it has no tag at all and the time is at least a second
  /// before the response's own: within that second, the file could have changed again. A weak tag proves nothing about
  /// bytes.
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

  /// Whether a response has it. A modification time that has proved to be old enough need not be so again, and counts only
  /// without a tag.
  func isRepeated(in headers: HTTPHeaders) -> Bool {
    switch self {
    case .etag(let text): headers.agreed("ETag").hasSameBytes(as: text)
    case .lastModified(let text): headers["ETag"] == nil && headers.agreed("Last-Modified") == text
    }
  }

  /// Whether a response has another one of the same kind. One with several proves nothing.
  fileprivate func isOther(in headers: HTTPHeaders) -> Bool {
    switch self {
    case .etag(let text): headers.agreed("ETag").map { Self.isStrong($0) && !$0.hasSameBytes(as: text) } ?? false
    case .lastModified(let text): headers["ETag"] == nil && headers.agreed("Last-Modified").map { $0 != text } ?? false
    }
  }

  /// The value of `If-Range`.
  var text: String {
    switch self {
    case .etag(let text), .lastModified(let text): text
    }
  }

  /// Whether a text is a strong entity tag, which can be sent back as it is. An empty one, which some servers send for every
  /// file, tells no two files apart.
  static func isStrong(_ etag: String) -> Bool {
    let bytes = etag.utf8Bytes
    guard (3...1024).contains(bytes.count), bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else {
      return false
    }
    for byte in bytes.dropFirst().dropLast() where byte <= 0x20 || byte == UInt8(ascii: "\"") || byte == 0x7F {
      return false
    }
    return true
  }
}
