import NovaCore

extension JSONValue {
  /// A message with the names of `Proto/`; nil if it cannot be written.
  init?(_ message: any ProtoMessage, includesDefaults: Bool = true) {
    guard let bytes = try? message.jsonUTF8(ProtoJSONOptions(includesDefaults: includesDefaults)),
      let json = try? JSONValue(jsonUTF8: bytes)
    else { return nil }
    self = json
  }
}

extension HTTPResponse {
  /// Whether it is a success without an error inside.
  func succeeds(_ rpc: RPCDescriptor) -> Bool { isSuccess && APIError(enclosedIn: self, of: rpc) == nil }

  /// The message of a success as the SDK reads it; nil for a failure, and for what the SDK cannot read.
  func message(of rpc: RPCDescriptor) -> (any ProtoMessage)? {
    guard succeeds(rpc) else { return nil }
    return try? HTTPTranscoder.response(rpc.responseType, from: body.inMemory, rpc.http)
  }
}

extension FieldDescriptor {
  /// The name of the message that is the field's type.
  var messageName: String? { if case .message(let name) = kind { name } else { nil } }

  /// The name in JSON.
  func writtenName(_ names: JSONNameStyle) -> String { names == .proto ? name : jsonName }
}
