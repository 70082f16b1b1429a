import NovaCore
import NovaCrypto

/// The owner of an unfinished download's bytes.
enum PartOwner: Sendable, Hashable {
  /// All callers, because their server receives no token.
  case all
  /// One caller, identified by a digest.
  case caller(String)
  /// The owner is unknown.
  case unknown

  init(_ identity: Identity) {
    // Without libcrypto, there is no digest.
    self = (try? identity.digest).map { .caller(Hexadecimal.encode($0)) } ?? .unknown
  }
}

/// Describes the file that the bytes of an unfinished download are from.
struct PartRecord: Sendable, Hashable {
  /// Represents the URL, which may contain secrets.
  var place: String
  /// The caller's name for the file, such as the ID of an upload; nil if it passed only the URL.
  var source: String?
  /// Records of earlier versions have no owner, which reads as ``PartOwner/all``. For a file of a gateway, that matches
  /// no caller.
  var owner: PartOwner
  var head: MediaHead

  init(url: HTTPURL, source: String? = nil, owner: PartOwner = .all, head: MediaHead) {
    place = Self.place(of: url)
    self.source = source
    self.owner = owner
    self.head = head
  }

  /// How another download can use the bytes.
  enum Use: Hashable {
    /// The validator proves that they are from the same file.
    case withValidator
    /// Only an equal digest of the whole file proves that.
    case withDigest
  }

  /// How a download can use the bytes; nil if it cannot.
  ///
  /// A validator compares versions of one resource, and the query is part of a resource's name: `?id=1` and `?id=2` may
  /// both have the entity tag `"1"`. So a URL with a different query, such as one that was signed again, must be from
  /// the same source, or of a file with the same digest. Whatever the server confirms, bytes from a gateway are only
  /// for the caller that they were received for.
  func use(for url: HTTPURL, source: String?, owner: PartOwner = .all) -> Use? {
    guard isFor(owner) else { return nil }
    if place == Self.place(of: url) { return .withValidator }
    guard place.hasPrefix("\(url.textWithoutQuery)#"), head.validator != nil else { return nil }
    if let source, self.source.hasSameBytes(as: source) { return .withValidator }
    return head.digest == nil ? nil : .withDigest
  }

  /// Whether the bytes were received for this caller.
  func isFor(_ owner: PartOwner) -> Bool { self.owner == owner && owner != .unknown }

  /// Parses a record; nil for anything else, such as a validator, a size, or a digest that no server sends.
  init?(_ bytes: [UInt8]) {
    guard let json = try? JSONValue(jsonUTF8: bytes), let place = json["place"]?.stringValue else { return nil }
    self.place = place
    source = json["source"]?.stringValue
    owner = json["owner"]?.stringValue.map { $0.isEmpty ? .unknown : .caller($0) } ?? .all
    let (etag, modified) = (json["strong_etag"]?.stringValue, json["last_modified"]?.stringValue)
    let digest = json["sha256"]?.stringValue.map(Hexadecimal.decode)
    guard etag.map(MediaValidator.isStrong) ?? true, modified.map({ HTTPDate.seconds($0) != nil }) ?? true,
      json["size"]?.integerValue ?? 0 >= 0, digest.map({ $0?.count == SHA256.byteCount }) ?? true
    else { return nil }
    head = MediaHead(
      contentType: json["content_type"]?.stringValue, etag: json["etag"]?.stringValue,
      validator: etag.map { .etag($0) } ?? modified.map { .lastModified($0) }, total: json["size"]?.integerValue)
    head.digest = digest ?? nil
    // Earlier versions did not record it.
    head.landing = json["landing"]?.stringValue.map(MediaLanding.init(text:))
  }

  var json: [UInt8] {
    var members: [JSONValue.Member] = [.init(name: "place", value: .string(place))]
    func add(_ name: String, _ text: String?) {
      if let text { members.append(.init(name: name, value: .string(text))) }
    }
    add("source", source)
    switch owner {
    case .all: break
    case .caller(let digest): add("owner", digest)
    case .unknown: add("owner", "")
    }
    add("landing", head.landing?.text)
    add("content_type", head.contentType)
    add("etag", head.etag)
    switch head.validator {
    case .etag(let text)?: add("strong_etag", text)
    case .lastModified(let text)?: add("last_modified", text)
    case nil: break
    }
    if let total = head.total { members.append(.init(name: "size", value: .number(String(total)))) }
    add("sha256", head.digest.map { Hexadecimal.encode($0) })
    return JSONValue.object(members).jsonUTF8
  }

  /// The URL without its query, and a hash of the whole URL. Signed URLs differ in their queries, which are secret.
  static func place(of url: HTTPURL) -> String {
    "\(url.textWithoutQuery)#\(String(FNV1a.hash(of: url.text), radix: 16))"
  }
}
