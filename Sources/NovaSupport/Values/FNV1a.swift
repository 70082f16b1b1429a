/// The 64-bit FNV-1a hash. It is the same in every process, unlike `Hasher`. It detects mistakes, not forgery.
package enum FNV1a {
  package static func hash(of text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
