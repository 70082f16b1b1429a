import NovaCore
import NovaCrypto

/// What responses are stored under: a URL, and the caller who may have them.
struct CacheKey: Sendable, Hashable {
  let url: HTTPURL
  /// Nil for everybody.
  let identity: Identity?
  /// Whether a name stands for the URL's query, which may be what allows a caller to have the response.
  var isNamed: Bool { url.target.utf8.contains(UInt8(ascii: "#")) }

  init(url: HTTPURL, identity: Identity?) {
    self.url = url
    self.identity = identity
  }

  /// The key of a resource whose URL has another query each time.
  ///
  /// - Parameter name: what identifies the resource besides its URL; nil or empty for nothing.
  init(url: HTTPURL, named name: String?, identity: Identity?) {
    // No URL of a request has a fragment.
    self.init(url: name.orNilIfEmpty.map { url.withoutQuery(fragment: $0) } ?? url, identity: identity)
  }

  /// That of the responses that everybody may have.
  var shared: CacheKey { CacheKey(url: url, identity: nil) }

  /// Whether the caller has a token.
  var isAuthorized: Bool { identity.map { !$0.isAnonymous } ?? false }

  /// How the names of the key's files begin. They reveal neither the URL, which may contain secrets, nor the caller.
  ///
  /// - Throws: if the system has no libcrypto.
  var filePrefix: String {
    get throws {
      let owner = try identity.map { Hexadecimal.encode(Array(try $0.digest.prefix(16))) } ?? "shared"
      return try "\(url.filePrefix)\(owner)-"
    }
  }

  fileprivate static func digest(_ text: String, count: Int) throws -> String {
    Hexadecimal.encode(Array(try SHA256.digest(of: Array(text.utf8)).prefix(count)))
  }
}

extension HTTPURL {
  /// How the names of a URL's files begin, for all who may have them.
  var filePrefix: String {
    get throws { try "\(CacheKey.digest(text, count: 20))-" }
  }
}

extension [SelectingField] {
  /// The part of a file's name that keeps the variants of a response apart.
  var fileSuffix: String {
    get throws {
      if isEmpty { return Self.noFileSuffix }
      let text = map { "\($0.name)\n\($0.value.map { "=\($0)" } ?? "")" }.joined(separator: "\n\n")
      return try CacheKey.digest(text, count: 8)
    }
  }

  /// That of a response that is the same for all requests.
  static var noFileSuffix: String { "0" }
}
