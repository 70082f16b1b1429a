package import NovaCore
import NovaCrypto

/// The file format of an encrypted session.
///
/// ```
/// "NOVASESS"  version  key check  nonce     session, encrypted  tag
/// 8 bytes     1        8          12        …                   16
/// ```
/// Everything before the encrypted part is authenticated with it.
enum SealedSession {
  /// Much more than tokens need. A larger file is not a session.
  static let maximumByteCount = 65_536
  private static let magic = "NOVASESS".utf8Bytes
  private static let version: UInt8 = 1
  private static let keyCheckCount = 8
  private static var headerCount: Int { magic.count + 1 + keyCheckCount + AESGCM.nonceByteCount }

  static func seal(_ stored: StoredSession, key: [UInt8], path: String) throws(SessionStoreError) -> [UInt8] {
    do {
      let nonce = [UInt8].random(count: AESGCM.nonceByteCount)
      let header = magic + [version] + (try keyCheck(key)) + nonce
      let bytes = header + (try AESGCM.seal(stored.jsonUTF8(), key: key, nonce: nonce, authenticated: header))
      guard bytes.count <= maximumByteCount else {
        throw SessionStoreError(
          .tooLarge, at: path, "the session has \(bytes.count) bytes; at most \(maximumByteCount) can be stored")
      }
      return bytes
    } catch let error as SessionStoreError {
      throw error
    } catch {
      throw SessionStoreError(.noCryptography, at: path, "cannot encrypt it: \(error)")
    }
  }

  static func open(_ bytes: [UInt8], key: [UInt8], path: String) throws(SessionStoreError) -> StoredSession {
    guard bytes.count >= headerCount + AESGCM.tagByteCount, bytes.part(0..<magic.count) == magic else {
      throw damaged(path, "it is truncated, or not a session")
    }
    guard bytes[magic.count] == version else {
      throw SessionStoreError(
        .unknownVersion, at: path,
        "it has version \(bytes[magic.count]), but this program supports \(version); use a newer program, or sign in again"
      )
    }
    let opened: [UInt8]?
    do {
      let check = bytes.part((magic.count + 1)..<(magic.count + 1 + keyCheckCount))
      guard check.equalsInConstantTime(try keyCheck(key)) else {
        throw SessionStoreError(
          .wrongKey, at: path, "it was written with another key; use that key, or remove the file and sign in again")
      }
      let header = bytes.part(0..<headerCount)
      opened = try AESGCM.open(
        bytes.part(headerCount..<bytes.count), key: key,
        nonce: header.part((headerCount - AESGCM.nonceByteCount)..<headerCount),
        authenticated: header)
    } catch let error as SessionStoreError {
      throw error
    } catch {
      throw SessionStoreError(.noCryptography, at: path, "cannot decrypt it: \(error)")
    }
    guard let opened, let stored = StoredSession(jsonUTF8: opened) else {
      throw damaged(path, "its content was modified")
    }
    return stored
  }

  /// Distinguishes a wrong key from a damaged file, without revealing the key.
  private static func keyCheck(_ key: [UInt8]) throws(CryptoError) -> [UInt8] {
    try HMACSHA256.code(for: "nova session file".utf8Bytes, key: key).part(0..<keyCheckCount)
  }

  private static func damaged(_ path: String, _ what: String) -> SessionStoreError {
    SessionStoreError(.damaged, at: path, "\(what); remove it and sign in again")
  }
}

extension [UInt8] {
  /// The bytes of a range.
  @inline(never)
  func part(_ range: Range<Int>) -> [UInt8] { Array(self[range]) }
}

extension StoredSession {
  /// The session as JSON, with its tokens: to be encrypted.
  package func jsonUTF8() throws(ProtoJSONError) -> [UInt8] {
    let user = try JSONValue(jsonUTF8: try session.user.jsonUTF8())
    return JSONValue.members(
      ("origin", .string(origin)), ("access_token", .string(session.accessToken.secretValue)),
      ("refresh_token", .string(session.refreshToken.secretValue)),
      ("expires_at", .number(String(session.expiresAt))), ("user", user),
      // Earlier versions ignore it.
      ("server_clock", serverClock.map(\.json))
    ).jsonUTF8
  }

  /// Creates a session from the result of ``jsonUTF8()``; nil for anything else.
  package init?(jsonUTF8 bytes: [UInt8]) {
    guard let json = try? JSONValue(jsonUTF8: bytes), let origin = json.text("origin"),
      let access = json.text("access_token"), let accessToken = try? AccessToken(access),
      let refreshToken = json.text("refresh_token").flatMap(RefreshToken.init),
      let expiresAt = json["expires_at"]?.integerValue,
      let user = json["user"].flatMap({ try? User(jsonUTF8: $0.jsonUTF8) })
    else { return nil }
    self.init(
      session: Session(
        accessToken: accessToken, refreshToken: refreshToken, expiresAt: Int64(expiresAt), user: user),
      origin: origin, serverClock: json["server_clock"].flatMap(ServerClock.init))
  }
}

extension ServerClock {
  fileprivate var json: JSONValue {
    .members(("seconds_ahead", .number(String(secondsAhead))), ("read_at", .number(String(readAt))))
  }

  fileprivate init?(json: JSONValue) {
    guard let secondsAhead = json["seconds_ahead"]?.integerValue, let readAt = json["read_at"]?.integerValue else {
      return nil
    }
    self.init(secondsAhead: Int64(secondsAhead), readAt: Int64(readAt))
  }
}
