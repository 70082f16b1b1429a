import NovaCore
import NovaCrypto

/// For whom the bytes of an unfinished download are.
enum PartOwner: Sendable, Hashable {
  /// For everybody: their server gets no token.
  case all
  /// For one caller, known by a digest.
  case caller(String)
  /// Nobody can tell.
  case unknown

  init(_ identity: Identity) {
    // Without libcrypto there is no digest.
    self = (try? identity.digest).map { .caller(Hexadecimal.encode($0)) } ?? .unknown
  }
}

/// What the bytes of an unfinished download are a part of.
struct PartRecord: Sendable, Hashable {
  /// Stands for the URL, which may contain secrets.
  var place: String
  /// What the caller calls the file, such as the ID of an upload; nil if it passed only the URL.
  var source: String?
  /// Records of earlier versions have none, which reads as ``PartOwner/all``: of a gateway's files they are nobody's.
  var owner: PartOwner
  var head: MediaHead

  init(url: HTTPURL, source: String? = nil, owner: PartOwner = .all, head: MediaHead) {
    place = Self.place(of: url)
    self.source = source
    self.owner = owner
    self.head = head
  }

  /// How the bytes can be used for another download.
  enum Use: Hashable {
    /// The validator proves that they are those of the same file.
    case withValidator
    /// Only an equal digest of the whole file proves it.
    case withDigest
  }

  /// How the bytes can be used for a download; nil if they cannot.
  ///
  /// A validator compares versions of one resource, and the query is a part of the resource's name: `?id=1` and `?id=2` may
  /// both have the entity tag `"1"`. So a URL with another query, such as one that was signed again, has to be that of the
  /// same source, or of a file with the same digest. Whatever the server confirms, a gateway's bytes are for the caller only
  /// for whom they were received.
  func use(for url: HTTPURL, source: String?, owner: PartOwner = .all) -> Use? {
    guard isFor(owner) else { return nil }
    if place == Self.place(of: url) { return .withValidator }
    guard place.hasPrefix("\(url.textWithoutQuery)#"), head.validator != nil else { return nil }
    if let source, self.source.hasSameBytes(as: source) { return .withValidator }
    return head.digest == nil ? nil : .withDigest
  }

  /// Whether the bytes were received for a caller.
  func isFor(_ owner: PartOwner) -> Bool { self.owner == owner && owner != .unknown }

  /// Reads a record; nil for anything else, such as a validator, a size or a digest that no server sends.
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

  /// The URL without its query, and a hash of all of it: signed URLs differ in their queries, which are secret.
  static func place(of url: HTTPURL) -> String {
    "\(url.textWithoutQuery)#\(String(FNV1a.hash(of: url.text), radix: 16))"
  }
}
