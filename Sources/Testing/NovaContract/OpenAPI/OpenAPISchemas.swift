import NovaCore

/// The schemas of the contract's messages, as JSON Schema 2020-12.
///
/// The schema of a message in requests describes what clients must send, the one in responses what the gateway writes. A
/// message that occurs in both has two schemas. So has a message that requires fewer fields in a list than alone:
/// `Announcement` and `AnnouncementItem`.
struct OpenAPISchemas {
  enum Direction: Hashable { case request, response }

  private struct Use: Hashable {
    let message: String
    let direction: Direction
    /// The list that it is an item of, if its items have requirements of their own.
    var list: String?
  }

  let registry: RPCRegistry
  let texts: ContractTexts
  /// All messages that operations refer to, in the order in which they are found.
  private var uses: [Use] = []

  init(_ registry: RPCRegistry, _ texts: ContractTexts) {
    (self.registry, self.texts) = (registry, texts)
    for rpc in registry.rpcs {
      // Values in a path or a query are parameters.
      if rpc.http.hasBody { collect(rpc.requestType.descriptor, .request) }
      if !rpc.responseType.descriptor.fields.isEmpty, rpc.http.responseField == nil {
        collect(rpc.responseType.descriptor, .response)
      } else {
        collectFields(of: rpc.responseType.descriptor, .response)
      }
    }
  }

  private mutating func collectFields(of message: MessageDescriptor, _ direction: Direction) {
    for field in message.fields {
      guard let name = field.messageName, let type = registry.message(named: name) else { continue }
      collect(type.descriptor, direction, in: Self.list(of: field, in: message, direction))
    }
  }

  private mutating func collect(_ message: MessageDescriptor, _ direction: Direction, in list: String? = nil) {
    let use = Use(message: message.name, direction: direction, list: list)
    guard !uses.contains(use) else { return }
    uses.append(use)
    collectFields(of: message, direction)
  }

  static func list(
    of field: FieldDescriptor, in message: MessageDescriptor, _ direction: Direction
  ) -> String? {
    direction == .response ? FieldRequirements.list(of: field, in: message) : nil
  }

  /// All schemas, by name.
  var components: [JSONValue.Member] {
    uses.compactMap { use in
      guard let message = registry.message(named: use.message)?.descriptor else { return nil }
      return JSONValue.Member(
        name: name(of: use), value: object(message, use, without: variables(of: message)))
    }.sorted { $0.name < $1.name }
  }

  /// A reference to the schema of a message.
  func reference(to message: MessageDescriptor, _ direction: Direction) -> JSONValue {
    Self.reference("schemas", name(of: Use(message: message.name, direction: direction)))
  }

  static func reference(_ kind: String, _ name: String) -> JSONValue {
    ["$ref": "#/components/\(kind)/\(name)"]
  }

  private func name(of use: Use) -> String {
    let short = use.message.parts(between: ".", keepsEmpty: false).last ?? use.message
    let isUsedTwice = use.direction == .request && uses.contains(Use(message: use.message, direction: .response))
    if use.list != nil { return "\(short)Item" }
    return isUsedTwice ? "\(short)Input" : short
  }

  /// The fields of a request that are in its path.
  private func variables(of message: MessageDescriptor) -> [String] {
    registry.rpcs.filter { $0.requestType.descriptor === message }.flatMap { PathTemplate($0.http.path).variables }
  }

  private func object(
    _ message: MessageDescriptor, _ use: Use, without variables: [String]
  ) -> JSONValue {
    let direction = use.direction
    let fields = message.fields.filter { !variables.contains($0.name) }
    let required = fields.filter { field in
      direction == .request
        ? texts.isRequired(field, in: message) : Self.isAlwaysWritten(field, in: message, of: use.list)
    }
    let rpc = registry.rpcs.first { $0.requestType.descriptor === message }
    let json =
      rpc.map(ExampleMessage.request) ?? ExampleMessage(registry, texts, names: message.names).response(message)
    let members = (json.memberList ?? []).filter { member in
      fields.contains { $0.writtenName(message.names) == member.name }
    }
    return [
      "type": "object", "description": description(of: message.name),
      "required": required.isEmpty ? nil : .array(required.map { .string($0.writtenName(message.names)) }),
      "properties": .object(
        fields.map {
          .init(name: $0.writtenName(message.names), value: schema(of: $0, in: message, direction, list: use.list))
        }),
      "allOf": direction == .request ? conditions(of: message) : nil, "examples": [.object(members)],
    ]
  }

  /// The fields that are required only for certain values of others.
  private func conditions(of message: MessageDescriptor) -> JSONValue? {
    func name(_ field: String) -> String { message.field(named: field)?.writtenName(message.names) ?? field }
    let conditions = message.requirements.map { requirement -> JSONValue in
      let condition = name(requirement.condition), field = name(requirement.field)
      let values = requirement.values.filter { !$0.isEmpty }.map { JSONValue.string($0) }
      // The condition also holds for an absent value, if that means one of these.
      let isOptional = requirement.values.contains("")
      return [
        "if": [
          "required": isOptional ? nil : [.string(condition)],
          "properties": .members((condition, ["enum": .array(values + (isOptional ? [.null] : []))])),
        ],
        "then": [
          "required": [.string(field)], "properties": .members((field, ["type": "string", "minLength": 1])),
        ],
      ]
    }
    return conditions.isEmpty ? nil : .array(conditions)
  }

  /// Whether the gateway writes a field of a response even if it has its default. A message, an optional value and what
  /// ``FieldMeaning`` lists can be absent.
  private static func isAlwaysWritten(
    _ field: FieldDescriptor, in message: MessageDescriptor, of list: String?
  ) -> Bool {
    let requirements = FieldRequirements(of: message, in: list)
    if requirements.neverAbsent(field) { return true }
    if requirements.mayBeAbsent(field) || field.messageName != nil && field.cardinality == .singular { return false }
    return FieldMeaning.eitherOf[message.name]?[field.name] == nil
  }

  /// The schema of a field with its description.
  ///
  /// - Parameter list: the list that the message is an item of, if its items have requirements of their own.
  func schema(
    of field: FieldDescriptor, in message: MessageDescriptor, _ direction: Direction, list: String? = nil
  ) -> JSONValue {
    FieldSchema(field: field, message: message, direction: direction, list: list, schemas: self).json
  }

  func reference(_ message: String, _ direction: Direction, in list: String?) -> JSONValue {
    guard registry.message(named: message) != nil else { return .object([]) }
    return Self.reference("schemas", name(of: Use(message: message, direction: direction, list: list)))
  }

  private func description(of name: String) -> JSONValue? {
    let paragraphs = texts.comment(of: name)
    return paragraphs.isEmpty ? nil : .string(paragraphs.joined(separator: "\n\n"))
  }
}
