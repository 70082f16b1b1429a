import NovaCore
import NovaCrypto

/// Digests of files.
enum FixtureDigest {
  /// Returns the size and SHA-256 of a file.
  static func ofFile(_ path: String) throws(FixtureError) -> (bytes: Int, sha256: String) {
    var file = try InputFile(path)
    var hash = try sha256()
    var count = 0
    while true {
      let piece = try file.piece()
      if piece.isEmpty { return (count, try Hexadecimal.encode(hash.finalized())) }
      if Task.isCancelled { throw .cancelled }
      hash.update(piece)
      count += piece.count
    }
  }

  static func sha256() throws(FixtureError) -> SHA256 {
    do throws(CryptoError) {
      return try SHA256()
    } catch {
      throw .failed(error.description)
    }
  }
}

extension SHA256 {
  consuming func finalized() throws(FixtureError) -> [UInt8] {
    do throws(CryptoError) {
      return try finalize()
    } catch {
      throw .failed(error.description)
    }
  }
}
