import NovaCrypto

extension Identity {
  /// Stands for the identity on the disk: a SHA-256 digest of its parts, from which neither can be read.
  ///
  /// - Throws: if the system has no libcrypto.
  package var digest: [UInt8] {
    get throws {
      let parts =
        switch caller {
        case .user(let id): ["user", id]
        case .token(let fingerprint): ["token", fingerprint]
        case .anonymous: ["anonymous"]
        }
      // With their lengths: no text of one part can stand for another.
      let text = ([gateway] + parts).map { "\($0.utf8.count):\($0)" }.joined()
      return try SHA256.digest(of: Array(text.utf8))
    }
  }
}
