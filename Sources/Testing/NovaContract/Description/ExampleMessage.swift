package import NovaCore

/// Examples of the contract's messages: requests that the mock backend accepts, and responses with all their fields.
package struct ExampleMessage {
  private let registry: RPCRegistry
  private let texts: ContractTexts
  /// How names are written.
  private let names: JSONNameStyle

  init(_ registry: RPCRegistry, _ texts: ContractTexts = .nova, names: JSONNameStyle) {
    (self.registry, self.texts, self.names) = (registry, texts, names)
  }

  /// The request of an RPC: the fields that it needs, and those that show what it does.
  package static func request(of rpc: RPCDescriptor) -> JSONValue {
    let values = ofRPC[rpc.id] ?? []
    let style = rpc.http.names
    return .object(
      rpc.requestType.descriptor.fields.compactMap { field in
        let value = values.first { $0.field == field.name }?.value ?? inRequests[field.name]
        guard let value, value != .null else { return nil }
        let isList = field.cardinality == .repeated
        return JSONValue.Member(
          name: style == .proto ? field.name : field.jsonName,
          value: isList && value.elements == nil ? .array([value]) : value)
      })
  }

  /// The request as an argument of `nova call`, in quotes for a shell.
  package static func command(of rpc: RPCDescriptor) -> String {
    let json = request(of: rpc)
    let text = String(decoding: json.jsonUTF8, as: UTF8.self)
    return "nova call \(rpc.id)\(json.memberList?.isEmpty == false ? " '\(text)'" : "")"
  }

  /// A response with all its fields, except those of failures and of things that did not happen yet.
  func response(_ message: MessageDescriptor) -> JSONValue {
    object(message) { field in field.name != "error" && (field.cardinality != .optional || field.name != "deleted_at") }
  }

  private func object(_ message: MessageDescriptor, including isIncluded: (FieldDescriptor) -> Bool) -> JSONValue {
    .object(
      message.fields.filter(isIncluded).map { field in
        JSONValue.Member(name: names == .proto ? field.name : field.jsonName, value: value(of: field, in: message))
      })
  }

  private func value(of field: FieldDescriptor, in message: MessageDescriptor) -> JSONValue {
    let single = single(field, in: message)
    switch field.cardinality {
    case .singular, .optional: return single
    case .repeated:
      if let list = Self.inRequests[field.name], list.elements != nil { return list }
      return .array([single])
    case .map(let key):
      let name = key == .string ? (field.name == "counts" ? "like_count" : text(of: "post_id", in: message)) : "1"
      return .object([JSONValue.Member(name: field.name == "results" ? "user-1492" : name, value: single)])
    }
  }

  private func single(_ field: FieldDescriptor, in message: MessageDescriptor) -> JSONValue {
    switch field.kind {
    case .message(let name): registry.message(named: name).map { response($0.descriptor) } ?? .object([])
    case .bool: .bool(!Self.falseFlags.contains(field.name))
    case .string: .string(texts.knownValues(of: field, in: message).first ?? text(of: field.name, in: message))
    case .bytes: .string("bm92YQ==")
    case .timestamp: .string("2025-12-01T10:00:00Z")
    case .enumeration: .string("UNSPECIFIED")
    case .unixSeconds: .number(field.name == "failed_at" ? "0" : "1764583200")
    case .double, .float: .number(Self.decimals[field.name] ?? "0.5")
    default: .number(Self.integers[field.name] ?? "1")
    }
  }

  private static let falseFlags: Set<String> = [
    "has_more", "is_revoked", "is_private", "marketing_emails", "dark_mode",
  ]
  private static let decimals = [
    "location_latitude": "52.23", "location_longitude": "21.01", "frame_rate": "30",
  ]
  private static let integers = [
    "expires_in": "3600", "expires_at": "1764586800", "file_size": "11", "chunk_size": "1048576",
    "uploaded_size": "0", "duration_seconds": "12", "progress": "100", "processing_progress": "100", "width": "1080",
    "height": "1920", "bitrate_kbps": "4000", "timestamp": "1764583200",
  ]

  private func text(of name: String, in message: MessageDescriptor) -> String {
    let short = message.name.parts(between: ".", keepsEmpty: false).last ?? message.name
    if let text = Self.ofMessage["\(short).\(name)"] ?? Self.inResponses[name] { return text }
    if let text = Self.inRequests[name]?.stringValue { return text }
    if name.hasSuffix("_url") || name == "url" { return "/media/upload-1/hello.txt" }
    if name.hasSuffix("_id") || name.hasSuffix("_ids") {
      let parts = name.parts(between: "_", keepsEmpty: false)
      return "\(parts.dropLast().last ?? "item")-1"
    }
    return name.parts(between: "_", keepsEmpty: false).joined(separator: " ")
  }
}
