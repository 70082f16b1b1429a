import NovaCore

/// A body in a cassette.
enum RecordedBody: Sendable, Hashable {
  case none
  case json(JSONValue)
  case text(String)
  case bytes([UInt8])

  /// Chooses the most readable format without loss of meaning.
  init(_ body: [UInt8]) {
    if body.isEmpty {
      self = .none
    } else if let json = try? JSONValue(jsonUTF8: body) {
      self = .json(json)
    } else if !body.contains(0), let text = String(validating: body, as: UTF8.self) {
      self = .text(text)
    } else {
      self = .bytes(body)
    }
  }

  /// The bytes to send.
  var bytes: [UInt8] {
    switch self {
    case .none: []
    case .json(let json): json.jsonUTF8
    case .text(let text): Array(text.utf8)
    case .bytes(let bytes): bytes
    }
  }

  /// The canonical form for comparing bodies.
  var canonical: JSONValue? {
    switch self {
    case .none: nil
    case .json(let json): json
    case .text(let text): .string(text)
    case .bytes(let bytes): .string(String(decoding: Base64.encode(bytes), as: UTF8.self))
    }
  }

  /// The name and value in a cassette's line.
  var member: (name: String, value: JSONValue?) {
    switch self {
    case .none: ("json", nil)
    case .json(let json): ("json", json)
    case .text(let text): ("text", .string(text))
    case .bytes(let bytes): ("base64", .string(String(decoding: Base64.encode(bytes), as: UTF8.self)))
    }
  }

  /// Decodes the body in a part of a cassette's line; nil for invalid Base64.
  init?(in part: JSONValue) {
    if let json = part["json"] {
      self = .json(json)
    } else if let text = part["text"]?.stringValue {
      self = .text(text)
    } else if let base64 = part["base64"]?.stringValue {
      guard let bytes = Base64.decode(base64) else { return nil }
      self = .bytes(bytes)
    } else {
      self = .none
    }
  }
}
