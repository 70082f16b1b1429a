import CNovaOpenSSL

extension [UInt8] {
  /// Bytes that nobody can guess, from the system.
  package static func random(count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
  }

  /// Whether both are the same, in a time that tells only their lengths: for codes and digests that are secret.
  package func equalsInConstantTime(_ other: [UInt8]) -> Bool {
    count == other.count && nova_equal_bytes(self, other, count)
  }
}
