extension ServerError {
  /// The error in a body's `detail`: FastAPI's text, FastAPI's list of field errors, or problem details as in RFC 9457
  /// (`type`, `title`, `status`, `detail`). Nil if there is none.
  package init?(problem json: JSONValue) {
    switch json["detail"] {
    case .array(let problems)?:
      let fields = problems.compactMap { FieldProblem($0) }
      guard let first = fields.first else { return nil }
      var metadata: [String: String] = [:]
      for field in fields { metadata.add(field.message, named: field.place) }
      self.init(code: first.type, message: fields.map(\.sentence).joined(separator: "; "), metadata: metadata)
    case .object?:
      // A custom object of a FastAPI service.
      guard let detail = json["detail"], let message = detail["message"]?.stringValue ?? detail["msg"]?.stringValue
      else { return nil }
      self.init(code: detail["code"]?.stringValue ?? "", message: message)
    case .string(let text)?: self.init(code: Self.kind(json), message: text, metadata: Self.title(json))
    default:
      guard let title = json["title"]?.stringValue else { return nil }
      self.init(code: Self.kind(json), message: title)
    }
  }

  /// The problem type; `about:blank` means none.
  private static func kind(_ json: JSONValue) -> String {
    json["type"]?.stringValue.flatMap { $0 == "about:blank" ? nil : $0 } ?? ""
  }

  private static func title(_ json: JSONValue) -> [String: String] {
    json["title"]?.stringValue.map { ["title": $0] } ?? [:]
  }
}

extension [String: String] {
  /// Adds a value, unless there is one of this name.
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

  init?(_ json: JSONValue) {
    guard let message = json["msg"]?.stringValue else { return nil }
    self.message = message
    type = json["type"]?.stringValue ?? ""
    guard case .array(let steps)? = json["loc"] else {
      place = ""
      return
    }
    place = steps.compactMap { $0.stringValue ?? $0.integerValue.map(String.init) }.joined(separator: ".")
  }

  var sentence: String { place.isEmpty ? message : "\(place): \(message)" }
}
