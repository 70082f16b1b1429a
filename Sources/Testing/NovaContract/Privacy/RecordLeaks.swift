import NovaCore

/// Finds records in any answer that the caller may not see, judging by the records themselves: e-mail addresses of
/// others, drafts, private posts, settings.
struct RecordLeaks {
  let registry: RPCRegistry
  /// The user of the token.
  let caller: String
  private(set) var findings: [Finding] = []
  /// The users whose profiles are private.
  private(set) var privateUsers: [String] = []

  init(_ registry: RPCRegistry, caller: String) { (self.registry, self.caller) = (registry, caller) }

  /// Checks a successful answer.
  mutating func check(_ response: HTTPResponse, of rpc: RPCDescriptor) {
    guard !rpc.isServerStreaming, let message = response.message(of: rpc),
      let json = JSONValue(message, includesDefaults: false)
    else { return }
    check(json, rpc.responseType.descriptor, of: rpc, at: "")
  }

  private mutating func check(
    _ value: JSONValue, _ message: MessageDescriptor, of rpc: RPCDescriptor, at path: String
  ) {
    checkRecord(value, message, of: rpc, at: path)
    for field in message.fields {
      guard case .message(let name) = field.kind, let type = registry.message(named: name), let held = value[field.name]
      else { continue }
      let place = path.isEmpty ? field.name : "\(path).\(field.name)"
      switch (field.cardinality, held) {
      case (.map, .object(let members)):
        for member in members { check(member.value, type.descriptor, of: rpc, at: "\(place){}") }
      case (_, .array(let elements)):
        for element in elements { check(element, type.descriptor, of: rpc, at: "\(place)[]") }
      default: check(held, type.descriptor, of: rpc, at: place)
      }
    }
  }

  private mutating func checkRecord(
    _ value: JSONValue, _ message: MessageDescriptor, of rpc: RPCDescriptor, at path: String
  ) {
    func isOthers(_ field: String) -> Bool { value[field]?.stringValue.map { !$0.isEmpty && $0 != caller } ?? false }
    func isGiven(_ field: String) -> Bool { !(value[field]?.isDefault ?? true) }
    switch message.shortName {
    case "UserProfile" where isOthers("id"):
      if value["is_private"] == .bool(true), let id = value["id"]?.stringValue { privateUsers.append(id) }
      if isGiven("email") { add("the e-mail address of another user", of: rpc, at: path, field: "email") }
    case "User" where isOthers("id") && isGiven("email"):
      add("the e-mail address of another user", of: rpc, at: path, field: "email")
    case "UserSettings" where isOthers("user_id"): add("the settings of another user", of: rpc, at: path)
    case "Something" where isOthers("user_id"): add("a capture of another user", of: rpc, at: path)
    case "Post" where isOthers("creator_id"):
      if let status = value["status"]?.stringValue, ["draft", "archived"].contains(status) {
        add(status == "draft" ? "a draft of another user" : "an archived post of another user", of: rpc, at: path)
      } else if value["privacy"]?.stringValue == "private" {
        add("a private post of another user", of: rpc, at: path)
      }
    default: break
    }
  }

  private mutating func add(_ what: String, of rpc: RPCDescriptor, at path: String, field: String? = nil) {
    let place = [path, field ?? ""].filter { !$0.isEmpty }.joined(separator: ".")
    findings.add(
      .leak, at: place, expected: "without it",
      found: "leak: \(rpc.method) shows \(what) to the token's user; answer without it")
  }
}

extension RecordLeaks {
  /// The leak in an answer about a user that the check does not act as, if there is one.
  ///
  /// - Parameters:
  ///   - fields: the fields of a response that must have no value.
  ///   - what: what a leak shows: `the settings of another user`.
  static func findings(
    _ response: HTTPResponse, of rpc: RPCDescriptor, fields: [String], showing what: String
  ) -> [Finding] {
    guard let json = response.message(of: rpc).flatMap({ JSONValue($0) }) else { return [] }
    let isShown = fields.contains { name in
      let value = name.split(separator: ".").reduce(Optional(json)) { value, name in value?[String(name)] }
      return value.map { !$0.isDefault } ?? false
    }
    guard isShown else { return [] }
    let required = "PERMISSION_DENIED, or without it"
    return [
      Finding(
        .leak, .breaking, expected: required,
        found: "leak: \(rpc.method) shows \(what) to the token's user; answer \(required)")
    ]
  }
}
