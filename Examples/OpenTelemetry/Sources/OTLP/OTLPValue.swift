import NovaSDK
import Tracing

// OTLP in JSON: names in lowerCamelCase, 64-bit integers as strings, enumerations as numbers, IDs in hexadecimal.

extension JSONValue {
  /// A 64-bit integer, which JSON numbers cannot hold.
  static func int64(_ number: some BinaryInteger) -> JSONValue { .string(String(number)) }

  /// A number with a fraction. What is not finite has a name, as in all JSON of protobuf.
  static func double(_ number: Double) -> JSONValue {
    if number.isNaN { return "NaN" }
    if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
    return .number("\(number)")
  }

  /// A list of key-value pairs, sorted, so that equal attributes have equal JSON.
  static func attributes(_ pairs: [(key: String, value: JSONValue)]) -> JSONValue {
    .array(pairs.sorted { $0.key < $1.key }.map { ["key": .string($0.key), "value": $0.value] })
  }

  /// The labels of a metric, or the attributes of a resource: texts.
  static func attributes(_ texts: [(String, String)]) -> JSONValue {
    attributes(texts.map { (key: $0.0, value: ["stringValue": .string($0.1)]) })
  }
}

extension SpanAttributes {
  /// The most attributes of a span or an event, as OpenTelemetry's SDKs have it.
  static let maximumCount = 128

  /// The attributes as key-value pairs, and how many were left out.
  var encoded: (JSONValue, dropped: Int) {
    var pairs: [(key: String, value: JSONValue)] = []
    forEach { name, attribute in pairs.append((name, attribute.encoded)) }
    pairs.sort { $0.key < $1.key }
    return (.attributes(Array(pairs.prefix(Self.maximumCount))), max(0, pairs.count - Self.maximumCount))
  }
}

extension SpanAttribute {
  /// The attribute as an `AnyValue`.
  fileprivate var encoded: JSONValue {
    switch self {
    case .int32(let number): ["intValue": .int64(number)]
    case .int64(let number): ["intValue": .int64(number)]
    case .double(let number): ["doubleValue": .double(number)]
    case .bool(let flag): ["boolValue": .bool(flag)]
    case .string(let text): ["stringValue": .string(text)]
    case .stringConvertible(let value): ["stringValue": .string("\(value)")]
    case .int32Array(let list): .list(list.map { ["intValue": .int64($0)] })
    case .int64Array(let list): .list(list.map { ["intValue": .int64($0)] })
    case .doubleArray(let list): .list(list.map { ["doubleValue": .double($0)] })
    case .boolArray(let list): .list(list.map { ["boolValue": .bool($0)] })
    case .stringArray(let list): .list(list.map { ["stringValue": .string($0)] })
    case .stringConvertibleArray(let list): .list(list.map { ["stringValue": .string("\($0)")] })
    default: [:]
    }
  }
}

extension JSONValue {
  fileprivate static func list(_ values: [JSONValue]) -> JSONValue { ["arrayValue": ["values": .array(values)]] }
}
