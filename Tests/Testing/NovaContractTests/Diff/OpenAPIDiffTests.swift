import NovaContract
import NovaCore
import Testing

@Suite struct OpenAPIDiffTests {
  private static let text = """
    openapi: 3.1.0
    paths:
      /pets/{id}:
        parameters:
          - {name: id, in: path, required: true, schema: {type: string}}
        get:
          operationId: getPet
          responses:
            "200": {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
            "404": {description: none}
      /pets:
        post:
          requestBody:
            required: true
            content: {application/json: {schema: {$ref: '#/components/schemas/NewPet'}}}
          responses:
            "201": {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
    components:
      schemas:
        Pet:
          type: object
          required: [id, name]
          properties:
            id: {type: string}
            name: {type: string}
            kind: {type: string, enum: [dog, cat]}
            age: {type: integer, format: int32}
            owner: {anyOf: [{$ref: '#/components/schemas/Owner'}, {type: 'null'}]}
        Owner:
          allOf:
            - {type: object, properties: {email: {type: string}}}
            - {type: object, properties: {pets: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}
        NewPet:
          type: object
          required: [name]
          properties:
            name: {type: string, maxLength: 40}
            kind: {type: string, enum: [dog, cat]}
            tag: {type: string, nullable: true}
    """

  private static func changes(_ text: String, to other: String) throws -> [ContractChange] {
    let old = try YAMLReader.value(of: Self.text)
    let new = try YAMLReader.value(of: Self.text.replacing(text, with: other))
    return ContractDiff(from: try DescribedContract(openAPI: old), to: try DescribedContract(openAPI: new)).changes
  }

  @Test(
    arguments: [
      (
        "age: {type: integer, format: int32}", "age: {type: string}",
        ["breaking type Pet.age: integer (int32) → string"]
      ),
      (
        "age: {type: integer, format: int32}", "ages: {type: integer, format: int32}",
        ["breaking renamedField Pet.age: age → ages"]
      ),
      (
        "kind: {type: string, enum: [dog, cat]}\n        age",
        "kind: {type: string, enum: [dog, cat, bird]}\n        age", ["dangerous addedValue Pet.kind:  → bird"]
      ),
      (
        "[dog, cat]", "[dog, cat, bird]",
        [
          "dangerous addedValue Pet.kind:  → bird", "compatible addedValue NewPet.kind:  → bird",
        ]
      ),
      (
        "[dog, cat]", "[dog]",
        ["breaking removedValue NewPet.kind: cat → ", "compatible removedValue Pet.kind: cat → "]
      ),
      ("required: [id, name]", "required: [id]", ["breaking optional Pet.name: required → optional"]),
      ("required: [name]", "required: [name, kind]", ["breaking required NewPet.kind: optional → required"]),
      (
        "maxLength: 40", "maxLength: 20",
        ["breaking tightened NewPet.name: at most 40 characters → at most 20 characters"]
      ),
      ("nullable: true", "nullable: false", ["breaking nullable NewPet.tag: can be null → never null"]),
      (", {type: 'null'}", "", ["compatible nullable Pet.owner: can be null → never null"]),
      (
        "email", "mail",
        ["breaking removedField Owner.email: string → ", "compatible addedField Owner.mail:  → string"]
      ),
      (
        "{type: array, items: {$ref: '#/components/schemas/Pet'}}", "{type: string}",
        ["breaking type Owner.pets: list of Pet → string"]
      ),
      ("/pets/{id}:", "/pets/{petId}:", []),
      ("/pets/{id}:", "/animals/{id}:", ["breaking path getPet: /pets/{id} → /animals/{id}"]),
      ("operationId: getPet", "operationId: readPet", ["dangerous renamedRPC getPet: getPet → readPet"]),
      ("\"404\"", "\"410\"", ["breaking errors getPet: 404 → 410"]),
      ("\"201\"", "\"200\"", ["breaking successStatus POST /pets: 201 → 200"]),
      (
        "post:\n", "put:\n",
        ["breaking removedRPC POST /pets: POST /pets → ", "compatible addedRPC PUT /pets:  → PUT /pets"]
      ),
      (
        "openapi: 3.1.0", "openapi: 3.1.0\nsecurity: [{bearer: []}]",
        [
          "breaking authentication getPet: without a token → with a token",
          "breaking authentication POST /pets: without a token → with a token",
        ]
      ),
    ] as [(String, String, [String])])
  func changesHaveTheGradeOfClients(text: String, other: String, lines: [String]) throws {
    let changes = try Self.changes(text, to: other)
    if text == "email" {
      // Short names that differ by a character are taken for a renamed field.
      #expect(changes.first?.grade == .breaking && changes.first?.place == "Owner.email")
    } else {
      #expect(changes.map(\.line) == lines, "\(text) → \(other)")
    }
  }

