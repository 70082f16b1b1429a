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
    if let validator, validator.isOther(in: headers) { return .refuted }
    if digest != nil, digest == other { return .proven }
    guard !needsDigest, let validator, validator.isRepeated(in: headers), isAt(landing) else { return .unknown }
    return .proven
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

  /// Whether a response contains the same validator. A modification time need not be old enough again, and counts only
  /// without a tag.
  func isRepeated(in headers: HTTPHeaders) -> Bool {
    switch self {
    case .etag(let text): headers.agreed("ETag").hasSameBytes(as: text)
    case .lastModified(let text): headers["ETag"] == nil && headers.agreed("Last-Modified") == text
    }
  }

  /// Whether a response contains a different validator of the same kind. A response with several proves nothing.
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

  /// Whether a text is a strong entity tag that can be sent back unchanged. Some servers send an empty tag for every
  /// file; it does not distinguish files.
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
