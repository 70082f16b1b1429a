import NovaCore

/// The declarations of a `.proto` file that JSON clients can notice.
struct ProtoFile: Sendable {
  struct Message: Sendable {
    /// `nova.content_service.v1.Post`
    let name: String
    var fields: [Field] = []
  }

  struct Field: Sendable {
    let name: String
    let number: Int
    /// As it is written: relative to the message, or from the root with a dot.
    let type: String
    var keyOfMap: String?
    var isRepeated = false
    /// Whether absence is something else than the default.
    var hasPresence = false
    var isRequired = false
    var jsonName: String?
  }

  struct Enumeration: Sendable {
    let name: String
    var values: [String] = []
  }

  struct RPC: Sendable {
    let name: String
    /// The service's full name.
    let service: String
    let request: String
    let response: String
    let isStream: Bool
    let comment: [String]
    var rule: Rule?
  }

  /// Where an RPC is in HTTP, as `google.api.http` has it.
  struct Rule: Sendable {
    let method: String
    let path: String
    var body: String?
    var responseBody: String?
  }

  var package = ""
  var messages: [Message] = []
  var enumerations: [Enumeration] = []
  var rpcs: [RPC] = []

  /// Reads a file.
  ///
  /// - Parameter name: its name in errors.
  init(_ text: String, name: String) throws(DescriptionError) {
    var parser = ProtoParser(try ProtoTokens(text, file: name))
    try parser.parse()
    self = parser.file
  }

  fileprivate init() {}
}

/// Reads the declarations of a `.proto` file. What JSON clients cannot notice is skipped.
private struct ProtoParser {
  private var tokens: ProtoTokens
  var file = ProtoFile()
  private var depth = 0

  init(_ tokens: ProtoTokens) { self.tokens = tokens }

  mutating func parse() throws(DescriptionError) {
    while tokens.peek != .end {
      if tokens.takes("package") {
        file.package = try tokens.word()
        try tokens.expect(";")
      } else if tokens.takes("message") {
        try message(in: file.package)
      } else if tokens.takes("enum") {
        try enumeration(in: file.package)
      } else if tokens.takes("service") {
        try service()
      } else if tokens.takes(";") {
      } else if case .word(let word) = tokens.peek, Self.skipped.contains(word) {
        try tokens.skipStatement()
      } else {
        throw tokens.error("expected package, message, enum, or service")
      }
    }
  }

  private static let skipped: Set<String> = ["syntax", "edition", "import", "option", "extend"]

  private mutating func message(in scope: String) throws(DescriptionError) {
    depth += 1
    defer { depth -= 1 }
    if depth > 50 { throw tokens.error("more than 50 messages in each other") }
    let name = ProtoNames.join(scope, try tokens.word())
    var message = ProtoFile.Message(name: name)
    try tokens.expect("{")
    try members(of: &message, inOneof: false)
    file.messages.append(message)
  }

  private mutating func members(of message: inout ProtoFile.Message, inOneof: Bool) throws(DescriptionError) {
    while !tokens.takes("}") {
      if tokens.takes(";") { continue }
      if !inOneof, tokens.takes("message") {
        try self.message(in: message.name)
      } else if !inOneof, tokens.takes("enum") {
        try enumeration(in: message.name)
      } else if !inOneof, tokens.takes("oneof") {
        _ = try tokens.word()
        try tokens.expect("{")
        try members(of: &message, inOneof: true)
      } else if case .word(let word) = tokens.peek, ["option", "reserved", "extensions", "extend"].contains(word) {
        try tokens.skipStatement()
      } else {
        message.fields.append(try field(hasPresence: inOneof))
      }
    }
  }

  private mutating func field(hasPresence: Bool) throws(DescriptionError) -> ProtoFile.Field {
    var (isRepeated, isOptional, isRequired) = (false, hasPresence, false)
    var type = try tokens.word()
    switch type {
    case "repeated": (isRepeated, type) = (true, try tokens.word())
    case "optional": (isOptional, type) = (true, try tokens.word())
    case "required": (isRequired, type) = (true, try tokens.word())
    default: break
    }
    var key: String?
    if type == "map", tokens.takes("<") {
      key = try tokens.word()
      try tokens.expect(",")
      type = try tokens.word()
      try tokens.expect(">")
    }
    let name = try tokens.word()
    try tokens.expect("=")
    var field = ProtoFile.Field(
      name: name, number: try tokens.number(), type: type, keyOfMap: key, isRepeated: isRepeated,
      hasPresence: isOptional, isRequired: isRequired)
    field.jsonName = try optionalJSONName()
    try tokens.expect(";")
    return field
  }

