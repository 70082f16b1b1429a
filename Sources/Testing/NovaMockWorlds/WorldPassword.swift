public import NovaCore
package import NovaMock

/// The password of every account in a world. It is test data, not a secret: everyone who has the world can read it.
///
/// ```swift
/// let backend = MockBackend(dataSet: .world(world, password: try WorldPassword("another-password")))
/// ```
public struct WorldPassword: Sendable, Hashable {
  /// The password if no other was chosen: `fixture-password`.
  public static let standardText = "fixture-password"
  private static let salt = Array("salt of fixture worlds".utf8)

  /// The password ``standardText``.
  public static let standard = WorldPassword(
    hash: PasswordHash(
      salt: salt,
      key: [
        0x02, 0x35, 0xb2, 0xe0, 0xdb, 0x2f, 0x4e, 0x24, 0xa0, 0xe1, 0x85, 0x02, 0xd3, 0xb0, 0xc5, 0xed,
        0xa1, 0x12, 0x3c, 0x66, 0xb2, 0xed, 0xc8, 0x81, 0x2b, 0xcb, 0x67, 0x79, 0xc7, 0x70, 0x5c, 0xb9,
      ]))

  package let hash: PasswordHash

  package init(hash: PasswordHash) { self.hash = hash }

  /// Creates a password.
  ///
  /// - Parameter text: 8 to 1,024 bytes, as the contract requires of a password.
  /// - Throws: ``WorldPasswordError`` for any other length, or without OpenSSL's libcrypto.
  public init(_ text: String) throws(WorldPasswordError) {
    guard 8...1024 ~= text.utf8.count else {
      throw WorldPasswordError("invalid password: it has \(text.utf8.count) bytes; expected 8 to 1,024")
    }
    do {
      hash = try PasswordHash(of: text, salt: Self.salt)
    } catch {
      throw WorldPasswordError("cannot derive a key from the password: \(error); install OpenSSL's libcrypto")
    }
  }

  /// Creates a password from its stored form; nil for any other text.
  package init?(stored text: String) {
    guard let key = Base64.decode(text), key.count == Self.standard.hash.key.count else { return nil }
    self.init(hash: PasswordHash(salt: Self.salt, key: key))
  }

  /// The stored form, from which the password cannot be read.
  package var stored: String { String(decoding: Base64.encode(hash.key), as: UTF8.self) }
}

/// Why a text cannot be the password of a world.
public struct WorldPasswordError: NovaError, Hashable {
  /// The problem, without the password.
  public let description: String

  init(_ description: String) { self.description = description }
}
