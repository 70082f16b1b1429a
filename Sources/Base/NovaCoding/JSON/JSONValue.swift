import NovaSupport

/// Any JSON value, for the few places without a message type: configuration files, error bodies, and fields of type
/// `google.protobuf.Value`, `Struct`, and `ListValue`.
///
/// Two values are equal if their text is equal: names and strings have the same bytes, numbers the same digits, and
/// members the same order. Two strings that Unicode considers equivalent but that differ in bytes are different.
public enum JSONValue: Sendable {
  case null
  case bool(Bool)
  /// The digits of the number as they were written, so that no precision is lost.
  case number(String)
  case string(String)
  case array([JSONValue])
  /// The members in order. Reading throws if a name occurs twice.
  case object([Member])

  /// A member of an object.
  public struct Member: Sendable {
    /// The name.
    public var name: String
    /// The value.
    public var value: JSONValue

    /// Creates a member.
    public init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// Parses JSON in UTF-8, strictly by RFC 8259.
  ///
  /// - Throws: ``ProtoJSONError`` with the position.
  public init(jsonUTF8 bytes: [UInt8]) throws(ProtoJSONError) {
    try self.init(bytes, keepsRepeats: false)
  }

  /// Parses JSON in UTF-8 as ``init(jsonUTF8:)`` does, but keeps members with a repeated name: for inspecting responses
  /// that violate the contract.
  package init(keepingRepeatedNames bytes: [UInt8]) throws(ProtoJSONError) {
    try self.init(bytes, keepsRepeats: true)
  }

  private init(_ bytes: [UInt8], keepsRepeats: Bool) throws(ProtoJSONError) {
    self = try bytes.withUnsafeBufferPointer { buffer throws(ProtoJSONError) in
      var reader = ProtoJSONReader(buffer)
      let value = try reader.jsonValue(keepsRepeats: keepsRepeats)
      try reader.expectEnd()
      return value
    }
  }

  /// The value of the member with this name, if this is an object with such a member.
  public subscript(name: String) -> JSONValue? {
    @inline(never) get {
      guard case .object(let members) = self else { return nil }
      return members.first { $0.name.hasSameBytes(as: name) }?.value
    }
  }

  /// The string, if this is a string.
  public var stringValue: String? {
    if case .string(let string) = self { string } else { nil }
  }

  /// The integer, if this is a whole number that fits.
  public var integerValue: Int? {
    @inline(never) get {
      guard case .number(let text) = self, let whole = DecimalNumber(text)?.integer else { return nil }
      return Int(exactly: whole)
    }
  }

  /// The kind of value, for messages: `string "abc"`, `number 5`, `a list`.
  public var kindDescription: String {
    switch self {
    case .null: "null"
    case .bool(let value): String(value)
    case .number(let text): "number \(text.shortened(to: 40))"
    case .string(let text): "string \"\(text.shortened(to: 40))\""
    case .array: "a list"
    case .object: "an object"
    }
  }

  /// The value as JSON in UTF-8, without whitespace.
  public var jsonUTF8: [UInt8] {
    var writer = ProtoJSONWriter(options: .response)
    writer.append(json: self)
    return writer.bytes.array
  }
}

extension JSONValue {
  /// Creates an object from the members that have a value.
  package static func members(_ members: (String, JSONValue?)...) -> JSONValue {
    .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
  }

  /// The members, if this is an object.
  package var memberList: [Member]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The elements, if this is a list.
  package var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }
}

extension ProtoJSONReader {
  mutating func jsonValue(keepsRepeats: Bool) throws(ProtoJSONError) -> JSONValue {
    switch peek() {
    case UInt8(ascii: "{"): return .object(try members(keepsRepeats))
    case UInt8(ascii: "["): return .array(try elements(keepsRepeats))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool(try bool())
    case UInt8(ascii: "n"):
      try takeLiteral("null")
      return .null
    default:
      let start = position
      guard isBare(peek()) else { throw unexpected("a JSON value") }
      try scanNumber()
      return .number(text(start..<position))
    }
  }

  private mutating func members(_ keepsRepeats: Bool) throws(ProtoJSONError) -> [JSONValue.Member] {
    guard try open(UInt8(ascii: "{"), expected: "an object") else { return [] }
    var members: [JSONValue.Member] = []
    var names: Set<String> = []
    repeat {
      let (name, start) = try key()
      guard names.add(name.byteKey) || keepsRepeats else {
        throw again("the name", at: start).inside(member: name)
      }
      try takeColon()
      do throws(ProtoJSONError) {
        members.append(JSONValue.Member(name: name, value: try jsonValue(keepsRepeats: keepsRepeats)))
      } catch {
        throw error.inside(member: name)
      }
    } while try next(closing: UInt8(ascii: "}"))
    return members
  }

  private mutating func elements(_ keepsRepeats: Bool) throws(ProtoJSONError) -> [JSONValue] {
    guard try open(UInt8(ascii: "["), expected: "a list") else { return [] }
    var elements: [JSONValue] = []
    repeat {
      do throws(ProtoJSONError) {
        elements.append(try jsonValue(keepsRepeats: keepsRepeats))
      } catch {
        throw error.inside(element: elements.count)
      }
    } while try next(closing: UInt8(ascii: "]"))
    return elements
  }
}

extension ProtoJSONWriter {
  mutating func append(json value: JSONValue) {
    switch value {
    case .null: append(literal: "null")
    case .bool(let bool): append(bool: bool)
    case .number(let text): bytes.append(utf8: text)
    case .string(let text): append(string: text)
    case .array(let elements):
      append(byte: UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { append(byte: UInt8(ascii: ",")) }
        append(json: element)
      }
      append(byte: UInt8(ascii: "]"))
    case .object(let members):
      append(byte: UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { append(byte: UInt8(ascii: ",")) }
        append(string: member.name)
        append(byte: UInt8(ascii: ":"))
        append(json: member.value)
      }
      append(byte: UInt8(ascii: "}"))
    }
  }
}
