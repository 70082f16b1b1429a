package import NovaCore

extension DescribedContract {
  /// Reads a contract from an OpenAPI document of version 3.
  package init(openAPI document: JSONValue) throws(DescriptionError) {
    guard let version = document["openapi"]?.stringValue, version.hasPrefix("3.") else {
      let found = document["swagger"] == nil ? "no member openapi with a version 3" : "a Swagger document of version 2"
      throw DescriptionError(
        place: "", problem: "found \(found); expected an OpenAPI document of version 3, such as `nova openapi` writes")
    }
    var reader = OpenAPIReader(document)
    try reader.read()
    self = reader.contract
  }
}

/// Makes operations and objects of an OpenAPI document.
private struct OpenAPIReader {
  private let document: JSONValue
  private var schemas: OpenAPISchemaReader
  var contract = DescribedContract()

  private static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"]

  init(_ document: JSONValue) {
    self.document = document
    schemas = OpenAPISchemaReader(document)
  }

  mutating func read() throws(DescriptionError) {
    for path in document["paths"]?.memberList ?? [] {
      let item = try schemas.resolved(path.value, at: path.name)
      for member in item.memberList ?? [] where Self.methods.contains(member.name) {
        try add(member.value, method: member.name.uppercased(), path: path.name, shared: item["parameters"])
      }
    }
    if contract.operations.isEmpty { throw DescriptionError(place: "", problem: "no operation was found under paths") }
    contract.objects = schemas.objects
  }

  private mutating func add(
    _ operation: JSONValue, method: String, path: String, shared: JSONValue?
  ) throws(DescriptionError) {
    let name = operation["operationId"]?.stringValue
    let id = name ?? "\(method) \(path)"
    var result = DescribedContract.Operation(
      id: id, isNamed: name != nil, method: method, path: path, request: "\(method) \(path)")
    var fields = try parameters(shared, operation["parameters"], at: id)
    if let body = operation["requestBody"] {
      let body = try schemas.resolved(body, at: id)
      result.requiresBody = body["required"] == .bool(true)
      if let content = Self.content(of: body) {
        result.requestTypes = content.types
        result.body = try schemas.value(content.schema ?? .bool(true), at: "\(id) request")
      }
    }
    for member in operation["responses"]?.memberList ?? [] {
      try add(member, to: &result)
    }
    // The members of an object in the body are the request's fields.
    var isClosed = false
    if case .object(let object)? = result.body?.form, let shape = schemas.objects[object] {
      fields += shape.fields
      isClosed = shape.isClosed
      result.body = nil
    }
    schemas.objects[result.request] = ObjectShape(
      title: schemas.title(ofBody: operation) ?? id, fields: fields, isClosed: isClosed)
    result.requiresToken = requiresToken(operation)
    contract.operations.append(result)
  }

  private mutating func add(
    _ response: JSONValue.Member, to operation: inout DescribedContract.Operation
  ) throws(DescriptionError) {
    guard response.name.hasPrefix("2") else {
      operation.errors.insert(response.name)
      return
    }
    operation.successStatuses.insert(response.name)
    let value = try schemas.resolved(response.value, at: operation.id)
    guard operation.response == nil, let content = Self.content(of: value) else { return }
    operation.responseTypes = content.types
    operation.isStream = content.types.first == "text/event-stream"
    operation.response = try schemas.value(content.schema ?? .bool(true), at: "\(operation.id) response")
  }

  private mutating func parameters(
    _ shared: JSONValue?, _ own: JSONValue?, at place: String
  ) throws(DescriptionError) -> [FieldShape] {
    var fields: [FieldShape] = []
    for parameter in (shared?.elements ?? []) + (own?.elements ?? []) {
      let parameter = try schemas.resolved(parameter, at: place)
      guard let name = parameter["name"]?.stringValue,
        let location = parameter["in"]?.stringValue.flatMap(FieldShape.Place.init)
      else { throw DescriptionError(place: place, problem: "a parameter without a name or a known place (in)") }
      let schema = parameter["schema"] ?? Self.content(of: parameter)?.schema ?? .bool(true)
      let field = FieldShape(
        name: name, place: location, isRequired: parameter["required"] == .bool(true),
        value: try schemas.value(schema, at: "\(place) \(name)"))
      // An operation's own parameter replaces the path's.
      fields.removeAll { $0.name == name && $0.place == location }
      fields.append(field)
    }
    return fields
  }

  /// The schema of JSON, or else of the first media type, and all media types, that one first.
  private static func content(of body: JSONValue) -> (types: [String], schema: JSONValue?)? {
    let types = body["content"]?.memberList ?? []
    guard let chosen = types.first(where: { ContentTypeName.isJSON(ContentTypeName.of($0.name)) }) ?? types.first
    else { return nil }
    return ([ContentTypeName.of(chosen.name)] + types.map { ContentTypeName.of($0.name) }, chosen.value["schema"])
  }

  private func requiresToken(_ operation: JSONValue) -> Bool {
    guard let requirements = (operation["security"] ?? document["security"])?.elements else { return false }
    return !requirements.isEmpty && !requirements.contains { $0.memberList?.isEmpty ?? true }
  }
}