  /// What other tools write, in a field of a request.
  @Test(
    arguments: [
      // A reference in a list of its own, as tools write it for version 3.0.
      ("{allOf: [{$ref: '#/components/schemas/Color'}]}", "{$ref: '#/components/schemas/Color'}", []),
      (
        "{allOf: [{$ref: '#/components/schemas/Color'}], nullable: true}", "{allOf: [{type: string, enum: [red]}]}",
        ["breaking nullable can be null → never null", "breaking removedValue blue → "]
      ),
      (
        "{allOf: [{$ref: '#/components/schemas/Color'}], default: red}",
        "{allOf: [{$ref: '#/components/schemas/Color'}], default: blue}", ["dangerous standard red → blue"]
      ),
      (
        "{allOf: [{type: string}, {maxLength: 9}]}", "{allOf: [{type: string}, {maxLength: 5}]}",
        ["breaking tightened at most 9 characters → at most 5 characters"]
      ),
      ("{anyOf: [{type: integer}, {type: 'null'}], default: 1}", "{type: [integer, 'null'], default: 1}", []),
      (
        "{anyOf: [{type: integer}, {type: 'null'}], default: 1}", "{type: [integer, 'null'], default: 2}",
        ["dangerous standard 1 → 2"]
      ),
      ("{type: string, default: null}", "{type: string}", []),
      // A union, and one of its options.
      ("{type: [string, integer]}", "{anyOf: [{type: string}, {type: integer}]}", []),
      ("{type: [string, integer]}", "{type: string}", ["breaking removedValue integer → "]),
      ("{type: string}", "{type: [string, integer]}", ["compatible addedValue  → integer"]),
      ("{type: boolean}", "{type: [string, integer]}", ["breaking type boolean → one of string, integer"]),
      (
        "{oneOf: [{type: string}, {type: integer}], nullable: true}", "{oneOf: [{type: string}, {type: integer}]}",
        ["breaking nullable can be null → never null"]
      ),
      // Limits that are not part of the range.
      ("{type: integer, minimum: 0, exclusiveMinimum: true}", "{type: integer, exclusiveMinimum: 0}", []),
      ("{type: integer, exclusiveMaximum: 9}", "{type: integer, maximum: 8}", []),
      (
        "{type: number, minimum: 0}", "{type: number, minimum: 0, exclusiveMinimum: true}",
        ["breaking tightened 0 or more → more than 0"]
      ),
      (
        "{type: number, maximum: 1.5}", "{type: number, exclusiveMaximum: 1.5}",
        ["breaking tightened 1.5 or less → less than 1.5"]
      ),
      // Values that contain themselves.
      ("{$ref: '#/components/schemas/Tree'}", "{$ref: '#/components/schemas/Tree'}", []),
      ("{$ref: '#/components/schemas/JSON'}", "{$ref: '#/components/schemas/JSON'}", []),
    ] as [(String, String, [String])])
  func documentsOfOtherToolsAreRead(before: String, after: String, lines: [String]) throws {
    let changes = try ContractDiff(from: Self.contract(field: before), to: Self.contract(field: after)).changes
    #expect(changes.allSatisfy { $0.place == "make.field" })
    #expect(changes.map { $0.line.replacing("make.field: ", with: "") } == lines, "\(before) → \(after)")
  }

  /// A contract with a field in a request.
  private static func contract(field: String) throws -> DescribedContract {
    let schema = "{type: object, properties: {field: \(field)}}"
    let text = """
      openapi: 3.0.3
      paths:
        /things:
          post:
            operationId: make
            requestBody: {content: {application/json: {schema: \(schema)}}}
            responses: {"200": {description: made}}
      components:
        schemas:
          Color: {type: string, enum: [red, blue]}
          Tree: {type: array, items: {$ref: '#/components/schemas/Tree'}}
          JSON:
            anyOf:
              - {type: string}
              - {type: array, items: {$ref: '#/components/schemas/JSON'}}
              - {type: object, additionalProperties: {$ref: '#/components/schemas/JSON'}}
      """
    return try DescribedContract(openAPI: try YAMLReader.value(of: text))
  }

