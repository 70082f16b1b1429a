import NovaContract
import NovaCore
import NovaMock
import NovaRegistry
import Testing

/// The document says what the descriptors say: nothing is missing, and nothing is typed again.
@Suite struct OpenAPIDocumentTests {
  private static let document = OpenAPIDocument(servers: [.init(url: "http://localhost:8080")]).json
  private static let byteOperations: Set<String> = ["media.UploadBytes", "media.GetFile", "media.HeadFile"]

  private static func operation(_ id: String) -> (path: String, method: String, json: JSONValue)? {
    operations.first { $0.json.text("operationId") == id }
  }

  private static let operations: [(path: String, method: String, json: JSONValue)] =
    (document["paths"]?.memberList ?? []).flatMap { path in
      (path.value.memberList ?? []).map { (path.name, $0.name, $0.value) }
    }

  private static func resolved(_ schema: JSONValue?) -> JSONValue {
    guard let schema, let reference = schema.text("$ref") else { return schema ?? .null }
    let names = reference.split(separator: "/").dropFirst().map(String.init)
    return names.reduce(document) { $0[$1] ?? .null }
  }

  /// The schema of a request's field: in the body, the path or the query.
  private static func schema(of field: FieldDescriptor, of rpc: RPCDescriptor) -> JSONValue? {
    let operation = operation(rpc.id)?.json
    let name = rpc.http.names == .proto ? field.name : field.jsonName
    let parameter = operation?["parameters"]?.elements?.first {
      [field.name, name].contains($0.text("name") ?? "") && $0.text("in") != "header"
    }
    if let parameter { return parameter["schema"] }
    let body = operation?["requestBody"]?["content"]?["application/json"]?["schema"]
    return resolved(body)["properties"]?[name]
  }

  /// What servers allow web pages to send and read.
  @Test func headersAreThoseThatClientsSendAndRead() throws {
    let components = try #require(Self.document["components"])
    let sent = (components["parameters"]?.memberList ?? []).filter { $0.value.text("in") == "header" }.map(\.name)
    let read = (components["headers"]?.memberList ?? []).map(\.name)
    #expect(sent.count >= 2 && Set(sent).isSubset(of: ContractHeaders.ofRequests), "\(sent)")
    #expect(read.count >= 8 && Set(read).isSubset(of: ContractHeaders.ofResponses), "\(read)")
  }

  @Test func everyRPCIsOneOperation() {
    let ids = Self.operations.compactMap { $0.json.text("operationId") }
    #expect(Set(ids).count == ids.count)
    #expect(Set(ids).subtracting(Self.byteOperations) == Set(RPCRegistry.nova.rpcs.map(\.id)))
    #expect(Set(ids).isSuperset(of: Self.byteOperations))
  }

  @Test(arguments: RPCRegistry.nova.rpcs.map(\.id))
  func anOperationHasWhatTheDescriptorSays(_ id: String) throws {
    let rpc = try #require(RPCRegistry.nova.rpc(named: id))
    let operation = try #require(Self.operation(id))
    #expect(operation.path == rpc.http.path)
    #expect(operation.method == rpc.http.method.rawValue.lowercased())
    #expect(operation.json.text("summary") == rpc.summary)
    #expect(operation.json.text("x-nova-effect") == rpc.effect.rawValue)
    #expect((operation.json["security"] == .array([])) == !rpc.requiresAuthentication)
    let responses = Set((operation.json["responses"]?.memberList ?? []).map(\.name))
    #expect(responses.contains(String(rpc.http.successStatus)))
    #expect(responses.contains("401") || !rpc.requiresAuthentication)
    #expect(responses.contains("422") == (rpc.effect != .noSideEffects))
    for error in ContractTexts.nova.errors(of: rpc) {
      #expect(responses.contains(String(error.status.httpStatus)), "\(error)")
      #expect(!error.reason.isEmpty, "\(error.status)")
    }
  }

