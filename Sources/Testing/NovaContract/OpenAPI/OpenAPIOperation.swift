import NovaCore

/// One RPC as an operation.
struct OpenAPIOperation {
  private let rpc: RPCDescriptor
  private let schemas: OpenAPISchemas
  private let texts: ContractTexts
  private let variables: [String]

  init(_ rpc: RPCDescriptor, schemas: OpenAPISchemas, texts: ContractTexts) {
    (self.rpc, self.schemas, self.texts) = (rpc, schemas, texts)
    variables = PathTemplate(rpc.http.path).variables
  }

  private var request: MessageDescriptor { rpc.requestType.descriptor }
  private var response: MessageDescriptor { rpc.responseType.descriptor }

  /// The path; its parameters have the names of requests.
  var path: String { rpc.http.path }

  var json: JSONValue {
    let words = texts.comment(of: rpc.fullName).dropFirst() + ["gRPC: `\(rpc.fullName)`."]
    return [
      "operationId": .string(rpc.id), "tags": [.string(rpc.service)], "summary": .string(rpc.summary),
      "description": .string(words.joined(separator: "\n\n")), "x-nova-effect": .string(rpc.effect.rawValue),
      "parameters": .array(parameters), "requestBody": body,
      "responses": .object([success] + OpenAPIErrors(rpc, texts).members),
      "security": rpc.requiresAuthentication ? nil : [],
    ]
  }

  /// Fields of the path, then those of the query, then the headers.
  private var parameters: [JSONValue] {
    let inPath = request.fields.filter { variables.contains($0.name) }.map { parameter($0, in: "path") }
    let inQuery = rpc.http.hasBody ? [] : request.fields.filter { !variables.contains($0.name) }
    return inPath + inQuery.map { parameter($0, in: "query") } + OpenAPIHeaders.references(for: rpc)
  }

  private func parameter(_ field: FieldDescriptor, in place: JSONValue) -> JSONValue {
    let name = field.writtenName(rpc.http.names)
    let isInPath = place == "path"
    return [
      "name": .string(isInPath ? field.name : name), "in": place,
      "required": isInPath || texts.isRequired(field, in: request) ? true : nil,
      "schema": schemas.schema(of: field, in: request, .request), "example": ExampleMessage.request(of: rpc)[name],
    ]
  }

  private var body: JSONValue? {
    guard rpc.http.hasBody else { return nil }
    // An absent body is an empty message, for which some fields can be required, too.
    let isRequired =
      request.fields.contains { !variables.contains($0.name) && texts.isRequired($0, in: request) }
      || request.requirements.contains { $0.values.contains("") }
    let schema = schemas.reference(to: request, .request)
    return ["required": .bool(isRequired), "content": ["application/json": ["schema": schema]]]
  }

  private var success: JSONValue.Member {
    let status = rpc.http.successStatus
    return .init(
      name: String(status),
      value: [
        "description": status == 204 ? "Done; there is no body." : "Success.",
        "headers": OpenAPIHeaders.references(ofResponseTo: rpc), "content": status == 204 ? nil : content,
        "links": OpenAPILinks(of: rpc, in: schemas.registry, texts: texts).json,
      ])
  }

  private var content: JSONValue {
    if rpc.isServerStreaming {
      let words: JSONValue = "Server-sent events, each with a `\(response.name)` as JSON in `data`."
      return ["text/event-stream": ["schema": ["type": "string", "description": words]]]
    }
    let schema: JSONValue
    if let name = rpc.http.responseField, let field = response.field(named: name) {
      schema = schemas.schema(of: field, in: response, .response)
    } else {
      schema = response.fields.isEmpty ? ["type": "object"] : schemas.reference(to: response, .response)
    }
    return ["application/json": ["schema": schema]]
  }
}
