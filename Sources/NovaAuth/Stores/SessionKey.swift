import NovaCore

/// The key of a session's file.
public struct SessionKey: Sendable, Hashable {
  /// Where the key is.
  enum Place: Sendable, Hashable {
    case bytes([UInt8])
    case file(String)
  }

  let place: Place

  /// A key in the program's hands, for example from an environment variable or a secret manager.
  ///
  /// - Parameter text: 32 random bytes as 64 hexadecimal digits or in base64, as `openssl rand -hex 32` prints them. No
  ///   password: nothing slows down who tries them all.
  /// - Throws: ``SessionStoreError`` with the kind `invalidKey`; it does not show the text.
  public init(_ text: String) throws(SessionStoreError) {
    guard let bytes = Self.bytes(of: text) else {
      throw SessionStoreError(.invalidKey, "session key", Self.expectation)
    }
    place = .bytes(bytes)
  }

  private init(place: Place) { self.place = place }

  /// A key in a file, which is made with the first session that is stored. The file must belong to the user and be
  /// readable by nobody else.
  public static func file(_ path: String) -> SessionKey { SessionKey(place: .file(path)) }

  static let expectation =
    "expected 32 bytes as 64 hexadecimal digits or in base64. Make a key with `openssl rand -hex 32`."

  static func bytes(of text: String) -> [UInt8]? {
    var text = text[...]
    while let last = text.last, last.isWhitespace { text.removeLast() }
    guard text.utf8.count <= 64 else { return nil }
    let bytes = text.utf8.count == 64 ? Hexadecimal.decode(String(text)) : Base64.decode(String(text))
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
  /// The bytes; nil when they are to be in a file that is not there.
  func load(_ files: PrivateFiles) throws(SessionStoreError) -> [UInt8]? {
    switch place {
    case .bytes(let bytes): return bytes
    case .file(let path):
      guard let content = try files.read(path, limit: 1024) else { return nil }
      guard let bytes = Self.bytes(of: String(decoding: content, as: UTF8.self)) else {
        throw SessionStoreError(
          .invalidKey, path, "it holds no key: \(Self.expectation) Or remove it with the session, and sign in again.")
      }
      return bytes
    }
  }

  /// The bytes; makes the file if there is none. Of two processes that do so at once, both get the first one's key.
  func loadOrCreate(_ files: PrivateFiles) throws(SessionStoreError) -> [UInt8] {
    if let bytes = try load(files) { return bytes }
    guard case .file(let path) = place else { throw SessionStoreError(.invalidKey, "session key", Self.expectation) }
    let key = Hexadecimal.encode([UInt8].random(count: AESGCM.keyByteCount))
    try files.create(path, with: Array("\(key)\n".utf8))
    guard let bytes = try load(files) else {
      throw SessionStoreError(.missingKey, path, "it was made and is gone again. Try again.")
    }
    return bytes
  }
}
