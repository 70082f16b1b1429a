public import NovaCore

/// The seed of generated data: `nova1:42` is scheme 1, number 42.
///
/// Every value is a keyed hash of the scheme, the number, the entity, and the field. A scheme never changes its
/// meaning: the same seed gives the same values in every version of the SDK that supports its scheme, and new fields
/// and entities don't change existing values.
public struct Seed: Sendable, Hashable, LosslessStringConvertible {
  /// The algorithm that generates values.
  public enum Scheme: Int, Sendable, Hashable, CaseIterable {
    case nova1 = 1

    /// The scheme for new data.
    public static let latest = nova1
  }

  /// The algorithm that generates values.
  public let scheme: Scheme
  /// The number.
  public let number: UInt64

  /// Creates a seed from a number. Default scheme: the latest.
  public init(_ number: UInt64, scheme: Scheme = .latest) {
    self.scheme = scheme
    self.number = number
  }

  /// Parses `nova1:42`.
  ///
  /// - Throws: ``SeedError``.
  public init(parsing text: String) throws(SeedError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].hasPrefix("nova"), let version = Self.number(parts[0].dropFirst(4)) else {
      throw SeedError(text, "expected nova1: and a number, such as nova1:42")
    }
    guard let scheme = Int(exactly: version).flatMap(Scheme.init) else {
      throw SeedError(
        text, "supported schemes are \(Scheme.allCases.map { "nova\($0.rawValue)" }.joined(separator: ", "))")
    }
    guard let number = Self.number(parts[1]) else {
      throw SeedError(text, "expected a number from 0 to \(UInt64.max) after the colon")
    }
    self.init(number, scheme: scheme)
  }

  /// Parses `nova1:42`; nil for anything else.
  public init?(_ description: String) {
    guard let seed = try? Seed(parsing: description) else { return nil }
    self = seed
  }

  /// `nova1:42`
  public var description: String { "nova\(scheme.rawValue):\(number)" }

  /// Parses digits only: `+42` and `042` would be other texts for the same seed.
  private static func number(_ text: Substring) -> UInt64? {
    text == "0" || text.first != "0" ? UInt64(digits: text) : nil
  }
}

/// An invalid seed.
public struct SeedError: NovaError, Hashable {
  /// The text, and what was expected.
  public let description: String

  init(_ text: String, _ expected: String) { description = "invalid seed \"\(text.prefix(60))\": \(expected)" }
}
