/// A server's own description of a failure.
public struct ServerError: Sendable, Equatable {
  /// The server's own code, for example `USER_NOT_FOUND`; empty if it named none.
  public var code: String
  /// The server's message for people; may be any text.
  public var message: String
  /// Further values, by name.
  public var metadata: [String: String]

  /// Creates a server's error.
  public init(code: String = "", message: String = "", metadata: [String: String] = [:]) {
    self.code = code
    self.message = message
    self.metadata = metadata
  }
}

extension ServerError {
  /// The error in a body's `detail`: FastAPI's text, FastAPI's list of field errors, or problem details as in RFC 9457
  /// (`type`, `title`, `status`, `detail`). Nil if absent.
  package init?(problem json: JSONValue) {
    switch json["detail"] {
    case .array(let problems)?:
      self.init(fields: problems)
    case .object?:
      // A custom object of a FastAPI service.
      guard let detail = json["detail"], let message = detail.text("message") ?? detail.text("msg") else { return nil }
      self.init(code: detail.text("code") ?? "", message: message)
    case .string(let text)?:
      self.init(code: Self.kind(json), message: text)
      if let title = json.text("title") { metadata.add(title, named: "title") }
      if let code = json.text("code"), code != self.code { metadata.add(code, named: "code") }
    default:
      guard let title = json.text("title") else { return nil }
      self.init(code: Self.kind(json), message: title)
    }
  }

  /// The problem type; `about:blank` means none, and then a `code` that the service has added.
  private static func kind(_ json: JSONValue) -> String {
    let type = json.text("type") ?? ""
    return type.isEmpty || type == "about:blank" ? json.text("code") ?? "" : type
  }

  /// FastAPI's errors for fields; nil if the list has none.
  private init?(fields problems: [JSONValue]) {
    var (first, message): (FieldProblem?, String) = (nil, "")
    var metadata: [String: String] = [:]
    for problem in problems {
      guard let field = FieldProblem(problem) else { continue }
      message += first == nil ? field.sentence : "; \(field.sentence)"
      first = first ?? field
      metadata.add(field.message, named: field.place)
    }
    guard let first else { return nil }
    self.init(code: first.type, message: message, metadata: metadata)
  }
}

extension JSONValue {
  /// The text of the member with this name; nil if it is absent or not a text.
  @inline(never)
  package func text(_ name: String) -> String? { self[name]?.stringValue }
}

extension [String: String] {
  /// The names in order.
  @inline(never)
  var names: [String] {
    var names: [String] = []
    for (name, _) in self { names.append(name) }
    return names.inOrder()
  }

  /// Adds a value, unless the name already has one.
  @inline(never)
  mutating func add(_ value: String, named name: String) {
    if self[name] == nil { self[name] = value }
  }
}

/// FastAPI's error for one field: `{"loc":["body","content_type"],"msg":"Field required","type":"missing"}`.
private struct FieldProblem {
  /// `body.content_type`
  let place: String
  let message: String
  let type: String

  @inline(never)
  init?(_ json: JSONValue) {
    guard let message = json.text("msg") else { return nil }
    self.message = message
    type = json.text("type") ?? ""
    var place: [String] = []
    for step in json["loc"]?.elements ?? [] {
      if let name = step.stringValue ?? step.integerValue.map(String.init) { place.append(name) }
    }
    self.place = place.joined(separator: ".")
  }

  var sentence: String { place.isEmpty ? message : "\(place): \(message)" }
}
