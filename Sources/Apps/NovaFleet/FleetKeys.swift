import NovaCrypto
internal import NovaCore

/// The keys with which machines seal what they store outside of their processes (AES-256-GCM), and derive names.
///
/// ```swift
/// let keys = try FleetKeys(names: namesKey, sealing: [("2026-11", newKey), ("2026-05", oldKey)])
/// ```
///
/// The first sealing key seals; all of them open. To rotate, first give every machine the new key in second place, then
/// move it to the front, and remove the old one when nothing sealed with it is left. The key of the names never
/// changes: with another one, nothing that is stored is found again.
public struct FleetKeys: Sendable {
  private struct SealingKey: Sendable {
    let id: [UInt8]
    let bytes: [UInt8]
  }

  private static let version: UInt8 = 1
  private let names: [UInt8]
  private let sealing: [SealingKey]

  /// Creates the keys.
  ///
  /// - Parameters:
  ///   - names: the key of the names: 32 random bytes as 64 hexadecimal digits or in base64, as `openssl rand -hex 32`
  ///     prints them.
  ///   - sealing: the sealing keys in the same form, each with an ID of 1 to 32 bytes that is stored with what it
  ///     seals. The first one seals.
  /// - Throws: ``FleetKeyError``, which contains no key.
  public init(names: String, sealing: [(id: String, key: String)]) throws(FleetKeyError) {
    guard !sealing.isEmpty else { throw FleetKeyError("no sealing key: pass at least one") }
    var keys: [SealingKey] = []
    for (id, key) in sealing {
      guard (1...32).contains(id.utf8.count) else {
        throw FleetKeyError("invalid ID of a sealing key: expected 1…32 bytes, got \(id.utf8.count)")
      }
      guard !keys.contains(where: { $0.id == Array(id.utf8) }) else {
        throw FleetKeyError("two sealing keys have the ID \(id.printable(to: 40)): give each its own")
      }
      keys.append(
        SealingKey(id: Array(id.utf8), bytes: try Self.bytes(of: key, "the sealing key \(id.printable(to: 40))")))
    }
    self.names = try Self.bytes(of: names, "the key of the names")
    self.sealing = keys
  }

  private static func bytes(of text: String, _ what: String) throws(FleetKeyError) -> [UInt8] {
    let bytes = text.utf8.count == 64 ? Hexadecimal.decode(text) : Base64.decode(text)
    guard let bytes, bytes.count == AESGCM.keyByteCount else {
      throw FleetKeyError(
        "\(what) is invalid: expected 32 bytes as 64 hexadecimal digits or in base64; "
          + "create a key with `openssl rand -hex 32`")
    }
    return bytes
  }

  // MARK: Names

  /// The name under which something is stored: 64 hexadecimal digits, which reveal neither argument without the key.
  ///
  /// - Parameters:
  ///   - text: what to name, such as a user's ID.
  ///   - purpose: what the name is for. The same text has another name for each purpose.
  /// - Throws: ``FleetKeyError`` if libcrypto is missing.
  public func name(of text: String, for purpose: String) throws(FleetKeyError) -> String {
    Hexadecimal.encode(try Self.code("nova fleet name 1\n\(purpose.utf8.count)\n\(purpose)\(text)", names))
  }

  private static func code(_ text: String, _ key: [UInt8]) throws(FleetKeyError) -> [UInt8] {
    do { return try HMACSHA256.code(for: Array(text.utf8), key: key) } catch { throw FleetKeyError("\(error)") }
  }

  // MARK: Sealing

  /// Encrypts bytes for one place. Only ``open(_:at:)`` with the same place opens them.
  ///
  /// ```
  /// version  length of ID  ID  nonce  encrypted  tag
  /// 1        1             …   12     …          16
  /// ```
  ///
  /// - Parameter place: where the bytes are stored, with whatever else they must not be moved to: a name, a generation.
  /// - Throws: ``FleetKeyError`` if libcrypto is missing.
  public func seal(_ bytes: [UInt8], at place: String) throws(FleetKeyError) -> [UInt8] {
    let key = sealing[0]
    let nonce = [UInt8].random(count: AESGCM.nonceByteCount)
    let header = [Self.version, UInt8(key.id.count)] + key.id + nonce
    do {
      return header
        + (try AESGCM.seal(bytes, key: key.bytes, nonce: nonce, authenticated: header + Array(place.utf8)))
    } catch { throw FleetKeyError("\(error)") }
  }

  /// Decrypts what ``seal(_:at:)`` returned.
  ///
  /// - Throws: ``FleetKeyError`` if the bytes were sealed with a key that is not here, for another place, or were
  ///   changed.
  public func open(_ sealed: [UInt8], at place: String) throws(FleetKeyError) -> [UInt8] {
    guard sealed.count > 2, sealed[0] == Self.version else {
      throw FleetKeyError("cannot decrypt a stored value: it has an unknown format")
    }
    let (idEnd, headerEnd) = (2 + Int(sealed[1]), 2 + Int(sealed[1]) + AESGCM.nonceByteCount)
    guard sealed.count >= headerEnd + AESGCM.tagByteCount else {
      throw FleetKeyError("cannot decrypt a stored value: it is truncated")
    }
    guard let key = sealing.first(where: { $0.id.elementsEqual(sealed[2..<idEnd]) }) else {
      let id = String(decoding: sealed[2..<idEnd], as: UTF8.self).printable(to: 40)
      throw FleetKeyError("cannot decrypt a stored value: the sealing key \(id) is missing; add it to the keys")
    }
    let opened: [UInt8]?
    do {
      opened = try AESGCM.open(
        Array(sealed[headerEnd...]), key: key.bytes, nonce: Array(sealed[idEnd..<headerEnd]),
        authenticated: Array(sealed[..<headerEnd]) + Array(place.utf8))
    } catch { throw FleetKeyError("\(error)") }
    guard let opened else {
      let id = String(decoding: key.id, as: UTF8.self).printable(to: 40)
      throw FleetKeyError(
        "cannot decrypt a stored value: it was changed or moved, or the sealing key \(id) has another value; "
          + "use the key that it was encrypted with")
    }
    return opened
  }
}

extension FleetKeys: CustomStringConvertible, CustomReflectable {
  /// The IDs of the sealing keys; never a key.
  public var description: String {
    let ids = sealing.map { String(decoding: $0.id, as: UTF8.self).printable(to: 40) }
    return "FleetKeys(\(ids.joined(separator: ", ")))"
  }
  public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}

/// The reason why keys cannot be used, and what to do. Never contains a key.
public struct FleetKeyError: NovaError, Hashable {
  /// What failed, why, and what to do.
  public let description: String

  init(_ description: String) { self.description = description }
}
