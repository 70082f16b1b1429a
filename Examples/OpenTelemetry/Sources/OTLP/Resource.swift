import NovaSDK

/// What all telemetry of this process has in common: its name, its version, where it runs.
public struct Resource: Sendable {
  /// The attributes, by OpenTelemetry's names.
  public var attributes: [String: String]

  /// Creates a resource of a service.
  public init(serviceName: String, _ attributes: [String: String] = [:]) {
    self.attributes = attributes.merging([
      "service.name": serviceName, "telemetry.sdk.language": "swift", "telemetry.sdk.name": "otlp-example",
      "telemetry.sdk.version": "1.0",
    ]) { $1 }
  }

  /// Reads `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` (`key=value,key=value`, values percent-encoded).
  public init(environment: [String: String], serviceName: String) throws {
    let pairs = try Pairs(environment["OTEL_RESOURCE_ATTRIBUTES"] ?? "", of: "OTEL_RESOURCE_ATTRIBUTES")
    let attributes = Dictionary(pairs.list) { $1 }
    let named = environment["OTEL_SERVICE_NAME"] ?? ""
    self.init(serviceName: named.isEmpty ? attributes["service.name"] ?? serviceName : named, attributes)
  }

  var encoded: JSONValue { ["attributes": .attributes(attributes.map { ($0.key, $0.value) })] }
}

/// A variable of OpenTelemetry that cannot be used.
public struct TelemetryError: Error, CustomStringConvertible {
  public let description: String
}

/// The pairs in `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_EXPORTER_OTLP_HEADERS`.
struct Pairs {
  var list: [(String, String)] = []

  init(_ text: String, of variable: String) throws {
    for part in text.split(separator: ",") {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = sides[0].trimmed
      // Not the text itself: headers are secrets.
      guard sides.count == 2, !name.isEmpty, let value = sides[1].trimmed.percentDecoded else {
        throw TelemetryError(description: "\(variable) is invalid: expected key=value,key=value, percent-encoded")
      }
      list.append((name, value))
    }
  }
}

extension Substring {
  fileprivate var trimmed: String {
    let space: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    return String(drop(while: space).reversed().drop(while: space).reversed())
  }
}

extension String {
  /// The text behind percent-encoding; nil if it is not valid.
  fileprivate var percentDecoded: String? {
    var bytes: [UInt8] = []
    var rest = utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let code = UInt8(String(rest.prefix(2)) ?? "", radix: 16) else { return nil }
      bytes.append(code)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
