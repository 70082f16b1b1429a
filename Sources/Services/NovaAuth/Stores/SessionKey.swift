import NovaCore
import NovaCrypto

/// The encryption key of a session file.
public struct SessionKey: Sendable {
  /// The source of the key.
  enum Place: Sendable {
    case bytes([UInt8])
    case file(String)
  }

  let place: Place

  /// Creates a key from text, for example from an environment variable or a secret manager.
  ///
  /// - Parameter text: 32 random bytes as 64 hexadecimal digits or in base64, as `openssl rand -hex 32` prints them. Do
  ///   not use a password: it could be guessed.
  /// - Throws: ``SessionStoreError`` with the kind `invalidKey`, which does not contain the text.
  public init(_ text: String) throws(SessionStoreError) {
    guard let bytes = Self.bytes(of: text) else {
      throw SessionStoreError(.invalidKey, at: "session key", Self.expectation)
    }
    place = .bytes(bytes)
  }

  private init(place: Place) { self.place = place }

  /// A key in a file, which is created with the first session. The file must belong to the user, and only the user may
  /// have access.
  public static func file(_ path: String) -> SessionKey { SessionKey(place: .file(path)) }

  static let expectation =
    "expected 32 bytes as 64 hexadecimal digits or in base64; create a key with `openssl rand -hex 32`"

  static func bytes(of text: String) -> [UInt8]? {
    let text = text.trimmed(keepsStart: true)
    guard text.utf8.count <= 64 else { return nil }
    let bytes = text.utf8.count == 64 ? Hexadecimal.decode(text) : Base64.decode(text)
    return bytes?.count == AESGCM.keyByteCount ? bytes : nil
  }
}

extension SessionKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String {
    if case .file(let path) = place {
      "SessionKey(file: \(path.printable(to: 200)))"
    } else {
      "SessionKey(\(SecretText.mask))"
    }
  }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension SessionKey {
  /// Returns the bytes; nil if the key file does not exist.
  @inline(never)
  func load(_ files: PrivateFiles) throws(SessionStoreError) -> [UInt8]? {
    switch place {
    case .bytes(let bytes): return bytes
    case .file(let path):
      guard let content = try files.read(path, limit: 1024) else { return nil }
      guard let bytes = Self.bytes(of: String(decoding: content, as: UTF8.self)) else {
        throw SessionStoreError(
          .invalidKey, at: path,
          "invalid key: \(Self.expectation), or remove the file and the session and sign in again")
      }
      return bytes
    }
  }

  /// Returns the bytes, and creates the key file if it does not exist. Concurrent processes get the same key.
  func loadOrCreate(_ files: PrivateFiles) throws(SessionStoreError) -> [UInt8] {
    if let bytes = try load(files) { return bytes }
    guard case .file(let path) = place else {
      throw SessionStoreError(.invalidKey, at: "session key", Self.expectation)
    }
    let key = Hexadecimal.encode([UInt8].random(count: AESGCM.keyByteCount))
    try files.create(path, with: "\(key)\n".utf8Bytes)
    guard let bytes = try load(files) else {
      throw SessionStoreError(.missingKey, at: path, "it was created and then removed; try again")
    }
    return bytes
  }
}
