import NovaCore
import NovaCrypto

/// What the bytes of an unfinished download are a part of.
struct PartRecord: Sendable, Hashable {
  /// Stands for the URL, which may contain secrets.
  var place: String
  var head: MediaHead

  init(url: HTTPURL, head: MediaHead) {
    place = Self.place(of: url)
    self.head = head
  }

  /// Reads a record; nil for anything else, such as a validator, a size or a digest that no server sends.
  init?(_ bytes: [UInt8]) {
    guard let json = try? JSONValue(jsonUTF8: bytes), let place = json["place"]?.stringValue else { return nil }
    self.place = place
    let (etag, modified) = (json["strong_etag"]?.stringValue, json["last_modified"]?.stringValue)
    let digest = json["sha256"]?.stringValue.map(Hexadecimal.decode)
    guard etag.map(MediaValidator.isStrong) ?? true, modified.map({ HTTPDate.seconds($0) != nil }) ?? true,
      json["size"]?.integerValue ?? 0 >= 0, digest.map({ $0?.count == SHA256.byteCount }) ?? true
    else { return nil }
    head = MediaHead(
      contentType: json["content_type"]?.stringValue, etag: json["etag"]?.stringValue,
      validator: etag.map { .etag($0) } ?? modified.map { .lastModified($0) }, total: json["size"]?.integerValue)
    head.digest = digest ?? nil
  }

  var json: [UInt8] {
    var members: [JSONValue.Member] = [.init(name: "place", value: .string(place))]
    func add(_ name: String, _ text: String?) {
      if let text { members.append(.init(name: name, value: .string(text))) }
    }
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