  @Test(arguments: RPCRegistry.nova.rpcs.map(\.id)) func aRequestHasEveryFieldWithItsLimits(_ id: String) throws {
    let rpc = try #require(RPCRegistry.nova.rpc(named: id))
    let message = rpc.requestType.descriptor
    for field in message.fields {
      let schema = try #require(Self.schema(of: field, of: rpc), "\(field.name) is missing")
      check(schema, field, at: "\(message.name).\(field.name)")
      func expect(_ name: String, _ value: Int?) {
        #expect(schema[name]?.integerValue == value, "\(message.name).\(field.name): \(name)")
      }
      switch field.rule {
      case .notEmpty: expect("minLength", 1)
      case .notNegative: expect("minimum", 0)
      case .length(let minimum, let maximum):
        expect("minLength", minimum)
        if let maximum { expect("maxLength", maximum) }
      case .count(let minimum, let maximum):
        if minimum > 0 { expect("minItems", minimum) }
        expect("maxItems", maximum)
      case .range(let minimum, let maximum):
        expect("minimum", minimum)
        expect("maximum", maximum)
      case .httpURL: #expect(schema["format"] == .string("uri"))
      case nil: break
      }
      if field.name == "limit", let limit = rpc.pageLimit, limit.defaultValue != nil {
        expect("default", limit.defaultValue)
        expect("x-nova-maximum", limit.maximum)
      }
      if field.name == rpc.batchLimit?.field { expect("maxItems", rpc.batchLimit?.maximum) }
    }
  }

  /// What only servers check, the document has too.
  @Test func aRequestHasTheLimitsOfServers() throws {
    let request = Self.document["components"]?["schemas"]?["StartUploadRequest"]
    let type = request?["properties"]?["content_type"]
    #expect(type?["maxLength"]?.integerValue == 255)
    #expect(type?.text("pattern") == "^[ -~]*$")
    #expect(request?["properties"]?["user_id"]?["maxLength"]?.integerValue == 1024)
    let required = request?["required"]?.elements?.compactMap(\.stringValue)
    // An upload without a type is valid.
    #expect(required == ["user_id", "file_name", "file_size"])
    let settings = Self.document["components"]?["schemas"]?["UpdateUserSettingsRequest"]
    #expect(settings?["properties"]?["timezone"]?["maxLength"]?.integerValue == 64)
    let key = Self.document["components"]?["parameters"]?["Idempotency-Key"]?["schema"]
    #expect(key?["maxLength"]?.integerValue == 255)
  }

  @Test(arguments: RPCRegistry.nova.rpcs.map(\.id)) func aResponseHasEveryField(_ id: String) throws {
    let rpc = try #require(RPCRegistry.nova.rpc(named: id))
    let response = Self.operation(id)?.json["responses"]?[String(rpc.http.successStatus)]
    if rpc.isServerStreaming {
      #expect(response?["content"]?["text/event-stream"]?["schema"]?["type"] == .string("string"))
      return
    }
    let schema = response?["content"]?["application/json"]?["schema"]
    let message = rpc.responseType.descriptor
    if let name = rpc.http.responseField {
      check(try #require(schema), try #require(message.field(named: name)), at: message.name)
    } else if rpc.http.successStatus == 204 {
      #expect(schema == nil)
    } else {
      checkObject(Self.resolved(schema), message)
    }
  }

  private func checkObject(_ schema: JSONValue, _ message: MessageDescriptor) {
    let properties = schema["properties"]?.memberList ?? []
    #expect(properties.map(\.name) == message.fields.map { message.names == .proto ? $0.name : $0.jsonName })
    for (field, property) in zip(message.fields, properties) {
      check(property.value, field, at: "\(message.name).\(field.name)")
    }
  }

  private func check(_ schema: JSONValue, _ field: FieldDescriptor, at place: String) {
    switch field.cardinality {
    case .repeated:
      #expect(schema.text("type") == "array", "\(place)")
      checkSingle(schema["items"] ?? .null, field, at: place)
    case .map:
      #expect(schema.text("type") == "object", "\(place)")
      checkSingle(schema["additionalProperties"] ?? .null, field, at: place)
    default: checkSingle(schema, field, at: place)
    }
  }

  private func checkSingle(_ schema: JSONValue, _ field: FieldDescriptor, at place: String) {
    if case .message(let name) = field.kind {
      guard let type = RPCRegistry.nova.message(named: name) else { return }
      return checkObject(Self.resolved(schema), type.descriptor)
    }
    let type = schema.text("type") ?? schema["type"]?.elements?.first?.stringValue
    let expected =
      switch field.kind {
      case .bool: "boolean"
      case .double, .float: "number"
      case .string, .bytes, .timestamp, .enumeration: "string"
      default: "integer"
      }
    #expect(type == expected, "\(place)")
    if field.isSecret { #expect(schema.text("format") == "password", "\(place)") }
  }

  @Test func everyReferenceLeadsSomewhere() {
    var references: Set<String> = []
    func collect(_ value: JSONValue) {
      if let reference = value.text("$ref") { references.insert(reference) }
      for member in value.memberList ?? [] { collect(member.value) }
      for element in value.elements ?? [] { collect(element) }
    }
    collect(Self.document)
    let broken = references.filter { Self.resolved(.members(("$ref", .string($0)))) == .null }
    #expect(broken.isEmpty, "\(broken.sorted())")
    let schemas = (Self.document["components"]?["schemas"]?.memberList ?? []).map { "#/components/schemas/\($0.name)" }
    #expect(Set(schemas).isSubset(of: references), "unused: \(Set(schemas).subtracting(references).sorted())")
  }

  @Test(arguments: RPCRegistry.nova.rpcs.map(\.id)) func theMockAnswersAnExampleAsDocumented(_ id: String) async throws
  {
    let rpc = try #require(RPCRegistry.nova.rpc(named: id))
    let operation = try #require(Self.operation(id))
    let body = Self.resolved(operation.json["requestBody"]?["content"]?["application/json"]?["schema"])
    let message = try rpc.requestType.init(jsonUTF8: ExampleMessage.request(of: rpc).jsonUTF8)
    let request = HTTPRequest(
      method: rpc.http.method, url: HTTPURL(received: try HTTPTranscoder.request(message, rpc.http).target),
      headers: rpc.http.hasBody ? ["Content-Type": "application/json"] : [:],
      body: rpc.http.hasBody ? body["examples"]?.elements?.first?.jsonUTF8 ?? [] : [])
    let response = try await MockBackend(now: { 1_764_583_200 }).answer(request)
    // A success can be a stream without an end.
    let text = response.isSuccess ? [] : try await response.body.collect(upTo: 1 << 16)
    let answer = "\(response.status) \(String(decoding: text, as: UTF8.self))"
    #expect(
      operation.json["responses"]?[String(response.status)] != nil,
      "\(answer): name the error in the RPC's comment in Proto/, or change the request in ExampleMessage.swift")
    #expect(
      response.status != 400 || id == "media.CreateReel",
      "\(answer): the request in ExampleMessage.swift must be valid")
  }

