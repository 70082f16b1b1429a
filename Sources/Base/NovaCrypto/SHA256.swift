import CNovaOpenSSL

/// SHA-256 (FIPS 180), at once or in pieces.
///
/// ```swift
/// var hash = try SHA256()
/// while let chunk = try file.read() { hash.update(chunk) }
/// let digest = try hash.finalize()
/// ```
package struct SHA256: ~Copyable, @unchecked Sendable {
  // Sendable, because the context has no other owner: this value cannot be copied.
  private let context: UnsafeMutableRawPointer
  private var hasFailed = false

  /// The size of a digest in bytes.
  package static let byteCount = Int(NOVA_SHA256_SIZE)

  /// Starts a digest.
  package init() throws(CryptoError) {
    try CryptoError.requireLibrary()
    guard let context = nova_sha256_new() else { throw .failed("a SHA-256 digest") }
    self.context = context
  }

  private init(_ context: UnsafeMutableRawPointer, hasFailed: Bool) {
    self.context = context
    self.hasFailed = hasFailed
  }

  deinit { nova_sha256_free(context) }

  /// Creates another digest of the same bytes so far, which continues independently.
  package borrowing func copy() throws(CryptoError) -> SHA256 {
    guard let copy = nova_sha256_copy(context) else { throw .failed("a SHA-256 digest") }
    return SHA256(copy, hasFailed: hasFailed)
  }

  /// Adds bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    if !nova_sha256_update(context, bytes.baseAddress, bytes.count) { hasFailed = true }
  }

  /// Adds bytes.
  package mutating func update(_ bytes: some Sequence<UInt8>) {
    let isDone: Void? = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) }
    if isDone == nil { Array(bytes).withUnsafeBytes { update($0) } }
  }

  /// The digest of all added bytes.
  package consuming func finalize() throws(CryptoError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Self.byteCount)
    guard nova_sha256_finish(context, &digest), !hasFailed else { throw .failed("a SHA-256 digest") }
    return digest
  }

  /// The digest of `bytes`.
  package static func digest(of bytes: some Sequence<UInt8>) throws(CryptoError) -> [UInt8] {
    var hash = try SHA256()
    hash.update(bytes)
    return try hash.finalize()
  }
}
