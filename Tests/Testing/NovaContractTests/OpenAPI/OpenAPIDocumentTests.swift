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
    // An optional message may be null.
    let schema = schema?["anyOf"]?.elements?.first { $0["$ref"] != nil } ?? schema
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
      #expect(Self.type(of: schema) == "array", "\(place)")
      checkSingle(schema["items"] ?? .null, field, at: place)
    case .map:
      #expect(Self.type(of: schema) == "object", "\(place)")
      checkSingle(schema["additionalProperties"] ?? .null, field, at: place)
    default: checkSingle(schema, field, at: place)
    }
  }

  /// The type of a schema, without null.
  private static func type(of schema: JSONValue) -> String? {
    schema.text("type") ?? schema["type"]?.elements?.first?.stringValue
  }

  private func checkSingle(_ schema: JSONValue, _ field: FieldDescriptor, at place: String) {
    if case .message(let name) = field.kind {
      guard let type = RPCRegistry.nova.message(named: name) else { return }
      return checkObject(Self.resolved(schema), type.descriptor)
    }
    let type = Self.type(of: schema)
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

  /// What a server reads as absent is no violation of the document.
  @Test func onlyOptionalFieldsOfBodiesMayBeNull() {
    func isNullable(_ schema: String, _ field: String) -> Bool? {
      let property = Self.document["components"]?["schemas"]?[schema]?["properties"]?[field]
      return property.map { $0["type"]?.elements?.contains(.string("null")) == true }
    }
    #expect(isNullable("GetFollowersRequest", "user_id") == false)
    #expect(isNullable("GetFollowersRequest", "limit") == true)
    #expect(isNullable("CreatePostRequest", "media_ids") == true)
    let parameters = Self.operation("capture.ListSomethings")?.json["parameters"]?.elements ?? []
    let limit = parameters.first { $0.text("name") == "limit" }
    #expect(limit?["schema"]?.text("type") == "integer")
    let order = Self.document["components"]?["schemas"]?["GetCommentsRequest"]?["properties"]?["order"]
    #expect(order?["enum"]?.elements?.last == .null)
  }

  @Test func whatDependsOnAnotherFieldIsACondition() throws {
    let request = try #require(Self.document["components"]?["schemas"]?["CreateSomethingRequest"])
    let conditions = try #require(request["allOf"]).jsonUTF8
    #expect(
      String(decoding: conditions, as: UTF8.self) == """
        [{"if":{"properties":{"contentType":{"enum":["text",null]}}},"then":{"required":["content"],"properties":\
        {"content":{"type":"string","minLength":1}}}},{"if":{"required":["contentType"],"properties":{"contentType":\
        {"enum":["image","video","url"]}}},"then":{"required":["mediaUrl"],"properties":{"mediaUrl":{"type":"string",\
        "minLength":1}}}}]
        """)
  }

  @Test func topicsAndHeaderFieldsHavePatterns() throws {
    let request = Self.document["components"]?["schemas"]?["ListEventsRequest"]
    let body = try #require(request?["properties"]?["topics"]?["items"]?.text("pattern"))
    let stream = Self.operation("event.StreamEvents")?.json["parameters"]?.elements?.first {
      $0.text("name") == "topics"
    }
    #expect(stream?["schema"]?["items"]?.text("pattern") == body)
    for (topic, isValid) in [
      ("me", true), ("user:ann", true), ("post:p 1\n", true), ("feed:ü", true), ("", false), ("0", false),
      ("user:", false),
      ("me:ann", false), ("all", false), ("xuser:ann", false),
    ] {
      #expect(topic.contains(try Regex(body)) == isValid, "\(topic)")
    }
    let headers = try #require(Self.document["components"]?["headers"])
    for (name, value, isValid) in [
      ("Retry-After", "120", true), ("Retry-After", "Wed, 21 Oct 2025 07:28:00 GMT", true),
      ("Retry-After", "-1", false),
      ("ETag", "\"abc\"", true), ("ETag", "W/\"\"", true), ("ETag", "abc", false), ("Accept-Ranges", "bytes", true),
      ("Content-Range", "bytes 0-99/1000", true), ("Content-Range", "bytes */1000", true),
      ("Content-Range", "bytes 0-99/*", true), ("Content-Range", "0-99/1000", false),
      ("Repr-Digest", "sha-256=:uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=:", true), ("Repr-Digest", "uU0n", false),
      ("Idempotency-Replayed", "true", true), ("Idempotency-Replayed", "false", false),
    ] {
      let pattern = try #require(headers[name]?["schema"]?.text("pattern"), "\(name)")
      #expect(value.contains(try Regex(pattern)) == isValid, "\(name): \(value)")
    }
  }

  /// An operation that creates a record leads to those that need its ID.
  @Test func linksLeadToOperationsThatTakeTheID() throws {
    var links: [String: Set<String>] = [:]
    for operation in Self.operations {
      let id = operation.json.text("operationId") ?? ""
      for response in operation.json["responses"]?.memberList ?? [] {
        for link in response.value["links"]?.memberList ?? [] {
          let target = try #require(Self.operation(link.value.text("operationId") ?? ""), "\(id): \(link.name)")
          links[id, default: []].insert(link.name)
          let parameters = Set((target.json["parameters"]?.elements ?? []).compactMap { $0.text("name") })
          let names = (link.value["parameters"]?.memberList ?? []).map(\.name)
          #expect(Set(names).isSubset(of: parameters), "\(id): \(link.name): \(names)")
          let body = Self.resolved(target.json["requestBody"]?["content"]?["application/json"]?["schema"])
          let fields = Set((body["properties"]?.memberList ?? []).map(\.name))
          let values = link.value["requestBody"]?.memberList ?? []
          #expect(Set(values.map(\.name)).isSubset(of: fields), "\(id): \(link.name): \(values.map(\.name))")
          #expect(names.isEmpty != values.isEmpty, "\(id): \(link.name)")
        }
      }
    }
    #expect(links["content.CreatePost"]?.isSuperset(of: ["content.GetPost", "social.CreateLike"]) == true, "\(links)")
    #expect(links["social.CreateComment"]?.contains("social.DeleteComment") == true, "\(links)")
    #expect(
      links["media.StartUpload"]?.isSuperset(of: ["media.CompleteUpload", "media.UploadBytes"]) == true, "\(links)")
    #expect(links["capture.CreateSomething"]?.contains("capture.DeleteSomething") == true, "\(links)")
    #expect(links["content.GetPost"] == nil && links["auth.Register"] == nil)
  }

  @Test func tokensCanBeOptional() {
    let document = OpenAPIDocument(requiresTokens: false).json
    #expect(document["security"] == .array([.object([]), .members(("bearer", .array([])))]))
    #expect(Self.document["security"] == .array([.members(("bearer", .array([])))]))
    // Operations that need no token are the same in both.
    #expect(document["paths"] == OpenAPIDocument().json["paths"])
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

  /// An absent body is an empty message.
  @Test(arguments: RPCRegistry.nova.rpcs.filter(\.http.hasBody).map(\.id))
  func aBodyIsRequiredIfServersRefuseAnEmptyOne(_ id: String) throws {
    let rpc = try #require(RPCRegistry.nova.rpc(named: id))
    let body = try #require(Self.operation(id)?.json["requestBody"])
    let example = try rpc.requestType.init(jsonUTF8: ExampleMessage.request(of: rpc).jsonUTF8)
    let response = MockBackend(now: { 1_764_583_200 }).respond(
      to: HTTPRequest(
        method: rpc.http.method, url: HTTPURL(received: try HTTPTranscoder.request(example, rpc.http).target),
        headers: ["Content-Type": "application/json"]))
    #expect(response.status != 400 || body["required"] == .bool(true), "\(response.status)")
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

@Suite struct YAMLScalarTests {
  /// Texts that readers of YAML 1.1 or 1.2 take for something else, unless they are quoted.
  @Test(arguments: [
    "yes", "no", "on", "off", "y", "n", "true", "False", "null", "~", "", " ", "1", "-1", "1.5", ".5", "1e3", "0x1F",
    "0o17",
    "017", "1_000", "12:30:45", "2025-01-01", "2025-01-01T00:00:00Z", ".inf", "-.inf", ".nan", "<<", "=", "-", "- a",
    "? a",
    ": a", "a: b", "a #b", "#a", "&a", "*a", "!a", "|", ">", "@a", "`a", "%a", "{a}", "[a]", "'a'", "\"a\"", "a\\b",
    "a\nb", "a\r\n", "\t", " a ", "---", "...", "é", "👩‍👩‍👧", "\u{85}", "\u{2028}", "\u{FEFF}", "\u{7F}", "\u{1}",
  ])
  func textsAndKeysStayTexts(_ text: String) throws {
    let line = YAMLText.document(.members((text, .string(text)))).dropLast()
    // In double quotes, the escapes of YAML include those of JSON; a line has no other line breaks.
    #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(line)")
    #expect(!line.unicodeScalars.contains { ["\u{2028}", "\u{2029}", "\u{FEFF}"].contains($0) }, "\(line)")
    let json = "{\(line.first == "\"" ? String(line) : Self.quotingKey(line))}"
    #expect(try JSONValue(jsonUTF8: Array(json.utf8)) == .members((text, .string(text))), "\(line)")
  }

  /// The line with its key in quotes, as it is in JSON.
  private static func quotingKey(_ line: Substring) -> String {
    let colon = line.firstIndex(of: ":") ?? line.endIndex
    return "\"\(line[..<colon])\"\(line[colon...])"
  }

  @Test(arguments: [
    ("1e3", "1.0e+3"), ("1E400", "1.0e+400"), ("-2e-7", "-2.0e-7"), ("1.5e10", "1.5e+10"), ("12", "12"),
  ])
  func numbersAreNumbersInBothVersions(_ json: String, _ yaml: String) {
    #expect(YAMLText.document(.array([.number(json)])) == "- \(yaml)\n")
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