  /// A response that loses one of its options surprises no client.
  @Test func aResponseWithFewerOptionsIsCompatible() throws {
    #expect(
      try Self.changes("owner: {anyOf: [{$ref: '#/components/schemas/Owner'}, {type: 'null'}]}", to: "owner: {}")
        .map(\.line) == ["breaking type Pet.owner: Owner or null → any value"])
    let union = Self.text.replacing("age: {type: integer, format: int32}", with: "age: {type: [string, boolean]}")
    let single = Self.text.replacing("age: {type: integer, format: int32}", with: "age: {type: string}")
    let old = try DescribedContract(openAPI: try YAMLReader.value(of: union))
    let new = try DescribedContract(openAPI: try YAMLReader.value(of: single))
    #expect(ContractDiff(from: old, to: new).changes.map(\.line) == ["compatible removedValue Pet.age: boolean → "])
    #expect(
      ContractDiff(from: new, to: old).changes.map(\.line) == [
        "breaking type Pet.age: string → one of string, boolean"
      ])
  }

  @Test func aRemovedFieldOfAClosedRequestIsRefused() throws {
    let closed = "NewPet:\n      additionalProperties: false\n"
    for (text, meaning) in [
      ("NewPet:\n", "The value that clients send is ignored."), (closed, "Requests with it get 400."),
    ] {
      let document = Self.text.replacing("NewPet:\n", with: text)
        .replacing("        tag: {type: string, nullable: true}", with: "        other: {type: boolean}")
      let new = try DescribedContract(openAPI: try YAMLReader.value(of: document))
      let old = try DescribedContract(openAPI: try YAMLReader.value(of: Self.text))
      let removal = ContractDiff(from: old, to: new).changes.first { $0.kind == .removedField }
      #expect(removal?.place == "NewPet.tag" && removal?.meaning == meaning, "\(text)")
    }
  }

  @Test func bodiesHaveToBeSentInAnotherWay() throws {
    let body = "requestBody:\n        required: true\n        content: {application/json:"
    let optional = body.replacing("required: true", with: "required: false")
    #expect(
      try Self.changes(body, to: optional).map(\.line) == [
        "compatible optional POST /pets request: required → optional"
      ])
    let old = try DescribedContract(openAPI: try YAMLReader.value(of: Self.text.replacing(body, with: optional)))
    let new = try DescribedContract(openAPI: try YAMLReader.value(of: Self.text))
    #expect(
      ContractDiff(from: old, to: new).changes.map(\.line) == [
        "breaking required POST /pets request: optional → required"
      ])
  }

  @Test(arguments: [
    ("application/x-www-form-urlencoded", "breaking", "breaking"),
    ("application/vnd.pet+json", "breaking", "dangerous"),
    ("'*/*'", "", ""), ("application/json; charset=utf-8", "", ""),
  ]) func mediaTypesAreCompared(type: String, request: String, response: String) throws {
    let request = request.isEmpty ? [] : ["\(request) contentType POST /pets request: application/json → \(type)"]
    #expect(
      try Self.changes(
        "content: {application/json: {schema: {$ref: '#/components/schemas/NewPet'",
        to: "content: {\(type): {schema: {$ref: '#/components/schemas/NewPet'"
      ).map(\.line) == request)
    let response = response.isEmpty ? [] : ["\(response) contentType getPet response: application/json → \(type)"]
    #expect(
      try Self.changes(
        "\"200\": {content: {application/json:", to: "\"200\": {content: {\(type):"
      ).map(\.line) == response)
  }

  @Test(arguments: [
    ("openapi: 3.1.0", "swagger: '2.0'", "Swagger"),
    ("'#/components/schemas/NewPet'", "'other.yaml#/Pet'", "another file"),
    ("'#/components/schemas/NewPet'", "'#/components/schemas/Missing'", "Missing"), ("get:", "x-get:", ""),
    ("{$ref: '#/components/schemas/Pet'}}}}\n        \"404\"", "{}", ""),
  ]) func otherDocumentsAreRefused(text: String, other: String, problem: String) throws {
    if problem.isEmpty { return }
    let error = #expect(throws: DescriptionError.self) { try Self.changes(text, to: other) }
    #expect(error.map { "\($0)" }?.contains(problem) == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test func schemasThatContainThemselvesEnd() throws {
    for schema in ["{$ref: '#/components/schemas/Pet'}", "{allOf: [{$ref: '#/components/schemas/NewPet'}]}"] {
      let text = Self.text.replacing("    NewPet:\n", with: "    NewPet: \(schema)\n    Old:\n")
      let document = try YAMLReader.value(of: text)
      _ = try? DescribedContract(openAPI: document)
    }
  }

  /// The document of the contract equals itself, and shows a change of a limit.
  @Test func theDocumentOfTheSDKIsCompared() throws {
    let document = OpenAPIDocument().json
    let contract = try DescribedContract(openAPI: document)
    #expect(ContractDiff(from: contract, to: contract).changes.isEmpty)
    let text = String(decoding: document.jsonUTF8, as: UTF8.self).replacing(
      "\"/api/v1/graph/follow\"", with: "\"/follow\"")
    let other = try DescribedContract(openAPI: try JSONValue(jsonUTF8: Array(text.utf8)))
    #expect(
      ContractDiff(from: contract, to: other).changes.map(\.line) == [
        "breaking path graph.CreateFollow: /api/v1/graph/follow → /follow"
      ])
  }
}
