import NovaCore

/// WireMock 2 and 3 stubs, by the schema of the admin API.
struct WireMockExport {
  private let exchanges: [FixtureExchange]

  init(_ exchanges: [FixtureExchange]) { self.exchanges = exchanges }

  var files: [FixtureExportFile] {
    var uses: [String: Int] = [:]
    return exchanges.distinguishable.map { exchange, request in
      uses[exchange.rpc, default: 0] += 1
      return FixtureExportFile(
        "mappings/\(exchange.rpc)-\(uses[exchange.rpc] ?? 1).json", Self.stub(exchange, request))
    }
  }

  private static func stub(_ exchange: FixtureExchange, _ request: ExportedRequest) -> JSONValue {
    let name = "\(exchange.rpc): \(exchange.name)"
    return [
      "id": .string(StableUUID.of(name)), "name": .string(name),
      // Of several matching stubs, the most specific one must take precedence.
      "priority": .number(request.authorization == nil ? "5" : "1"), "request": pattern(request),
      "response": answer(exchange.response), "metadata": ["rpc": .string(exchange.rpc)],
    ]
  }

  private static func pattern(_ request: ExportedRequest) -> JSONValue {
    let query = request.query.map {
      JSONValue.Member(name: $0.name, value: ["equalTo": .string($0.value)])
    }
    let body: JSONValue? =
      if request.body.isEmpty {
        nil
      } else if let json = request.json {
        ["equalToJson": .string(Self.literal(json, in: request.body))]
      } else {
        ["equalTo": .string(request.body)]
      }
    return [
      "method": .string(request.method), "urlPath": .string(request.path),
      "queryParameters": query.isEmpty ? nil : .object(query),
      "headers": request.authorization.map { ["Authorization": ["equalTo": .string($0)]] },
      "bodyPatterns": body.map { .array([$0]) },
    ]
  }

  /// The body as WireMock compares it literally: strings such as `${json-unit.ignore}` match anything otherwise.
  private static func literal(_ json: JSONValue, in body: String) -> String {
    guard let literal = literal(json) else { return body }
    return String(decoding: literal.jsonUTF8, as: UTF8.self)
  }

  /// Nil if there is no such string in the value.
  private static func literal(_ json: JSONValue) -> JSONValue? {
    switch json {
    case .string(let text):
      return ["${json-unit.", "#{json-unit."].contains(where: text.contains)
        ? .string("${json-unit.regex}\(text.escapedForRegularExpression)") : nil
    case .array(let elements):
      let literals = elements.map { literal($0) }
      return literals.contains { $0 != nil } ? .array(zip(literals, elements).map { $0 ?? $1 }) : nil
    case .object(let members):
      let literals = members.map { literal($0.value) }
      guard literals.contains(where: { $0 != nil }) else { return nil }
      return .object(
        zip(literals, members).map { JSONValue.Member(name: $1.name, value: $0 ?? $1.value) })
    case .number, .bool, .null: return nil
    }
  }

  private static func answer(_ response: HTTPResponse) -> JSONValue {
    let headers = response.headers.map { JSONValue.Member(name: $0.name, value: .string($0.value)) }
    let text = String(validating: response.body.inMemory, as: UTF8.self)
    return [
      "status": .number(response.status), "headers": headers.isEmpty ? nil : .object(headers),
      "body": response.body.isEmpty ? nil : text.map(JSONValue.string),
      "base64Body": text == nil ? .string(String(decoding: Base64.encode(response.body.inMemory), as: UTF8.self)) : nil,
    ]
  }
}

extension String {
  /// A regular expression that matches exactly this text.
  var escapedForRegularExpression: String {
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": escaped += "\\n"
      case "\r": escaped += "\\r"
      case "\t": escaped += "\\t"
      default:
        if scalar.isASCII, !ASCIISet.alphanumerics.contains(UInt8(scalar.value)), scalar != " " { escaped += "\\" }
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
