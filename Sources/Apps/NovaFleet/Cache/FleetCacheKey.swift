internal import NovaCrypto
internal import NovaSupport

/// What a value is, and whose. The store only has a digest of it.
public struct FleetCacheKey: Sendable, Hashable {
  /// Whose value it is: any text that is different for each identity, such as `Identity`'s description. Nil for a value
  /// that is the same for all, and is not encrypted.
  public var identity: String?
  /// What the value is, such as an RPC with its request, or a URL.
  public var name: String
  /// The version of the value's form. Programs with another one don't see the value.
  public var schema: Int

  /// Creates a key.
  public init(_ name: String, identity: String?, schema: Int) {
    (self.name, self.identity, self.schema) = (name, identity, schema)
  }

  /// The name in the store.
  ///
  /// - Parameter secret: what other owners of the store must know to find out the identity from the name.
  func digest(secret: [UInt8]) throws -> String {
    var bytes: [UInt8] = []
    for part in [String(schema), identity ?? "", name] { bytes += "\(part.utf8.count):\(part)".utf8 }
    bytes.append(identity == nil ? 0 : 1)
    let digest = try secret.isEmpty ? SHA256.digest(of: bytes) : HMACSHA256.code(for: bytes, key: secret)
    return Hexadecimal.encode(digest)
  }
}

/// Encrypts values before they leave the process, and binds each to its place.
public protocol FleetCacheSealing: Sendable {
  /// Encrypts bytes with the newest key, so that only ``open(_:place:)`` with the same place can decrypt them.
  func seal(_ bytes: [UInt8], place: [UInt8]) throws -> [UInt8]
  /// Decrypts bytes; nil if the key is not available anymore, or anything was changed.
  func open(_ bytes: [UInt8], place: [UInt8]) throws -> [UInt8]?
}
