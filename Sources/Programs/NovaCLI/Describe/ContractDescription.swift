import NovaContract
import NovaSDK

/// What `nova describe` describes.
enum ContractDescription {
  case service(String, rpcs: [RPCDescriptor])
  case rpc(RPCDescriptor)
  case message(MessageDescriptor)

  /// The services by their short names, in the contract's order.
  static let services = RPCRegistry.nova.rpcs.map(\.service).withoutRepeats().map { service in
    (name: service, rpcs: RPCRegistry.nova.rpcs.filter { $0.service == service })
  }

  /// Finds a service, an RPC or a message by its short or full name, regardless of case.
  init?(named name: String) {
    let folded = name.lowercased()
    if let service = Self.services.first(where: {
      $0.name == folded || $0.rpcs.first?.package.lowercased() == folded || "\($0.name)service" == folded
    }) {
      self = .service(service.name, rpcs: service.rpcs)
    } else if let rpc = RPCRegistry.nova.rpc(named: name) ?? Self.rpc(ofMethod: folded) {
      self = .rpc(rpc)
    } else if let message = RPCRegistry.nova.message(named: name) {
      self = .message(message.descriptor)
    } else {
      return nil
    }
  }

  /// The RPC with this method name, which most people type without the service, if there is only one.
  private static func rpc(ofMethod name: String) -> RPCDescriptor? {
    let found = RPCRegistry.nova.rpcs.filter { $0.method.lowercased() == name }
    return found.count == 1 ? found[0] : nil
  }

  /// All names that can be described.
  static var names: [String] {
    services.map(\.name) + RPCRegistry.nova.rpcs.map(\.id) + RPCRegistry.nova.messages.map { $0.descriptor.shortName }
  }

  static func comment(of name: String) -> [String] { ContractTexts.nova.comment(of: name) }
}

extension ContractDescription {
  /// The description for people.
  func write(to text: inout DescriptionText) {
    switch self {
    case .service(let name, let rpcs):
      text.title(name)
      for paragraph in Self.comment(of: rpcs.first?.package ?? "") { text.paragraph(paragraph) }
      text.section("RPCS")
      text.list(rpcs.map { ($0.id, $0.summary) })
    case .rpc(let rpc): Self.write(rpc, to: &text)
    case .message(let message):
      text.title(message.shortName)
      for paragraph in Self.comment(of: message.name) { text.paragraph(paragraph) }
      Self.write(message.described(), as: "FIELDS", to: &text)
      let users = RPCRegistry.nova.rpcs.filter {
        $0.requestType.descriptor.name == message.name || $0.responseType.descriptor.name == message.name
      }
      if !users.isEmpty {
        text.section("RPCS")
        text.list(users.map { ($0.id, $0.summary) })
      }
    }
  }

  private static func write(_ rpc: RPCDescriptor, to text: inout DescriptionText) {
    text.title(rpc.id)
    for paragraph in comment(of: rpc.fullName) { text.paragraph(paragraph) }
    text.section("CALL")
    text.list(
      [
        ("HTTP", "\(rpc.http.method.rawValue) \(rpc.http.path), answered with \(rpc.http.successStatus)"),
        ("effect", rpc.effect.sentence),
        ("token", rpc.requiresAuthentication ? "required" : "not required"),
        ("request", rpc.requestType.descriptor.shortName), ("response", rpc.responseType.descriptor.shortName),
      ] + (rpc.timeout.map { [("timeout", "\($0.components.seconds) s")] } ?? []))
    write(rpc.requestType.descriptor.described(in: rpc), as: "REQUEST FIELDS", to: &text)
    write(rpc.responseType.descriptor.described(), as: "RESPONSE FIELDS", to: &text)
    let errors = ContractTexts.nova.errors(of: rpc)
    if !errors.isEmpty {
      text.section("ERRORS")
      text.list(errors.map { ($0.status.description, $0.reason) })
    }
    text.section("EXAMPLE")
    text.verbatim("\(ExampleMessage.command(of: rpc)) --mock")
  }

  private static func write(_ fields: [DescribedField], as heading: String, to text: inout DescriptionText) {
    guard !fields.isEmpty else { return }
    text.section(heading)
    text.list(
      fields.map { field in
        let facts =
          ([field.type] + field.limits + [field.place].compactMap { $0 == "body" ? nil : $0.map { "in the \($0)" } })
        return (field.field.name, "\(facts.joined(separator: "; ")). \(field.comment)")
      })
    let messages = Set(fields.compactMap(\.field.kind.message)).sorted()
    let names = messages.map { $0.parts(between: ".", keepsEmpty: false).last ?? $0 }
    if !names.isEmpty { text.paragraph("See `nova describe` \(names.joined(separator: ", ")).", indent: 2) }
  }
}

extension ContractDescription {
  var json: JSONValue {
    switch self {
    case .service(let name, let rpcs): Self.json(name, rpcs, isWhole: true)
    case .rpc(let rpc): Self.json(rpc)
    case .message(let message): Self.json(message, in: nil)
    }
  }

  static func json(_ service: String, _ rpcs: [RPCDescriptor], isWhole: Bool) -> JSONValue {
    let package = rpcs.first?.package ?? ""
    return .members(
      ("service", .string(service)), ("name", .string(package)),
      ("description", .string(comment(of: package).joined(separator: " "))),
      ("rpcs", .array(rpcs.map { isWhole ? json($0) : .string($0.id) })))
  }

  static func json(_ rpc: RPCDescriptor) -> JSONValue {
    let errors = ContractTexts.nova.errors(of: rpc).map { error in
      JSONValue.members(("status", .string(error.status.description)), ("reason", .string(error.reason)))
    }
    return .members(
      ("rpc", .string(rpc.id)), ("name", .string(rpc.fullName)), ("summary", .string(rpc.summary)),
      ("description", .string(comment(of: rpc.fullName).joined(separator: " "))),
      ("effect", .string(rpc.effect.words)), ("method", .string(rpc.http.method.rawValue)),
      ("path", .string(rpc.http.path)), ("success_status", .number("\(rpc.http.successStatus)")),
      ("requires_token", .bool(rpc.requiresAuthentication)),
      ("request", json(rpc.requestType.descriptor, in: rpc)), ("response", json(rpc.responseType.descriptor, in: nil)),
      ("errors", .array(errors)), ("example", ExampleMessage.request(of: rpc)))
  }

  private static func json(_ message: MessageDescriptor, in rpc: RPCDescriptor?) -> JSONValue {
    .members(
      ("message", .string(message.shortName)), ("name", .string(message.name)),
      ("description", .string(comment(of: message.name).joined(separator: " "))),
      ("fields", .array(message.described(in: rpc).map(\.json))))
  }
}

extension RPCEffect {
  /// What repeating a call does.
  fileprivate var sentence: String {
    switch self {
    case .noSideEffects: "reads: changes nothing"
    case .idempotent: "writes: repeating it changes nothing more"
    case .notIdempotent: "writes: repeating it may do it twice"
    }
  }
}