  /// The options of a field, of which only `json_name` changes its JSON.
  private mutating func optionalJSONName() throws(DescriptionError) -> String? {
    guard tokens.takes("[") else { return nil }
    var name: String?
    var (depth, isName) = (1, false)
    while depth > 0 {
      switch tokens.take() {
      case .sign("["), .sign("{"): depth += 1
      case .sign("]"), .sign("}"): depth -= 1
      case .word("json_name") where depth == 1: isName = true
      case .sign(","): isName = false
      case .text(let text): if isName { name = text }
      case .end: throw tokens.error("expected ] after the options of a field")
      default: break
      }
    }
    return name
  }

  private mutating func enumeration(in scope: String) throws(DescriptionError) {
    var result = ProtoFile.Enumeration(name: ProtoNames.join(scope, try tokens.word()))
    try tokens.expect("{")
    while !tokens.takes("}") {
      if tokens.takes(";") { continue }
      if case .word(let word) = tokens.peek, word == "option" || word == "reserved" {
        try tokens.skipStatement()
        continue
      }
      result.values.append(try tokens.word())
      try tokens.expect("=")
      _ = try tokens.number()
      _ = try optionalJSONName()
      try tokens.expect(";")
    }
    file.enumerations.append(result)
  }

  private mutating func service() throws(DescriptionError) {
    let service = ProtoNames.join(file.package, try tokens.word())
    try tokens.expect("{")
    while !tokens.takes("}") {
      if tokens.takes(";") { continue }
      let comment = tokens.comment
      guard tokens.takes("rpc") else {
        guard tokens.peek == .word("option") else { throw tokens.error("expected rpc") }
        try tokens.skipStatement()
        continue
      }
      file.rpcs.append(try rpc(of: service, comment))
    }
  }

  private mutating func rpc(of service: String, _ comment: [String]) throws(DescriptionError) -> ProtoFile.RPC {
    let name = try tokens.word()
    let request = try type()
    try tokens.expect("returns")
    let response = try type()
    var rpc = ProtoFile.RPC(
      name: name, service: service, request: request.name, response: response.name, isStream: response.isStream,
      comment: comment)
    if tokens.takes(";") { return rpc }
    try tokens.expect("{")
    while !tokens.takes("}") {
      if tokens.takes(";") { continue }
      try tokens.expect("option")
      if tokens.takes("("), tokens.takes("google.api.http"), tokens.takes(")") {
        try tokens.expect("=")
        rpc.rule = try rule()
      } else {
        try tokens.skipStatement()
      }
    }
    return rpc
  }

  private mutating func type() throws(DescriptionError) -> (name: String, isStream: Bool) {
    try tokens.expect("(")
    var name = try tokens.word()
    var isStream = false
    if name == "stream", tokens.peek != .sign(")") { (isStream, name) = (true, try tokens.word()) }
    try tokens.expect(")")
    return (name, isStream)
  }

  /// The first binding; additional ones are other paths of the same RPC.
  private mutating func rule() throws(DescriptionError) -> ProtoFile.Rule? {
    try tokens.expect("{")
    var values: [String: String] = [:]
    while !tokens.takes("}") {
      let name = try tokens.word()
      if tokens.takes("{") || tokens.takes(":") && tokens.takes("{") {
        try skipBlock()
        continue
      }
      _ = tokens.takes(":")
      switch tokens.take() {
      case .text(let text), .word(let text): values[name] = text
      default: throw tokens.error("expected a text after \(name.printable(to: 40))")
      }
      _ = tokens.takes(",") || tokens.takes(";")
    }
    return ProtoNames.rule { values[$0] }
  }

  private mutating func skipBlock() throws(DescriptionError) {
    var depth = 1
    while depth > 0 {
      switch tokens.take() {
      case .sign("{"): depth += 1
      case .sign("}"): depth -= 1
      case .end: throw tokens.error("expected }, found the end of the file")
      default: break
      }
    }
  }
}

/// Names in `.proto` files.
enum ProtoNames {
  static func join(_ scope: String, _ name: String) -> String { scope.isEmpty ? name : "\(scope).\(name)" }

  /// The last part of a full name.
  static func last(_ name: String) -> String { name.parts(between: ".", keepsEmpty: false).last ?? name }

  /// The scope of a full name.
  static func scope(_ name: String) -> String {
    name.parts(between: ".", keepsEmpty: false).dropLast().joined(separator: ".")
  }

  /// The name in lowerCamelCase, as protobuf's JSON has it.
  static func lowerCamelCase(_ name: String) -> String {
    let parts = name.parts(between: "_", keepsEmpty: false)
    return parts.dropFirst().reduce(parts.first ?? "") { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
  }

  /// A rule from the members of `google.api.HttpRule`; nil without a path.
  static func rule(_ value: (String) -> String?) -> ProtoFile.Rule? {
    for method in ["get", "put", "post", "delete", "patch"] {
      guard let path = value(method) else { continue }
      return .init(method: method.uppercased(), path: path, body: value("body"), responseBody: value("response_body"))
    }
    return nil
  }
}
