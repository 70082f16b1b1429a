internal import NovaCore
internal import NovaCrypto

/// A name that no other machine chooses: of an owner, a write, an epoch.
enum RandomName {
  /// 32 hexadecimal digits.
  static func make() -> String { Hexadecimal.encode([UInt8].random(count: 16)) }
}
