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
    let details = texts.comment(of: rpc.fullName).dropFirst()
    let words = details + ["gRPC: `\(rpc.fullName)`."]
    return .members(
      ("operationId", .string(rpc.id)),
      ("tags", .array([.string(rpc.service)])),
      ("summary", .string(rpc.summary)),
      ("description", .string(words.joined(separator: "\n\n"))),
      ("x-nova-effect", .string(rpc.effect.rawValue)),
      ("parameters", .array(parameters)),
      ("requestBody", body),
      ("responses", .object(success + OpenAPIErrors(rpc, texts).members)),
      ("security", rpc.requiresAuthentication ? nil : .array([])))
  }

  /// Fields of the path, then those of the query, then the headers.
  private var parameters: [JSONValue] {
    let inPath = request.fields.filter { variables.contains($0.name) }.map { parameter($0, in: "path") }
    let inQuery = rpc.http.hasBody ? [] : request.fields.filter { !variables.contains($0.name) }
    return inPath + inQuery.map { parameter($0, in: "query") } + OpenAPIHeaders.references(for: rpc)
  }

  private func parameter(_ field: FieldDescriptor, in place: String) -> JSONValue {
    let example = ExampleMessage.request(of: rpc)[field.writtenName(rpc.http.names)]
    let isInPath = place == "path"
    return .members(
      ("name", .string(isInPath ? field.name : field.writtenName(rpc.http.names))),
      ("in", .string(place)),
      ("required", isInPath || texts.isRequired(field, in: request) ? .bool(true) : nil),
      ("schema", schemas.schema(of: field, in: request, .request)),
      ("example", example))
  }

  private var body: JSONValue? {
    guard rpc.http.hasBody else { return nil }
    let fields = request.fields.filter { !variables.contains($0.name) }
    let isRequired = fields.contains { texts.isRequired($0, in: request) }
    let content = JSONValue.members(("schema", schemas.reference(to: request, .request)))
    return .members(
      ("required", .bool(isRequired)),
      ("content", .object([.init(name: "application/json", value: content)])))
  }

  private var success: [JSONValue.Member] {
    let value = JSONValue.members(
      ("description", .string(rpc.http.successStatus == 204 ? "Done; there is no body." : "Success.")),
      ("headers", OpenAPIHeaders.references(ofResponseTo: rpc)),
      ("content", rpc.http.successStatus == 204 ? nil : content))
    return [.init(name: String(rpc.http.successStatus), value: value)]
  }

  private var content: JSONValue {
    if rpc.isServerStreaming {
      let schema = JSONValue.members(
        ("type", .string("string")),
        ("description", .string("Server-sent events, each with a `\(response.name)` as JSON in `data`.")))
      return .object([.init(name: "text/event-stream", value: .members(("schema", schema)))])
    }
    var schema: JSONValue
    if let name = rpc.http.responseField, let field = response.field(named: name) {
      schema = schemas.schema(of: field, in: response, .response)
    } else if response.fields.isEmpty {
      schema = .members(("type", .string("object")))
    } else {
      schema = schemas.reference(to: response, .response)
    }
    return .object([.init(name: "application/json", value: .members(("schema", schema)))])
  }
}
