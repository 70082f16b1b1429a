import NovaCore
import NovaRecording

/// A response of a Mockoon route, with the rules for its requests.
struct MockoonAnswer {
  let exchange: FixtureExchange
  let rules: [JSONValue]

  init(_ exchange: FixtureExchange, _ request: ExportedRequest) {
    self.exchange = exchange
    var rules = request.query.map { Self.rule("query", $0.name, equals: $0.value) }
    if let authorization = request.authorization {
      rules.append(Self.rule("header", "Authorization", equals: authorization))
    }
    if let leaves = request.json.flatMap({ Self.leaves($0, at: "") }), !leaves.isEmpty {
      rules += leaves.map { Self.rule("body", $0.path, equals: $0.value) }
    } else if !request.body.isEmpty {
      rules.append(Self.rule("body", "", equals: request.body))
    }
    self.rules = rules
  }

  func json(isDefault: Bool) -> JSONValue {
    let response = exchange.response
    return [
      "uuid": .string(StableUUID.of("mockoon answer \(exchange.rpc) \(exchange.name)")),
      "body": .string(String(decoding: response.body.inMemory, as: UTF8.self)), "latency": 0,
      "statusCode": .number(response.status), "label": .string(exchange.name), "headers": response.headers.json("key"),
      "bodyType": "INLINE", "filePath": "", "databucketID": "", "sendFileAsBody": false, "rules": .array(rules),
      "rulesOperator": "AND",
      // Braces in user content are literal.
      "disableTemplating": true, "fallbackTo404": false, "default": .bool(isDefault), "crudKey": "id",
    ]
  }

  /// Values of rules can be templates: of a text with braces, the rule has an expression without them.
  private static func rule(_ target: String, _ modifier: String, equals value: String) -> JSONValue {
    let isTemplate = value.contains("{{")
    return [
      "target": .string(target), "modifier": .string(modifier),
      "value": .string(isTemplate ? "^\(value.escapedForRegularExpression)$" : value), "invert": false,
      "operator": .string(isTemplate ? "regex" : "equals"),
    ]
  }

  private typealias Leaf = (path: String, value: String)

  /// Returns the scalar values of a body with their Mockoon paths; nil if they don't describe the whole body.
  private static func leaves(_ value: JSONValue, at path: String) -> [Leaf]? {
    let inner: [(name: String, value: JSONValue)]
    switch value {
    case .object(let members): inner = members.map { ($0.name, $0.value) }
    case .array(let elements): inner = elements.enumerated().map { ("\($0)", $1) }
    case .string(let text), .number(let text): return path.isEmpty ? nil : [(path, text)]
    case .bool(let bool): return path.isEmpty ? nil : [(path, String(bool))]
    case .null: return nil
    }
    if inner.isEmpty { return nil }
    var all: [Leaf] = []
    for (name, value) in inner {
      guard let leaves = leaves(value, at: path.isEmpty ? name : "\(path).\(name)") else { return nil }
      all += leaves
    }
    return all
  }
}
