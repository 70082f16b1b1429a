import NovaCrypto
import NovaSupport
import Testing

@Suite struct AESGCMTests {
  private struct Sample: Sendable {
    let key: String
    let nonce: String
    let bytes: String
    let authenticated: String
    let sealed: String
  }

  // Test cases 13 to 16 of the GCM specification, which use 256-bit keys and 96-bit nonces.
  private static let samples = [
    Sample(
      key: String(repeating: "00", count: 32), nonce: String(repeating: "00", count: 12), bytes: "", authenticated: "",
      sealed: "530f8afbc74536b9a963b4f1c4cb738b"),
    Sample(
      key: String(repeating: "00", count: 32), nonce: String(repeating: "00", count: 12),
      bytes: String(repeating: "00", count: 16), authenticated: "",
      sealed: "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"),
    Sample(
      key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", nonce: "cafebabefacedbaddecaf888",
      bytes: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
        + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255",
      authenticated: "",
      sealed: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
        + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad" + "b094dac5d93471bdec1a502270e3cc6c"),
    Sample(
      key: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308", nonce: "cafebabefacedbaddecaf888",
      bytes: "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
        + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39",
      authenticated: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
      sealed: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
        + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662" + "76fc6ece0f4e1768cddf8853bb2d551b"),
  ]

  @Test(arguments: samples.indices)
  func knownAnswers(index: Int) throws {
    let sample = Self.samples[index]
    let key = try #require(Hexadecimal.decode(sample.key))
    let nonce = try #require(Hexadecimal.decode(sample.nonce))
    let bytes = try #require(Hexadecimal.decode(sample.bytes))
    let authenticated = try #require(Hexadecimal.decode(sample.authenticated))
    let sealed = try AESGCM.seal(bytes, key: key, nonce: nonce, authenticated: authenticated)
    #expect(Hexadecimal.encode(sealed) == sample.sealed)
    #expect(try AESGCM.open(sealed, key: key, nonce: nonce, authenticated: authenticated) == bytes)
  }

  @Test func everyChangedBitShows() throws {
    let key = [UInt8].random(count: 32)
    let nonce = [UInt8].random(count: 12)
    let authenticated: [UInt8] = [1, 2, 3]
    let sealed = try AESGCM.seal(Array("secret".utf8), key: key, nonce: nonce, authenticated: authenticated)
    func opened(
      _ changed: [UInt8]? = nil, key otherKey: [UInt8]? = nil, nonce otherNonce: [UInt8]? = nil,
      authenticated others: [UInt8]? = nil
    ) throws -> [UInt8]? {
      try AESGCM.open(
        changed ?? sealed, key: otherKey ?? key, nonce: otherNonce ?? nonce, authenticated: others ?? authenticated)
    }
    #expect(try opened() == Array("secret".utf8))
    for bit in 0..<8 * sealed.count { #expect(try opened(sealed.flipped(bit)) == nil) }
    for bit in 0..<8 * key.count { #expect(try opened(key: key.flipped(bit)) == nil) }
    for bit in 0..<8 * nonce.count { #expect(try opened(nonce: nonce.flipped(bit)) == nil) }
    for bit in 0..<8 * 3 { #expect(try opened(authenticated: authenticated.flipped(bit)) == nil) }
    for count in 0..<sealed.count { #expect(try opened(Array(sealed[..<count])) == nil) }
    #expect(try opened(authenticated: []) == nil)
  }

  @Test func keysAndNoncesOfAnotherSizeAreRefused() throws {
    let key = [UInt8](repeating: 1, count: 32)
    let nonce = [UInt8](repeating: 1, count: 12)
    for (key, nonce) in [(Array(key.dropLast()), nonce), (key + [1], nonce), (key, []), (key, nonce + [1])] {
      #expect(throws: CryptoError.failed("an AES-256-GCM encryption")) {
        try AESGCM.seal([1], key: key, nonce: nonce)
      }
      #expect(try AESGCM.open([UInt8](repeating: 0, count: 20), key: key, nonce: nonce) == nil)
    }
  }
}

extension [UInt8] {
  fileprivate func flipped(_ bit: Int) -> [UInt8] {
    var bytes = self
    bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    return bytes
  }
}
