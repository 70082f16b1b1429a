public import NovaSupport

/// JSON that is not what the contract says, or a value that cannot be written as such.
///
/// Says where (``path``, ``line``, ``column``), what was ``expected`` and what stood there (``found``). Values of
/// secret fields never appear.
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

  // One word, so that throwing it costs nothing on the way that does not fail.
  private var storage: Storage

  package init(path: String = "", expected: String, found: String, offset: Int = 0, line: Int = 1, column: Int = 1) {
    storage = Storage(path: path, expected: expected, found: found, offset: offset, line: line, column: column)
  }

  private init(_ storage: Storage) { self.storage = storage }

  /// Where in the message: `posts[3].created_at`. Empty for the message itself.
  public var path: String { storage.path }
  /// What would have been right: `an integer from -2147483648 to 2147483647`.
  public var expected: String { storage.expected }
  /// What stood there: `string "abc"`.
  public var found: String { storage.found }
  /// The byte at which it stood, from 0.
  public var offset: Int { storage.offset }
  /// The line at which it stood, from 1.
  public var line: Int { storage.line }
  /// The column at which it stood, in bytes from 1.
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

/// A field in JSON that its message does not have.
package struct UnknownField: Sendable {
  /// The name as it was written.
  package let name: String
  /// The message that has no such field.
  package let message: MessageDescriptor
}

extension ProtoJSONError {
  /// The field that its message does not have, if that is the problem and unknown fields are refused.
  package var unknownField: UnknownField? { storage.unknownField.flatMap { $0.name.isEmpty ? nil : $0 } }

  /// JSON of something else in place of a message.
  package init(noFieldOf message: MessageDescriptor) {
    let error = ProtoJSONError(expected: "a field of \(message.shortName)", found: "an object without any")
    self = error.naming(UnknownField(name: "", message: message))
  }

  /// The message of which the JSON has no field, if it is the JSON of something else.
  package var messageWithoutField: MessageDescriptor? {
    storage.unknownField.flatMap { $0.name.isEmpty ? $0.message : nil }
  }

  /// The same error, about a field that its message does not have.
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
  /// The error as seen from the message that holds the field.
  func inside(_ field: FieldDescriptor) -> ProtoJSONError { inside(field, hidingValue: field.isSecret) }

  /// The same, where it is known that no value stands in the error, or that one does.
  func inside(_ field: FieldDescriptor, hidingValue: Bool) -> ProtoJSONError {
    guard hidingValue else { return inside(component: field.name) }
    // Keys of a secret map are secret too, so the path ends at the field.
    return ProtoJSONError(
      path: field.name, expected: expected, found: Self.hidden, offset: offset, line: line, column: column)
  }

  /// The error without what stood there.
  package func hidingValue() -> ProtoJSONError {
    ProtoJSONError(path: path, expected: expected, found: Self.hidden, offset: offset, line: line, column: column)
  }

  private static let hidden = "another value (hidden)"

  /// The error as seen from the list that holds the element.
  @usableFromInline
  func inside(element index: Int) -> ProtoJSONError { inside(component: "[\(index)]") }

  /// The error as seen from the map that holds the entry.
  @usableFromInline
  func inside(entry key: String) -> ProtoJSONError { inside(component: "[\(key.quotedForPeople)]") }

  /// The error as seen from the JSON object that holds the member.
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
