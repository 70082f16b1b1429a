@testable import NovaAuth
@testable import NovaCore
@testable import NovaCrypto
@testable import NovaSupport

/// The first byte says whether the rest is a sealed file, the content of one, or a key's text. Nothing but what was sealed
/// with the key is opened, and what is opened is sealed and opened again the same.
enum SessionsTarget {
  private static let key = [UInt8](repeating: 7, count: AESGCM.keyByteCount)

  static func check(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let rest = Array(bytes.dropFirst())
    switch first % 3 {
    case 0: require(open(rest) == nil, "bytes that nobody sealed are a session")
    case 1: checkContent(rest)
    default: checkKey(String(decoding: rest, as: UTF8.self))
    }
  }

  private static func checkContent(_ content: [UInt8]) {
    // The layout is that of SealedSession; a key check is 8 bytes.
    let check = mustSucceed("no HMAC") { try HMACSHA256.code(for: Array("nova session file".utf8), key: key).prefix(8) }
    let nonce = [UInt8](repeating: 1, count: AESGCM.nonceByteCount)
    let header = Array("NOVASESS".utf8) + [1] + check + nonce
    let sealed = mustSucceed("no encryption") {
      header + (try AESGCM.seal(content, key: key, nonce: nonce, authenticated: header))
    }
    guard let session = open(sealed) else { return }
    let again = mustSucceed("a session cannot be sealed") { try SealedSession.seal(session, key: key, path: "path") }
    require(open(again) == session, "a session is another one when it has been written and read")
    for place in [0, 8, 9, 17, 29, again.count - 1] {
      var damaged = again
      damaged[place] ^= 1
      require(open(damaged) == nil, "a session whose byte \(place) was changed is opened")
    }
  }

  private static func open(_ bytes: [UInt8]) -> StoredSession? {
    do throws(SessionStoreError) { return try SealedSession.open(bytes, key: key, path: "path") } catch {
      require("\(error)".isPrintable, "the error has control characters: \(error)")
      return nil
    }
  }

  private static func checkKey(_ text: String) {
    guard let bytes = SessionKey.bytes(of: text) else { return }
    require(bytes.count == AESGCM.keyByteCount, "a key of \(bytes.count) bytes")
    require(SessionKey.bytes(of: Hexadecimal.encode(bytes)) == bytes, "a key is another one in hexadecimal digits")
  }
}
