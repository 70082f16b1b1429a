import NovaCore

extension Cassette {
  /// The strictness of comparing a provider's responses with a pact.
  public enum PactMatching: Sendable, Hashable {
    /// Values must have the same type, because ids and times differ between runs.
    case types
    /// Every value must equal the recorded one, except for secrets.
    case values
  }

  /// Returns the cassette as a Pact contract between consumer and provider, version 4.
  ///
  /// Each distinct call is one interaction of the type `Synchronous/HTTP`; exact repetitions are merged. Only headers
  /// of the contract are included (`Accept`, `Authorization`, `Content-Type`). Secrets are placeholders with rules that
  /// accept any value of the same type. Requests without a whole response are omitted.
  ///
  /// - Parameters:
  ///   - consumer: the name of the consumer.
  ///   - provider: the name of the provider. Default: `NovaSocial`.
  ///   - matching: the strictness of comparing response bodies. Default: by type.
  ///   - providerState: returns the provider state that an interaction requires, as named in the provider's
  ///     verification; nil for none. Default: none.
  /// - Returns: JSON in UTF-8.
  public func pact(
    consumer: String, provider: String = "NovaSocial", matching: PactMatching = .types,
    providerState: (Interaction) -> String? = { _ in nil }
  ) -> [UInt8] {
    pact(consumer: consumer, provider: provider, matching: matching) { providerState($0).map { [PactState($0)] } ?? [] }
  }

  /// Returns the cassette as a Pact contract between consumer and provider, version 4, whose provider states have
  /// parameters.
  ///
  /// - Parameters:
  ///   - consumer: the name of the consumer.
  ///   - provider: the name of the provider. Default: `NovaSocial`.
  ///   - matching: the strictness of comparing response bodies. Default: by type.
  ///   - states: returns the provider states that an interaction requires, in the order in which a verifier sets them up.
  /// - Returns: JSON in UTF-8.
  public func pact(
    consumer: String, provider: String = "NovaSocial", matching: PactMatching = .types,
    states: (Interaction) -> [PactState]
  ) -> [UInt8] {
    var names = NumberedNames()
    var seen: Set<JSONValue> = []
    var written: [JSONValue] = []
    for interaction in interactions {
      guard let parts = PactParts(interaction, matching: matching, states: states(interaction)),
        seen.insert(parts.identity).inserted
      else { continue }
      // Descriptions must be unique.
      let name = interaction.rpc ?? "\(interaction.request.method) \(interaction.request.path)"
      written.append(parts.json(description: names.next(name)))
    }
    let pact: JSONValue = [
      "consumer": ["name": .string(consumer)], "provider": ["name": .string(provider)],
      "interactions": .array(written),
      "metadata": [
        "pactSpecification": ["version": "4.0"], "novaSDK": ["version": .string(NovaSDKVersion.current)],
      ],
    ]
    return pact.jsonUTF8
  }
}

/// The parts of one interaction in a pact.
private struct PactParts {
  private static let requestHeaders = ["Accept", "Authorization", "Content-Type"]

  let request: JSONValue
  let response: JSONValue
  let states: [PactState]

  /// Creates the parts; nil for an interaction without a response.
  init?(_ interaction: Cassette.Interaction, matching: Cassette.PactMatching, states: [PactState]) {
    guard case .response(let answer) = interaction.outcome, interaction.bodyFailure == nil else { return nil }
    let sent = interaction.request
    self.states = states
    let path = RPCRoutes.pathOnGateway(sent.path) ?? sent.path
    request = [
      "method": .string(sent.method.rawValue), "path": .string(PercentEncoding.decode(path) ?? path),
      "query": .parameters(sent.query, JSONValue.array), "headers": Self.headers(sent.headers, Self.requestHeaders),
      "body": Self.body(sent.content, sent.headers),
      "matchingRules": PactRules(secretsIn: sent.content, headers: sent.headers).json,
      "generators": PactGenerators(sent, states).json,
    ]
    let content = RecordedBody(answer.body.inMemory)
    var rules = PactRules(secretsIn: content, headers: [:])
    if matching == .types, content.json != nil { rules.body.insert(("$", "type"), at: 0) }
    response = [
      "status": .number(answer.status), "headers": Self.headers(answer.headers, ["Content-Type"]),
      "body": Self.body(content, answer.headers), "matchingRules": rules.json,
    ]
  }

  /// The value that identifies equal interactions.
  var identity: JSONValue { .array([request, response, .array(states.map(\.json))]) }

  func json(description: String) -> JSONValue {
    [
      "type": "Synchronous/HTTP", "description": .string(description), "key": .string(description), "pending": false,
      "providerStates": states.isEmpty ? nil : .array(states.map(\.json)), "request": request, "response": response,
    ]
  }

