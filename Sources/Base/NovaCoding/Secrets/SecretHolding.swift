import NovaSupport

/// A message with fields that must never be shown. Printing it, dumping it, and interpolating it hides their values;
/// its JSON contains them, of course.
///
/// Conformances are generated, for messages with a field that is listed under `secrets` in `Proto/gateway.yaml`.
public protocol SecretHolding: ProtoMessage, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension SecretHolding {
  /// The message in Swift's notation, such as `LoginRequest(email: "a@b.example", password: ****)`.
  public var description: String {
    let fields = shownFields.map { "\($0.label ?? ""): \(String(reflecting: $0.value))" }
    return "\(Self.self)(\(fields.joined(separator: ", ")))"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// The fields, without secret values.
  public var customMirror: Mirror { Mirror(self, children: shownFields, displayStyle: .struct) }

  private var shownFields: [Mirror.Child] {
    var fields = ShownFields(fields: Self.descriptor.fields)
    writeFields(to: &fields)
    return fields.shown
  }
}

/// A oneof with a value that must never be shown. Printing it, dumping it, and interpolating it hides that value.
///
/// Conformances are generated, for oneofs with a field that is listed under `secrets` in `gateway.yaml`.
public protocol SecretHoldingOneof: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The case in a form that is safe to show.
  static func shownCase(of oneof: Self) -> OneofCase
}

extension SecretHoldingOneof {
  /// The case in Swift's notation, such as `card(****)`.
  public var description: String {
    let shown = Self.shownCase(of: self)
    return "\(shown.name)(\(String(reflecting: shown.value)))"
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// The case, without its value if the value is secret.
  public var customMirror: Mirror {
    let shown = Self.shownCase(of: self)
    return Mirror(self, children: [(label: shown.name, value: shown.value)], displayStyle: .enum)
  }
}

/// A case of a oneof in a form that is safe to show, see ``SecretHoldingOneof``.
public struct OneofCase {
  let name: String
  let value: Any

  /// Creates a case whose value is secret.
  public init(_ name: String) { self.init(name, Hidden()) }

  /// Creates a case with its value.
  public init(_ name: String, _ value: Any) {
    self.name = name
    self.value = value
  }
}

/// Replaces a secret value in output.
private struct Hidden: CustomDebugStringConvertible {
  var debugDescription: String { SecretText.mask }
}

/// Collects a message's fields for output.
private struct ShownFields: FieldSink {
  typealias Failure = Never

  let fields: [FieldDescriptor]
  var shown: [Mirror.Child] = []

  mutating func write<C: ProtoCodec>(_ value: C.Value, as codec: C, at index: Int) {
    add(index, value, isEmpty: value as? String == "")
  }

  mutating func write<C: ProtoCodec>(_ value: C.Value?, as codec: C, at index: Int) {
    add(index, value as Any, isEmpty: value == nil)
  }

  mutating func write<C: ProtoCodec>(_ values: [C.Value], as codec: C, at index: Int) {
    add(index, values, isEmpty: values.isEmpty)
  }

  mutating func write<K: ProtoMapKey, C: ProtoCodec>(
    _ map: [K.Value: C.Value], keys: K, values: C, at index: Int
  ) {
    add(index, map, isEmpty: map.isEmpty)
  }

  /// Adds a field. An empty value is no secret, and its absence often explains a problem.
  private mutating func add(_ index: Int, _ value: Any, isEmpty: Bool) {
    let field = fields[index]
    shown.append((field.jsonName, field.isSecret && !isEmpty ? Hidden() : value))
  }
}
