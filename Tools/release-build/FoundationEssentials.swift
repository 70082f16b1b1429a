// What the programs that Tools/build-release makes contain in place of FoundationEssentials: the few declarations that the
// SDK and its dependencies use. The module itself is 5 MB of a program of 22 MB, with the calendars and regular expressions
// that come with it, and only swift-argument-parser calls more of it than these protocols and types: its JSONEncoder, for
// `--experimental-dump-help`.

/// An error that describes itself to people.
public protocol LocalizedError: Error {
  var errorDescription: String? { get }
  var failureReason: String? { get }
  var recoverySuggestion: String? { get }
  var helpAnchor: String? { get }
}

extension LocalizedError {
  public var errorDescription: String? { nil }
  public var failureReason: String? { nil }
  public var recoverySuggestion: String? { nil }
  public var helpAnchor: String? { nil }
}

/// A moment, as seconds from 2001-01-01 00:00:00 UTC.
public struct Date: Hashable, Sendable {
  public var timeIntervalSinceReferenceDate: Double

  public init(timeIntervalSinceReferenceDate: Double) {
    self.timeIntervalSinceReferenceDate = timeIntervalSinceReferenceDate
  }
}

public struct Data: Sendable {
  fileprivate let bytes: [UInt8]
}

extension String {
  public enum Encoding { case utf8 }

  public init?(data: Data, encoding: Encoding) { self.init(validating: data.bytes, as: UTF8.self) }
}

/// Encodes values as JSON: indented, with sorted keys.
public final class JSONEncoder {
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let prettyPrinted = OutputFormatting(rawValue: 1)
    public static let sortedKeys = OutputFormatting(rawValue: 2)
  }

  /// What is written is always indented and sorted.
  public var outputFormatting: OutputFormatting = []

  public init() {}

  public func encode(_ value: some Encodable) throws -> Data {
    let node = Node()
    try node.encode(value)
    var text = ""
    node.write(to: &text, indentation: "")
    return Data(bytes: Array(text.utf8))
  }
}

/// A JSON value in progress.
private final class Node {
  private enum Value {
    case scalar(String)
    case array([Node])
    case object([String: Node])
  }

  private var value = Value.scalar("null")

  func encode(_ new: any Encodable) throws {
    switch new {
    case let text as String: value = .scalar(Self.quoted(text))
    case let flag as Bool: value = .scalar(flag ? "true" : "false")
    case let number as any BinaryInteger: value = .scalar("\(number)")
    case let number as Double: try encodeFraction(number)
    case let number as Float: try encodeFraction(number)
    default: try new.encode(to: NodeEncoder(node: self))
    }
  }

  private func encodeFraction(_ number: some BinaryFloatingPoint & CustomStringConvertible) throws {
    guard number.isFinite else {
      throw EncodingError.invalidValue(number, .init(codingPath: [], debugDescription: "JSON has no such number"))
    }
    value = .scalar(number.description)
  }

  func makeArray() { if case .array = value {} else { value = .array([]) } }

  func makeObject() { if case .object = value {} else { value = .object([:]) } }

  var count: Int { if case .array(let elements) = value { elements.count } else { 0 } }

  func appended() -> Node {
    let node = Node()
    if case .array(let elements) = value { value = .array(elements + [node]) }
    return node
  }

  func member(_ key: any CodingKey) -> Node {
    let node = Node()
    if case .object(var members) = value {
      members[key.stringValue] = node
      value = .object(members)
    }
    return node
  }

  func write(to text: inout String, indentation: String) {
    let inner = indentation + "  "
    switch value {
    case .scalar(let scalar): text += scalar
    case .array(let elements):
      text += "[\n"
      for (index, element) in elements.enumerated() {
        text += (index == 0 ? "" : ",\n") + inner
        element.write(to: &text, indentation: inner)
      }
      text += "\n\(indentation)]"
    case .object(let members):
      text += "{\n"
      for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        text += (index == 0 ? "" : ",\n") + inner + Self.quoted(member.key) + " : "
        member.value.write(to: &text, indentation: inner)
      }
      text += "\n\(indentation)}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\", "/": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\0"..<" ":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

private struct NodeEncoder: Encoder, SingleValueEncodingContainer {
  let node: Node
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(NodeMembers(node: node))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { NodeElements(node: node) }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() {}

  func encode(_ value: some Encodable) throws { try node.encode(value) }
}

private struct NodeMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: Node
  var codingPath: [any CodingKey] { [] }

  init(node: Node) {
    self.node = node
    node.makeObject()
  }

  func encodeNil(forKey key: Key) { _ = node.member(key) }

  func encode(_ value: some Encodable, forKey key: Key) throws { try node.member(key).encode(value) }

  func nestedContainer<NestedKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> { KeyedEncodingContainer(NodeMembers<NestedKey>(node: node.member(key))) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { NodeElements(node: node.member(key)) }

  func superEncoder() -> any Encoder { NodeEncoder(node: node) }

  func superEncoder(forKey key: Key) -> any Encoder { NodeEncoder(node: node.member(key)) }
}

private struct NodeElements: UnkeyedEncodingContainer {
  let node: Node
  var codingPath: [any CodingKey] { [] }
  var count: Int { node.count }

  init(node: Node) {
    self.node = node
    node.makeArray()
  }

  func encodeNil() { _ = node.appended() }

  func encode(_ value: some Encodable) throws { try node.appended().encode(value) }

  func nestedContainer<NestedKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
    KeyedEncodingContainer(NodeMembers<NestedKey>(node: node.appended()))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { NodeElements(node: node.appended()) }

  func superEncoder() -> any Encoder { NodeEncoder(node: node.appended()) }
}
