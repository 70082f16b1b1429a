import NovaCoding
import Testing

/// The result of reading, in a form that a failing test can show: the message, or the error's text.
func outcome<M: ProtoMessage>(_ type: M.Type, _ json: String) -> String {
  outcome(type, Array(json.utf8))
}

func outcome<M: ProtoMessage>(_ type: M.Type, _ json: [UInt8]) -> String {
  do {
    return "\(try M(jsonUTF8: json))"
  } catch {
    return "error: \(error)"
  }
}

/// Reads a message; nil if refused.
func accepted<M: ProtoMessage>(_ type: M.Type, _ json: String) -> M? { try? M(jsonUTF8: Array(json.utf8)) }

extension ProtoMessage {
  /// The message as JSON text.
  func json(_ options: ProtoJSONOptions = .response) throws -> String {
    String(decoding: try jsonUTF8(options), as: UTF8.self)
  }
}

extension ProtoJSONOptions {
  /// Every combination of name style, defaults, and 64-bit integers.
  static let all: [ProtoJSONOptions] = [JSONNameStyle.proto, .lowerCamelCase].flatMap { names in
    [true, false].flatMap { includesDefaults in
      [true, false].map { writesInt64AsString in
        ProtoJSONOptions(names: names, includesDefaults: includesDefaults, writesInt64AsString: writesInt64AsString)
      }
    }
  }
}

/// The messages of the contract and of the codec tests.
struct AnyMessage: Sendable, CustomTestStringConvertible {
  let type: any ProtoMessage.Type
  var testDescription: String { type.descriptor.name }
}
