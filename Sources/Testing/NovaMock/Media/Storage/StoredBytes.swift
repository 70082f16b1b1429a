import NovaCore
import NovaCrypto

/// The beginning of a file, with its digest. An immutable value: each snapshot of a state keeps its own.
struct StoredBytes: Sendable {
  let file: MediaFile
  let count: Int64
  let digest: RunningDigest

  func isSame(as other: StoredBytes?) -> Bool { other.map { $0.file === file && $0.count == count } ?? false }
}

/// The digest of the bytes so far, from which the digest of more bytes continues.
final class RunningDigest: Sendable {
  private let hash: SHA256

  init(_ hash: consuming SHA256) { self.hash = hash }

  /// Returns a digest to add more bytes to.
  func continued() throws(MockFailure) -> SHA256 {
    do throws(CryptoError) { return try hash.copy() } catch { throw MockFailure(error) }
  }

  func value() throws(MockFailure) -> [UInt8] {
    do throws(CryptoError) { return try hash.copy().finalize() } catch { throw MockFailure(error) }
  }
}

/// A digest that bytes are added to.
final class DigestBuilder {
  private var hash: SHA256

  init(after stored: RunningDigest? = nil) throws(MockFailure) {
    if let stored {
      hash = try stored.continued()
    } else {
      do throws(CryptoError) { hash = try SHA256() } catch { throw MockFailure(error) }
    }
  }

  func update(_ bytes: UnsafeRawBufferPointer) { hash.update(bytes) }

  /// The digest of everything so far.
  func digest() throws(MockFailure) -> RunningDigest {
    do throws(CryptoError) { return RunningDigest(try hash.copy()) } catch { throw MockFailure(error) }
  }
}