  @Test func aMessageLooksLikeThis() {
    let schema = Self.document["components"]?["schemas"]?["RefreshResponse"]
    let text = schema.map { String(decoding: $0.jsonUTF8, as: UTF8.self) } ?? ""
    #expect(text.hasPrefix(#"{"type":"object","description":""#), "\(text)")
    #expect(
      text.contains(
        #""required":["token","expires_in"],"properties":{"token":{"type":"string","format":"password","minLength":1,"#),
      "\(text)")
    #expect(text.contains(#""expires_in":{"type":"integer","format":"int64","#), "\(text)")
  }

  @Test func serversAreTheEnvironmentsUnlessGiven() {
    let urls = OpenAPIDocument().json["servers"]?.elements?.compactMap { $0.text("url") }
    #expect(urls == ["http://localhost:8080", "https://staging-api.nova.social", "https://api.nova.social"])
    #expect(OpenAPIDocument().json == OpenAPIDocument().json)
  }
}

@Suite struct YAMLTextTests {
  @Test func textsAreQuotedAndKeysWhereNeeded() {
    let value = JSONValue.members(
      ("plain-key_1", .string("a: b\n\"c\"")), ("no", .bool(true)), ("200", .number("1.5")), ("$ref", .null),
      ("empty", .array([])), ("list", .array([.members(("a", .object([]))), .string("x"), .array([.number("1")])])))
    #expect(
      YAMLText.document(value) == """
        plain-key_1: "a: b\\n\\"c\\""
        "no": true
        "200": 1.5
        "$ref": null
        empty: []
        list:
          -
            a: {}
          - "x"
          -
            - 1

        """)
  }
}

@Suite struct ContractTextsTests {
  @Test func commentsAreParagraphs() throws {
    let rpc = try #require(RPCRegistry.nova.rpc(named: "content.UpdatePost"))
    let comment = ContractTexts.nova.comment(of: rpc.fullName)
    #expect(comment.first == "Changes the given parts of a post and leaves the others alone.")
    #expect(!comment.contains { $0.hasPrefix("Errors:") || $0.contains("\n") })
    let errors = ContractTexts.nova.errors(of: rpc)
    #expect(errors.map(\.status) == [.invalidArgument, .notFound, .permissionDenied])
    #expect(errors.map(\.reason).last == "when the caller may not change it")
  }

  @Test func everythingHasAComment() {
    var names = RPCRegistry.nova.rpcs.flatMap { [$0.package, $0.fullName] }
    for type in RPCRegistry.nova.messages {
      let message = type.descriptor
      names.append(message.name)
      for field in message.fields { names.append("\(message.name).\(field.name)") }
    }
    let silent = names.filter { ContractTexts.nova.comment(of: $0).isEmpty }
    #expect(silent.isEmpty, "\(silent)")
  }
}
