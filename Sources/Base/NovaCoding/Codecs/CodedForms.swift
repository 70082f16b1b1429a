import NovaSupport

// The forms of values in Foundation's coders, where Swift's own `Codable` form differs from proto3 JSON.

/// An integer: read from a number or a string of digits, written as a number.
public struct CodedNumber<Number: FixedWidthInteger & Codable & Sendable>: Codable, Sendable {
  /// The integer; a value outside its type's range becomes the nearest bound.
  public let value: Number
  // The value that does not fit. `encode(to:)` throws for it, because it can throw and `init` cannot.
  private let misfit: Int?

  init(value: Number) {
    self.value = value
    misfit = nil
  }

  init(checking integer: Int) {
    value = Number(clamping: integer)
    misfit = Number(exactly: integer) == nil ? integer : nil
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    misfit = nil
    // The number first: a failure of Foundation's decoder costs more than a whole message, and strings are rare.
    do { value = try container.decode(Number.self) } catch {
      guard let text = try? container.decode(String.self) else { throw error }
      value = try container.convert(text, to: "an integer that fits \(Number.self)") { text in
        DecimalNumber(text)?.integer.flatMap { Number(exactly: $0) }
      }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    if let misfit {
      throw encoder.invalid(misfit, expected: "an integer from \(Number.min) to \(Number.max)")
    }
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

/// Unix seconds: read from a number, digits, or an ISO 8601 time; written as a number.
public struct CodedUnixSeconds: Codable, Sendable {
  /// The seconds.
  public let value: Int64

  init(value: Int64) { self.value = value }

  public init(from decoder: any Decoder) throws {
    do { value = try CodedNumber<Int64>(from: decoder).value } catch {
      let container = try decoder.singleValueContainer()
      guard let text = try? container.decode(String.self), let time = Timestamp(lenient: text) else { throw error }
      value = time.seconds
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

/// A floating-point number. NaN and the infinities are strings.
public struct CodedFloatingPoint<Number: BinaryFloatingPoint & LosslessStringConvertible & Codable & Sendable>:
  Codable, Sendable
{
  /// The number.
  public let value: Number

  init(value: Number) { self.value = value }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do { value = try container.decode(Number.self) } catch {
      guard let text = try? container.decode(String.self) else { throw error }
      value = try container.convert(text, to: "a number that fits \(Number.self)") { Number(protoJSON: $0) }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if value.isNaN {
      try container.encode("NaN")
    } else if value.isInfinite {
      try container.encode(value < 0 ? "-Infinity" : "Infinity")
    } else {
      try container.encode(value)
    }
  }
}

/// Bytes as base64.
public struct CodedBytes: Codable, Sendable {
  /// The bytes.
  public let value: [UInt8]

  init(value: [UInt8]) { self.value = value }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    value = try container.convert(try container.decode(String.self), to: "base64") {
      Base64.decode($0, ignoresUnusedBits: true)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(String(decoding: Base64.encode(value), as: UTF8.self))
  }
}

extension SingleValueDecodingContainer {
  func convert<Value>(
    _ text: String, to expected: String, _ parse: (String) -> Value?
  ) throws -> Value {
    guard let value = parse(text) else {
      throw DecodingError.dataCorruptedError(
        in: self, debugDescription: "Expected \(expected), found \"\(text.shortened(to: 40))\"")
    }
    return value
  }
}

extension Encoder {
  func invalid(_ value: Any, expected: String) -> EncodingError {
    .invalidValue(value, .init(codingPath: codingPath, debugDescription: "Expected \(expected)"))
  }
}
