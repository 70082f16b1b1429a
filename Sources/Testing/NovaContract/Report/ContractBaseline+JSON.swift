public import NovaCore

/// Why a text is not a baseline.
public struct ContractBaselineError: NovaError, Hashable {
  /// The problem, and what was expected.
  public let description: String
}

extension ContractBaseline {
  private static let version = 1

  /// Reads a baseline.
  public init(jsonUTF8 bytes: [UInt8]) throws(ContractBaselineError) {
    let json: JSONValue
    do throws(ProtoJSONError) {
      json = try JSONValue(jsonUTF8: bytes)
    } catch {
      throw ContractBaselineError(
        description: "invalid JSON at \(error.line):\(error.column): expected \(error.expected), found \(error.found)")
    }
    guard json["version"]?.integerValue == Self.version else {
      let isNewer = json["version"]?.integerValue.map { $0 > Self.version } ?? false
      let advice = isNewer ? ", and a newer version of nova has written this one; update nova" : ""
      throw ContractBaselineError(
        description: "version is \(Self.found(json["version"])); expected \(Self.version)\(advice)")
    }
    guard case .array(let elements) = json["differences"] else {
      throw ContractBaselineError(description: "differences is \(Self.found(json["differences"])); expected a list")
    }
    var entries: [Entry] = []
    for (index, element) in elements.enumerated() {
      entries.append(try Entry(element, at: "differences[\(index)]"))
    }
    self.init(entries)
  }

  /// The baseline as JSON: a line for each entry, sorted, so that changes are readable.
  public var jsonUTF8: [UInt8] {
    let lines = entries.map { "    " + String(decoding: $0.json.jsonUTF8, as: UTF8.self) }
    let list = lines.isEmpty ? "[]" : "[\n\(lines.joined(separator: ",\n"))\n  ]"
    return Array("{\n  \"version\": \(Self.version),\n  \"differences\": \(list)\n}\n".utf8)
  }

  fileprivate static func found(_ value: JSONValue?) -> String {
    guard let value else { return "missing" }
    return value.kindDescription
  }
}

extension ContractBaseline.Entry {
  var json: JSONValue {
    [
      "rpc": .string(rpc), "check": .string(check.rawValue), "grade": .string(grade.rawValue), "path": .string(path),
      "request": request.map(JSONValue.string), "reason": .string(reason),
    ]
  }

  fileprivate init(_ json: JSONValue, at place: String) throws(ContractBaselineError) {
    func text(_ name: String) throws(ContractBaselineError) -> String {
      guard let text = json[name]?.stringValue else {
        throw Self.error(json[name], at: "\(place).\(name)", expected: "a text")
      }
      return text
    }
    let (check, grade) = (try text("check"), try text("grade"))
    guard let kind = ContractDifference.Kind(rawValue: check) else {
      throw Self.error(json["check"], at: "\(place).check", expected: "a kind of difference such as int64Form")
    }
    guard let known = ContractDifference.Grade(rawValue: grade) else {
      throw Self.error(json["grade"], at: "\(place).grade", expected: "breaking, tolerated, or additive")
    }
    self.init(
      rpc: try text("rpc"), check: kind, grade: known, path: try text("path"),
      request: json["request"] == nil ? nil : try text("request"),
      reason: json["reason"] == nil ? "" : try text("reason"))
  }

  private static func error(_ value: JSONValue?, at place: String, expected: String) -> ContractBaselineError {
    ContractBaselineError(description: "\(place) is \(ContractBaseline.found(value)); expected \(expected)")
  }
}