  private static func headers(_ headers: HTTPHeaders, _ names: [String]) -> JSONValue? {
    let members = names.compactMap { name -> JSONValue.Member? in
      let values = headers.values(for: name)
      return values.isEmpty ? nil : JSONValue.Member(name: name, value: .array(values.map(JSONValue.string)))
    }
    return members.isEmpty ? nil : .object(members)
  }

  private static func body(_ content: RecordedBody, _ headers: HTTPHeaders) -> JSONValue? {
    guard let value = content.canonical else { return nil }
    let isBinary = if case .bytes = content { true } else { false }
    let type = headers["Content-Type"] ?? content.usualType
    return [
      "contentType": .string(type), "contentTypeHint": .string(isBinary ? "BINARY" : "TEXT"),
      "encoded": isBinary ? .string("base64") : .bool(false), "content": value,
    ]
  }
}

/// The matching rules of a pact.
private struct PactRules {
  var body: [(path: String, match: String)] = []
  private var authorization: String?

  init(secretsIn content: RecordedBody, headers: HTTPHeaders) {
    if let json = content.json { find(json, "$") }
    if let value = headers["Authorization"] {
      let kind = value.split(separator: " ").first.map(String.init) ?? ""
      authorization = value.contains(" ") ? "^\(kind) .+$" : "^.+$"
    }
  }

  var json: JSONValue? {
    let rules: JSONValue = [
      "header": authorization.map { ["Authorization": Self.matchers(("match", "regex"), ("regex", $0))] },
      "body": body.isEmpty
        ? nil
        : .object(body.map { JSONValue.Member(name: $0.path, value: Self.matchers(("match", $0.match))) }),
    ]
    return rules.memberList?.isEmpty == false ? rules : nil
  }

  private static func matchers(_ rule: (String, String)...) -> JSONValue {
    let rule = JSONValue.object(rule.map { JSONValue.Member(name: $0.0, value: .string($0.1)) })
    return ["matchers": [rule], "combine": "AND"]
  }

  private mutating func find(_ value: JSONValue, _ path: String) {
    switch value {
    case .object(let members): for member in members { find(member.value, path + Self.step(member.name)) }
    case .array(let elements):
      for (index, element) in elements.enumerated() { find(element, "\(path)[\(index)]") }
    case .string(let text) where text.contains("{{secret:"): body.append((path, "type"))
    default: break
    }
  }

  fileprivate static func step(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { $0 == UInt8(ascii: "_") || Unicode.Scalar($0).properties.isAlphabetic }
    return isPlain && !name.isEmpty ? ".\(name)" : "['\(name)']"
  }
}

/// The values of a request that a verifier takes from the provider's states, in place of the placeholders of secrets.
private struct PactGenerators {
  private var header: [JSONValue.Member] = []
  private var body: [JSONValue.Member] = []
  private let secrets: Set<Int>

  init(_ request: Cassette.Request, _ states: [PactState]) {
    secrets = Set(states.flatMap(\.secrets))
    if secrets.isEmpty { return }
    if let value = request.headers["Authorization"], let generator = generator(of: value) {
      header.append(.init(name: "Authorization", value: generator))
    }
    if let json = request.content.json { find(json, "$") }
  }

  var json: JSONValue? {
    if header.isEmpty, body.isEmpty { return nil }
    return ["header": header.isEmpty ? nil : .object(header), "body": body.isEmpty ? nil : .object(body)]
  }

  private mutating func find(_ value: JSONValue, _ path: String) {
    switch value {
    case .object(let members): for member in members { find(member.value, path + PactRules.step(member.name)) }
    case .array(let elements):
      for (index, element) in elements.enumerated() { find(element, "\(path)[\(index)]") }
    case .string(let text): if let generator = generator(of: text) { body.append(.init(name: path, value: generator)) }
    default: break
    }
  }

  /// Nil for a text without secrets, or with one that no state returns.
  private func generator(of text: String) -> JSONValue? {
    var expression = ""
    var isKnown = false
    for piece in SecretPlaceholder.pieces(text) {
      switch piece {
      case .literal(let literal): expression += literal
      case .placeholder(let secret):
        guard secrets.contains(secret.number) else { return nil }
        isKnown = true
        expression += "${\(PactState.name(ofSecret: secret.number))}"
      }
    }
    return isKnown ? ["type": "ProviderState", "expression": .string(expression), "dataType": "STRING"] : nil
  }
}

extension RecordedBody {
  fileprivate var json: JSONValue? { if case .json(let json) = self { json } else { nil } }

  fileprivate var usualType: String {
    switch self {
    case .json: "application/json"
    case .text: "text/plain"
    case .none, .bytes, .omitted: "application/octet-stream"
    }
  }
}

/// Makes names unique: `a`, `a (2)`, `a (3)`.
package struct NumberedNames {
  private var uses: [String: Int] = [:]

  package init() {}

  /// Returns the name, with a number from the second use on.
  package mutating func next(_ name: String) -> String {
    let number = uses[name, default: 0] + 1
    uses[name] = number
    return number == 1 ? name : "\(name) (\(number))"
  }
}
