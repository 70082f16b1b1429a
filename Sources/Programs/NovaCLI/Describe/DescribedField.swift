import NovaContract
import NovaCore

/// A field as `nova describe` shows it: type, limits and comment.
struct DescribedField {
  let field: FieldDescriptor
  let message: MessageDescriptor
  /// The RPC whose request has the field; nil for responses and for messages on their own.
  var rpc: RPCDescriptor?

  /// `string`, `list of Post`, `map of string to int32`.
  var type: String {
    switch field.cardinality {
    case .singular: field.kind.words
    case .optional: "optional \(field.kind.words)"
    case .repeated: "list of \(field.kind.words)"
    case .map(let key): "map of \(key.words) to \(field.kind.words)"
    }
  }

  /// What values must be, a phrase for each rule: `1 to 100`, `one of public, followers, private`.
  var limits: [String] {
    var limits = [rule, bounds].compactMap(\.self)
    if let maximum = ContractTexts.nova.maximumLength(of: field, in: message) {
      limits.append("at most \(maximum) characters")
    }
    let values = ContractTexts.nova.knownValues(of: field, in: message)
    if !values.isEmpty { limits.append("one of \(values.joined(separator: ", "))") }
    if let pattern = ContractTexts.nova.pattern(of: field, in: message) { limits.append("matches \(pattern)") }
    if field.name == "limit", let page = rpc?.pageLimit {
      limits.append(page.defaultValue.map { "0 means \($0), at most \(page.maximum)" } ?? "at most \(page.maximum)")
    }
    for requirement in message.requirements where requirement.field == field.name {
      let values = requirement.values.filter { !$0.isEmpty }.joined(separator: ", ")
      limits.append("required if \(requirement.condition) is \(values)")
    }
    if field.isSecret { limits.append("secret") }
    return limits
  }

  /// Where a request has the field: `path`, `query` or `body`; nil outside of requests.
  var place: String? {
    guard let rpc else { return nil }
    if PathTemplate(rpc.http.path).variables.contains(field.name) { return "path" }
    return rpc.http.hasBody ? "body" : "query"
  }

  var comment: String { ContractTexts.nova.comment(of: "\(message.name).\(field.name)").joined(separator: " ") }

  private var rule: String? {
    switch field.rule {
    case .notEmpty: "not empty"
    case .notNegative: "0 or more"
    case .length(let minimum, let maximum?): "\(minimum) to \(maximum) characters"
    case .length(let minimum, nil): "at least \(minimum) characters"
    case .count(0, let maximum): "at most \(maximum) values"
    case .count(let minimum, let maximum): "\(minimum) to \(maximum) values"
    case .range(let minimum, let maximum): "\(minimum) to \(maximum)"
    case .httpURL: "an absolute http or https URL"
    case nil: nil
    }
  }

  private var bounds: String? {
    switch ContractTexts.nova.bounds(of: field, in: message) {
    case (let minimum?, let maximum?): "\(minimum) to \(maximum)"
    case (let minimum?, nil): "\(minimum) or more"
    case (nil, let maximum?): "at most \(maximum)"
    case (nil, nil): nil
    }
  }

  var json: JSONValue {
    .members(
      ("name", .string(field.name)), ("json_name", .string(field.jsonName)), ("number", .number("\(field.number)")),
      ("type", .string(type)), ("message", field.kind.message.map { .string($0) }), ("in", place.map { .string($0) }),
      ("limits", .array(limits.map { .string($0) })), ("is_secret", .bool(field.isSecret)),
      ("description", .string(comment)))
  }
}

extension MessageDescriptor {
  /// The fields of the message, as part of the request of `rpc` if there is one.
  func described(in rpc: RPCDescriptor? = nil) -> [DescribedField] {
    fields.map { DescribedField(field: $0, message: self, rpc: rpc) }
  }
}

extension FieldKind {
  /// The type's name: protobuf's, and messages without their package.
  fileprivate var words: String {
    switch self {
    case .unixSeconds: "int64 (Unix seconds)"
    case .timestamp: "timestamp"
    case .message(let name), .enumeration(let name): name.parts(between: ".", keepsEmpty: false).last ?? name
    default: "\(self)"
    }
  }

  /// The full name of the message.
  var message: String? { if case .message(let name) = self { name } else { nil } }
}
