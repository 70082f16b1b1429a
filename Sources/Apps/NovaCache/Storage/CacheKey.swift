import NovaCore
import NovaCrypto

/// The key of stored responses: a URL, and the caller who may have them.
struct CacheKey: Sendable, Hashable {
  let url: HTTPURL
  /// The caller; nil for all callers.
  let identity: Identity?
  /// Whether a name replaces the URL's query, which may be what grants a caller access.
  var isNamed: Bool { url.target.utf8.contains(UInt8(ascii: "#")) }

  /// The key of a resource whose URL has a different query each time.
  ///
  /// - Parameter name: identifies the resource together with its URL; nil or empty for none.
  static func named(_ name: String?, at url: HTTPURL) -> CacheKey {
    // The URL of a request never has a fragment, so no request's key equals this one.
    CacheKey(url: name.orNilIfEmpty.map { url.withoutQuery(fragment: $0) } ?? url, identity: nil)
  }

  /// The key of responses for all callers.
  var shared: CacheKey { CacheKey(url: url, identity: nil) }

  /// Whether the caller has a token.
  var isAuthorized: Bool { identity.map { !$0.isAnonymous } ?? false }

  /// The prefix of the key's file names. It reveals neither the URL, which may contain secrets, nor the caller.
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
  /// The prefix of the URL's file names, for all callers.
  var filePrefix: String {
    get throws { try "\(CacheKey.digest(text, count: 20))-" }
  }
}

extension [SelectingField] {
  /// The part of a file name that distinguishes the variants of a response.
  var fileSuffix: String {
    get throws {
      if isEmpty { return Self.noFileSuffix }
      let text = map { "\($0.name)\n\($0.value.map { "=\($0)" } ?? "")" }.joined(separator: "\n\n")
      return try CacheKey.digest(text, count: 8)
    }
  }

  /// The suffix for a response without variants.
  static var noFileSuffix: String { "0" }
}
