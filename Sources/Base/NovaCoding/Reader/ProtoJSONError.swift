public import NovaSupport

/// An error for JSON that violates the contract, or for a value that cannot be written as JSON.
///
/// It reports the place (``path``, ``line``, ``column``), what was ``expected``, and what was ``found``. It never
/// contains values of secret fields.
public struct ProtoJSONError: NovaError, Hashable {
  private final class Storage: Sendable {
    let path: String
    let expected: String
    let found: String
    let offset: Int
    let line: Int
    let column: Int
    let unknownField: UnknownField?

    init(
      path: String, expected: String, found: String, offset: Int, line: Int, column: Int,
      unknownField: UnknownField? = nil
    ) {
      self.path = path
      self.expected = expected
      self.found = found
      self.offset = offset
      self.line = line
      self.column = column
      self.unknownField = unknownField
    }
  }

  // One word, so that functions that can throw it cost nothing when they succeed.
  private var storage: Storage

  package init(path: String = "", expected: String, found: String, offset: Int = 0, line: Int = 1, column: Int = 1) {
    storage = Storage(path: path, expected: expected, found: found, offset: offset, line: line, column: column)
  }

  private init(_ storage: Storage) { self.storage = storage }

  /// The place in the message: `posts[3].created_at`. Empty for the message itself.
  public var path: String { storage.path }
  /// The expected value: `an integer from -2147483648 to 2147483647`.
  public var expected: String { storage.expected }
  /// The value that was found: `string "abc"`.
  public var found: String { storage.found }
  /// The byte offset, from 0.
  public var offset: Int { storage.offset }
  /// The line, from 1.
  public var line: Int { storage.line }
  /// The column in bytes, from 1.
  public var column: Int { storage.column }

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
  package var unknownField: UnknownField? { storage.unknownField.flatMap { $0.name.isEmpty ? nil : $0 } }

  /// Creates the error for an object without any of the message's fields.
  package init(noFieldOf message: MessageDescriptor) {
    let error = ProtoJSONError(expected: "a field of \(message.shortName)", found: "an object without any")
    self = error.naming(UnknownField(name: "", message: message))
  }

  /// The message, if the error is that the object has no field of it.
  package var messageWithoutField: MessageDescriptor? {
    storage.unknownField.flatMap { $0.name.isEmpty ? $0.message : nil }
  }

  /// Adds the undeclared field to the error.
  func naming(_ field: UnknownField) -> ProtoJSONError {
    ProtoJSONError(
      Storage(
        path: path, expected: expected, found: found, offset: offset, line: line, column: column, unknownField: field))
  }
}

extension ProtoJSONError {
  public var description: String {
    "\(path.isEmpty ? "" : "\(path): ")expected \(expected), found \(found) (line \(line), column \(column))"
  }
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
    ProtoJSONError(
      Storage(
        path: path.isEmpty || path.hasPrefix("[") ? component + path : "\(component).\(path)",
        expected: expected, found: found, offset: offset, line: line, column: column, unknownField: unknownField))
  }
}

extension ASCIISet {
  fileprivate static let plainName = alphanumerics + ASCIISet("_")
}
