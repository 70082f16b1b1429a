import NovaCore

/// Validates single values against the types of their fields, by the rules of the SDK's reader.
struct ValueCheck {
  let binding: HTTPBinding

  /// Returns the difference of a value that is not a message; nil for a valid value.
  func difference(of value: JSONValue, as field: FieldDescriptor, at path: String) -> Finding? {
    let (verdict, expected): (Verdict?, String) =
      switch field.kind {
      case .bool: (value == .bool(true) || value == .bool(false) ? nil : Self.wrongType, "true or false")
      case .string: (value.stringValue == nil ? Self.wrongType : nil, "a string")
      case .bytes: (value.stringValue.flatMap(Base64.decode) == nil ? Self.wrongType : nil, "base64")
      case .double, .float: (floatingPoint(value, field.kind), "a number")
      case .unixSeconds: (unixSeconds(value), "Unix seconds")
      case .timestamp: (timestamp(value), "an ISO 8601 time, as 2025-12-01T10:00:00Z")
      case .enumeration: (enumeration(value), "an enum's name")
      case .message: (nil, "")
      default: (integer(value, field.kind), integerDescription(field.kind))
      }
    let found = field.isSecret ? "another value (hidden)" : value.kindDescription
    return verdict.map { Finding($0.kind, $0.grade, at: path, expected: expected, found: found) }
  }

  private typealias Verdict = (kind: ContractDifference.Kind, grade: ContractDifference.Grade)

  private static let wrongType: Verdict = (.wrongType, .breaking)

  private func integer(_ value: JSONValue, _ kind: FieldKind) -> Verdict? {
    let (text, isString): (String, Bool)
    switch value {
    case .number(let digits): (text, isString) = (digits, false)
    case .string(let digits): (text, isString) = (digits, true)
    default: return Self.wrongType
    }
    guard let number = DecimalNumber(text) else { return Self.wrongType }
    guard let whole = number.integer, kind.integers.contains(whole) else { return (.outOfRange, .breaking) }
    if kind.is64Bit, isString != binding.writesInt64AsString { return (.int64Form, .tolerated) }
    let isPlain = text.utf8.allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
    if !isPlain || isString && !kind.is64Bit { return (.numberForm, .tolerated) }
    return nil
  }

  private func floatingPoint(_ value: JSONValue, _ kind: FieldKind) -> Verdict? {
    switch value {
    case .number(let text): return isFinite(text, kind) ? nil : (.outOfRange, .breaking)
    case .string("NaN"), .string("Infinity"), .string("-Infinity"): return nil
    case .string(let text) where DecimalNumber(text) != nil:
      return isFinite(text, kind) ? (.numberForm, .tolerated) : (.outOfRange, .breaking)
    default: return Self.wrongType
    }
  }

  private func isFinite(_ text: String, _ kind: FieldKind) -> Bool {
    kind == .float ? Float(text)?.isFinite ?? false : Double(text)?.isFinite ?? false
  }

  /// Later than this, seconds are probably milliseconds: the year 5138.
  private static let lastPlausibleSecond: UInt64 = 100_000_000_000

  private func unixSeconds(_ value: JSONValue) -> Verdict? {
    if case .string(let text) = value, Timestamp(text) != nil { return (.timestampForm, .tolerated) }
    if let verdict = integer(value, .int64), verdict.grade == .breaking { return verdict }
    let text: String? = if case .number(let digits) = value { digits } else { value.stringValue }
    if let seconds = text.flatMap(DecimalNumber.init)?.integer, seconds.magnitude > Self.lastPlausibleSecond {
      return (.outOfRange, .breaking)
    }
    return integer(value, .int64)
  }

  private func timestamp(_ value: JSONValue) -> Verdict? {
    guard let text = value.stringValue, Timestamp(text) != nil else { return Self.wrongType }
    let time = text.dropFirst(10)
    let hasOffset = time.last == "Z" || time.dropLast(5).last == "+" || time.dropLast(5).last == "-"
    return time.first == "T" && hasOffset ? nil : (.timestampForm, .tolerated)
  }

  private func enumeration(_ value: JSONValue) -> Verdict? {
    if value.stringValue != nil { return nil }
    if case .number = value, integer(value, .int32)?.grade != .breaking { return (.enumForm, .tolerated) }
    return Self.wrongType
  }

  private func integerDescription(_ kind: FieldKind) -> String {
    guard kind.is64Bit else {
      return kind.isUnsigned ? "a whole number from 0, of 32 bits" : "a whole number of 32 bits"
    }
    return binding.writesInt64AsString ? "a 64-bit integer as a string" : "a 64-bit integer as a number"
  }
}

extension FieldKind {
  var is64Bit: Bool {
    switch self {
    case .int64, .uint64, .sint64, .fixed64, .sfixed64, .unixSeconds: true
    default: false
    }
  }

  var isUnsigned: Bool {
    switch self {
    case .uint32, .uint64, .fixed32, .fixed64: true
    default: false
    }
  }

  var isInteger: Bool {
    switch self {
    case .int32, .uint32, .sint32, .fixed32, .sfixed32: true
    default: is64Bit
    }
  }

  /// The integers that fit the type.
  fileprivate var integers: ClosedRange<Int128> {
    let limit = Int128(1) << (is64Bit ? 63 : 31)
    return isUnsigned ? 0...2 * limit - 1 : -limit...limit - 1
  }
}
