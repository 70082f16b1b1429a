import NovaCore
import NovaCrypto

/// What responses are stored under: a URL, and the account that may have them.
struct CacheKey: Sendable, Hashable {
  let url: HTTPURL
  let partition: String?

  /// How the names of the key's files begin. They do not reveal the URL, which may contain secrets.
  ///
  /// - Throws: if the system has no libcrypto.
  var filePrefix: String {
    get throws { try "\(url.filePrefix)\(Self.digest(partition.map { "=\($0)" } ?? "", count: 8))-" }
  }

  fileprivate static func digest(_ text: String, count: Int) throws -> String {
    Hexadecimal.encode(Array(try SHA256.digest(of: Array(text.utf8)).prefix(count)))
  }
}

extension HTTPURL {
  /// How the names of a URL's files begin, whatever their partition.
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
