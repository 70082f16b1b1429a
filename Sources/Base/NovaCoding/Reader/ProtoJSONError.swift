public import NovaSupport

/// An error for JSON that violates the contract, or for a value that cannot be written as JSON.
///
/// It reports the place (``path``, ``line``, ``column``), what was ``expected``, and what was ``found``. It never
/// contains values of secret fields.
public struct ProtoJSONError: NovaError, Hashable {
  private struct Contents: Sendable {
    var path: String
    var expected: String
    var found: String
    var offset: Int
    var line: Int
    var column: Int
    var unknownField: UnknownField?
  }

  private indirect enum Storage: Sendable { case contents(Contents) }

  // One word, so that functions that can throw it cost nothing when they succeed.
  private var storage: Storage

  private var contents: Contents {
    get {
      switch storage {
      case .contents(let contents): contents
      }
    }
    set { storage = .contents(newValue) }
  }

  package init(path: String = "", expected: String, found: String, offset: Int = 0, line: Int = 1, column: Int = 1) {
    storage = .contents(
      Contents(path: path, expected: expected, found: found, offset: offset, line: line, column: column))
  }

  /// The place in the message: `posts[3].created_at`. Empty for the message itself.
  public var path: String { contents.path }
  /// The expected value: `an integer from -2147483648 to 2147483647`.
  public var expected: String { contents.expected }
  /// The value that was found: `string "abc"`.
  public var found: String { contents.found }
  /// The byte offset, from 0.
  public var offset: Int { contents.offset }
  /// The line, from 1.
  public var line: Int { contents.line }
  /// The column in bytes, from 1.
  public var column: Int { contents.column }

  public static func == (left: Self, right: Self) -> Bool {
    left.path == right.path && left.expected == right.expected && left.found == right.found
      && left.offset == right.offset
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(path)
    hasher.combine(offset)
  }
}

/// A field in JSON that its message does not declare.
package struct UnknownField: Sendable {
  /// The name in the JSON.
  package let name: String
  /// The message that does not declare the field.
  package let message: MessageDescriptor
}

extension ProtoJSONError {
  /// The undeclared field, if that is the problem and unknown fields are refused.
  package var unknownField: UnknownField? { contents.unknownField.flatMap { $0.name.isEmpty ? nil : $0 } }

  /// Creates the error for an object without any of the message's fields.
  package init(noFieldOf message: MessageDescriptor) {
    let error = ProtoJSONError(expected: "a field of \(message.shortName)", found: "an object without any")
    self = error.naming(UnknownField(name: "", message: message))
  }

  /// The message, if the error is that the object has no field of it.
  package var messageWithoutField: MessageDescriptor? {
    contents.unknownField.flatMap { $0.name.isEmpty ? $0.message : nil }
  }

  /// Adds the undeclared field to the error.
  func naming(_ field: UnknownField) -> ProtoJSONError {
    var error = self
    error.contents.unknownField = field
    return error
  }
}

extension ProtoJSONError {
  public var description: String {
    "\(path.isEmpty ? "" : "\(path): ")expected \(expected), found \(found) (line \(line), column \(column))"
  }
}

extension ProtoJSONError {
  /// Creates an error about a place in JSON.
  @inline(never)
  init(_ expected: String, found: String, at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
    var (line, lineStart) = (1, 0)
    for index in 0..<min(offset, bytes.count) where bytes[index] == UInt8(ascii: "\n") {
      line += 1
      lineStart = index + 1
    }
    self.init(expected: expected, found: found, offset: offset, line: line, column: offset - lineStart + 1)
  }
}

extension UInt8 {
  /// The byte as errors show it.
  @inline(never)
  var printable: String { (0x21..<0x7F).contains(self) ? String(UnicodeScalar(self)) : hexadecimal }

  @inline(never)
  var hexadecimal: String { "0x" + Hexadecimal.encode([self]).uppercased() }
}

extension ProtoJSONError {
  /// Prefixes the path with the field that contains the value.
  func inside(_ field: FieldDescriptor) -> ProtoJSONError { inside(field, hidingValue: field.isSecret) }

  /// Prefixes the path with a field, where the caller knows whether the error contains a value.
  func inside(_ field: FieldDescriptor, hidingValue: Bool) -> ProtoJSONError {
    guard hidingValue else { return inside(component: field.name) }
    // The keys of a secret map are secret, too, so the path ends at the field.
    return ProtoJSONError(
      path: field.name, expected: expected, found: Self.hidden, offset: offset, line: line, column: column)
  }

  /// Removes ``found`` from the error.
  package func hidingValue() -> ProtoJSONError {
    ProtoJSONError(path: path, expected: expected, found: Self.hidden, offset: offset, line: line, column: column)
  }

  private static let hidden = "another value (hidden)"

  /// Prefixes the path with the index of an element.
  @usableFromInline
  func inside(element index: Int) -> ProtoJSONError { inside(component: "[\(index)]") }

  /// Prefixes the path with the key of a map's entry.
  @usableFromInline
  func inside(entry key: String) -> ProtoJSONError { inside(component: "[\(key.quotedForPeople)]") }

  /// Prefixes the path with the name of a JSON object's member.
  func inside(member name: String) -> ProtoJSONError {
    name.consists(of: .plainName, count: 1...Int.max) ? inside(component: name) : inside(entry: name)
  }

  private func inside(component: String) -> ProtoJSONError {
    var error = self
    error.contents.path = path.isEmpty || path.hasPrefix("[") ? component + path : "\(component).\(path)"
    error.contents.unknownField = unknownField
    return error
  }
}

extension ASCIISet {
  fileprivate static let plainName = alphanumerics + ASCIISet("_")
}
