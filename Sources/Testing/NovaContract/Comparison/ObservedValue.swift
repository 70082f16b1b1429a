import NovaCore

/// What a call returned or threw, as JSON.
enum ObservedValue {
  static func of(_ value: Any) -> JSONValue {
    switch value {
    case let value as JSONValue: value
    case let value as any ObservedAsJSON: value.observed
    case let value as any ProtoMessage: message(value)
    case let value as Bool: .bool(value)
    case let value as any FixedWidthInteger: .number(String(describing: value))
    case let value as Double: .number(String(value))
    case let value as String: .string(value)
    case let value as any OptionalValue: value.content.map(of) ?? .null
    case let value as [String: Any]:
      .object(value.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: of($0.value)) })
    case let value as [Any]: .array(value.map(of))
    case is Void: .string("done")
    default: .string("a \(type(of: value)), which cannot be written as JSON")
    }
  }

  /// The contract defines the code and the status, but not the text, which is a separate member.
  static func of(_ error: any Error) -> JSONValue {
    guard let error = error as? APIError else { return ["error": "\(error)"] }
    return [
      "error": [
        "code": .string(error.code.rawValue), "http_status": error.httpStatus.map { .number($0) } ?? .null,
        ContractComparison.serverText: [
          "grpc_status": error.grpcStatus.map { "\($0)" } ?? .null,
          "code": .string(error.server?.code ?? ""), "message": .string(error.server?.message ?? ""),
        ],
      ]
    ]
  }

  private static func message(_ message: any ProtoMessage) -> JSONValue {
    do {
      return try JSONValue(jsonUTF8: try message.jsonUTF8(.response))
    } catch {
      return .string("a message that cannot be written: \(error)")
    }
  }
}

/// A value with its own JSON form.
protocol ObservedAsJSON {
  var observed: JSONValue { get }
}

/// An optional of any type.
private protocol OptionalValue {
  var content: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var content: Any? { self }
}
