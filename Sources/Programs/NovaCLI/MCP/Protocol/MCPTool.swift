import NovaCore

/// A tool that a model can call.
struct MCPTool: Sendable {
  /// What a tool can do, for clients that ask their user first.
  enum Effect: Sendable {
    case reads
    /// It adds or changes something.
    case changes
    /// It removes or replaces something.
    case removes
  }

  /// The name, which models use.
  let name: String
  /// The name for people.
  let title: String
  /// What the tool does, for models.
  let description: String
  let parameters: [MCPParameter]
  let effect: Effect
  /// Whether it sends something to a gateway.
  let isRemote: Bool
  /// Runs the tool, and returns its result as text.
  let run: @Sendable (MCPArguments, MCPProgress) async throws -> String

  init(
    _ name: String, title: String, _ description: String, parameters: [MCPParameter] = [], effect: Effect = .reads,
    isRemote: Bool = true, run: @escaping @Sendable (MCPArguments, MCPProgress) async throws -> String
  ) {
    (self.name, self.title, self.description) = (name, title, description)
    (self.parameters, self.effect, self.isRemote, self.run) = (parameters, effect, isRemote, run)
  }

  var json: JSONValue {
    [
      "name": .string(name), "title": .string(title), "description": .string(description),
      "inputSchema": [
        "type": "object",
        "properties": .object(parameters.map { .init(name: $0.name, value: $0.schema) }),
        "required": .strings(parameters.filter(\.isRequired).map(\.name)), "additionalProperties": false,
      ],
      "annotations": [
        "title": .string(title), "readOnlyHint": .bool(effect == .reads),
        "destructiveHint": effect == .reads ? nil : .bool(effect == .removes), "openWorldHint": .bool(isRemote),
      ],
    ]
  }
}

/// A parameter of a tool.
struct MCPParameter: Sendable {
  enum Kind: Sendable {
    case text, flag, object, texts
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Int>)
  }

  let name: String
  let kind: Kind
  let description: String
  var isRequired = false

  init(_ name: String, _ kind: Kind, help description: String, isRequired: Bool = false) {
    (self.name, self.kind, self.description, self.isRequired) = (name, kind, description, isRequired)
  }

  /// The JSON schema of its values.
  var schema: JSONValue {
    let description = JSONValue.string(description)
    switch kind {
    case .text: return ["type": "string", "description": description]
    case .flag: return ["type": "boolean", "description": description]
    case .object: return ["type": "object", "description": description]
    case .texts: return ["type": "array", "items": ["type": "string"], "description": description]
    case .integer(let range):
      return [
        "type": "integer", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound),
        "description": description,
      ]
    case .number(let range):
      return [
        "type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound),
        "description": description,
      ]
    }
  }

  /// Why a value is invalid; nil if it is valid.
  func problem(with value: JSONValue) -> String? {
    let isValid =
      switch kind {
      case .text: value.stringValue != nil
      case .flag: value == .bool(true) || value == .bool(false)
      case .object: value.memberList != nil
      case .texts: value.elements?.allSatisfy { $0.stringValue != nil } ?? false
      case .integer(let range): value.integerValue.map(range.contains) ?? false
      case .number(let range):
        value.doubleValue.map { $0 >= Double(range.lowerBound) && $0 <= Double(range.upperBound) } ?? false
      }
    return isValid ? nil : "invalid argument: \(name) must be \(expectation), found \(value.kindDescription)"
  }

  private var expectation: String {
    switch kind {
    case .text: "a text"
    case .flag: "true or false"
    case .object: "an object"
    case .texts: "a list of texts"
    case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
    }
  }
}

/// The arguments of a call of a tool, which are valid.
struct MCPArguments: Sendable {
  private let json: JSONValue

  /// - Throws: ``Failure`` for arguments that are unknown, missing or invalid.
  init(_ json: JSONValue, of tool: MCPTool) throws {
    let known = tool.parameters.map(\.name)
    for member in json.memberList ?? [] where member.value != .null {
      guard let parameter = tool.parameters.first(where: { $0.name == member.name }) else {
        let guess = Suggestions.question(for: member.name, among: known)
        let all = known.isEmpty ? "It has no arguments." : "Arguments: \(known.joined(separator: ", "))."
        throw Failure("unknown argument \(member.name.quoted) of \(tool.name)\(guess)", hint: all, .badData)
      }
      if let problem = parameter.problem(with: member.value) { throw Failure(problem, .badData) }
    }
    if let missing = tool.parameters.first(where: { $0.isRequired && (json[$0.name] ?? .null) == .null }) {
      throw Failure("missing argument: \(missing.name)", hint: missing.description, .badData)
    }
    self.json = json
  }

  /// The value of an argument; nil if it is absent or null.
  subscript(name: String) -> JSONValue? { json[name].flatMap { $0 == .null ? nil : $0 } }

  func text(_ name: String) -> String? { self[name]?.stringValue }
  func integer(_ name: String) -> Int? { self[name]?.integerValue }
  func flag(_ name: String) -> Bool? { self[name].map { $0 == .bool(true) } }
  func texts(_ name: String) -> [String]? { self[name]?.elements?.compactMap(\.stringValue) }
  func duration(_ name: String) -> Duration? { self[name]?.doubleValue.map { .seconds(1) * $0 } }
}
