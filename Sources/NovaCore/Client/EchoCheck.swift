/// Compares the values that were sent with the response's fields of the same names. A service that does not read a
/// field, for example because it expects another name, ignores its value without an error.
///
/// A created or changed record must contain every value that was sent. The page of a list must not be longer than
/// requested, and its items must match the request. Servers may normalize values: whitespace, case, HTML escapes, URLs
/// and IDs may differ.
package struct EchoCheck {
  /// The fields whose values are missing or different in the response.
  package private(set) var lost: [FieldDescriptor] = []
  /// Signs that the server ignored a part of the request, although the response is usable, as sentences that name
  /// fields but contain no values.
  package private(set) var warnings: [String] = []
  /// The record that was created or changed; nil if the response has none.
  package private(set) var record: (any ProtoMessage)?

  /// Whether responses to this RPC can be compared.
  package static func applies(to rpc: RPCDescriptor) -> Bool { rpc.returnsRecord || rpc.pageLimit != nil }

  package init(of rpc: RPCDescriptor, request: any ProtoMessage, response: any ProtoMessage) {
    // A response that reports that nothing was done need not contain the record.
    if let response = response as? any AcknowledgedResponse, !response.success { return }
    let sent = FieldValues(request)
    if rpc.returnsRecord { compareRecord(sent, response) } else if rpc.pageLimit != nil { compareList(sent, response) }
  }

  private mutating func compareRecord(_ sent: FieldValues, _ response: any ProtoMessage) {
    let answer = FieldValues(response)
    let held = answer.messages.first { !($0 is ErrorStatus) }
    // Not a record, but an empty container for one.
    guard let record = held ?? (answer.hasMessageFields ? nil : response) else { return }
    self.record = record
    let kept = FieldValues(record)
    for (field, value) in sent.values {
      switch Echo(of: value, kept[field.name, like: field]) {
      case .whole: break
      case .partial: warnings.append("the record holds only some of the \(field.name) that were sent")
      case .none: lost.append(field)
      }
    }
  }

  private mutating func compareList(_ sent: FieldValues, _ response: any ProtoMessage) {
    // Counted without reading the items: pages can be long, and most requests have no filter.
    let count = LongestList(response).count
    if case .single(.integer(let limit))? = sent.values.first(where: { $0.field.name == "limit" })?.value, limit > 0,
      count > limit
    {
      warnings.append("the page has \(count) items though at most \(limit) were asked for: limit was not read")
    }
    let filters = sent.values.filter { $0.field.kind == .string && !$0.field.isServersOwn }
    guard !filters.isEmpty else { return }
    let records = FieldValues(response).records.map { FieldValues($0) }
    for (field, value) in filters {
      let others = records.count { Echo(of: value, $0[field.name, like: field]) == .none }
      if others > 0 { warnings.append("\(others) of \(count) items have another \(field.name) than was asked for") }
    }
  }
}

extension RPCDescriptor {
  /// Whether the response contains the record that the request creates or changes.
  package var returnsRecord: Bool {
    effect != .noSideEffects && (method.hasPrefix("Create") || method.hasPrefix("Update"))
  }
}

extension ProtoMessage {
  /// The record's id as text; nil when it has none.
  package var recordID: String? {
    switch FieldValues(self)["id"] {
    case .single(.string(let id)) where !id.isEmpty: id
    case .single(.integer(let id)) where id != 0: String(id)
    default: nil
    }
  }
}

/// How much of a value the response contains.
private enum Echo {
  case whole, partial, none

  /// - Parameter kept: the returned value; nil for a record without such a field.
  init(of sent: FieldValues.Value, _ kept: FieldValues.Value?) {
    switch (sent, kept) {
    case (_, nil): self = .whole
    case (.single(let sent), .single(let kept)?): self = Self.isKept(sent, kept) ? .whole : .none
    case (.single(let sent), .absent?): self = sent.isDefault ? .whole : .none
    case (.list(let sent), .list(let kept)?):
      let found = sent.count { value in kept.contains { Self.isKept(value, $0) } }
      self = found == sent.count ? .whole : found == 0 ? .none : .partial
    default: self = .whole
    }
  }

  private static func isKept(_ sent: PlainValue, _ kept: PlainValue) -> Bool {
    switch (sent, kept) {
    case (.string(let sent), .string(let kept)): sent == kept || EchoedText(sent) == EchoedText(kept)
    case (.bool(let sent), .bool(let kept)): sent == kept
    default: sent.isDefault || !kept.isDefault
    }
  }
}

/// The text without the parts that servers may normalize.
private struct EchoedText: Equatable {
  private let text: String

  init(_ text: String) {
    var shown = String.UnicodeScalarView()
    for scalar in HTMLEntities.decoded(text).unicodeScalars where !Self.isInvisible(scalar) { shown.append(scalar) }
    self.text = String(shown).lowercased()
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isWhitespace { return true }
    switch scalar.properties.generalCategory {
    case .control, .format: return true
    default: return false
    }
  }
}

/// The values of a message's fields, without their generic types.
private struct FieldValues: FieldSink {
  typealias Failure = Never

  enum Value {
    case absent
    case single(PlainValue)
    case list([PlainValue])
  }

  private let fields: [FieldDescriptor]
  private var all: [Value] = []

  init(_ message: some ProtoMessage) {
    fields = type(of: message).descriptor.fields
    all.reserveCapacity(fields.count)
    message.writeFields(to: &self)
  }

  /// The fields that were sent: neither absent fields nor defaults that are equivalent to absent fields.
  var values: [(field: FieldDescriptor, value: Value)] {
    zip(fields, all).compactMap { field, value in
      switch value {
      case .absent: nil
      case .list(let values): values.isEmpty ? nil : (field, value)
      case .single(let plain): plain.isDefault && field.cardinality != .optional ? nil : (field, value)
      }
    }
  }

  /// The messages in singular fields.
  var messages: [any ProtoMessage] {
    all.compactMap { if case .single(.message(let message)) = $0 { message } else { nil } }
  }

  /// The messages in lists.
  var records: [any ProtoMessage] {
    all.flatMap { value -> [any ProtoMessage] in
      guard case .list(let values) = value else { return [] }
      return values.compactMap { if case .message(let message) = $0 { message } else { nil } }
    }
  }

  var hasMessageFields: Bool {
    fields.contains { if case .message = $0.kind { true } else { false } }
  }

  subscript(name: String) -> Value? {
    fields.firstIndex { $0.name == name }.map { all[$0] }
  }

  /// The value of the field of this name if it can be compared: URLs and IDs may differ unless they are empty.
  subscript(name: String, like sent: FieldDescriptor) -> Value? {
    guard let index = fields.firstIndex(where: { $0.name == name && $0.kind == sent.kind }) else { return nil }
    guard sent.isServersOwn, case .single(let plain) = all[index], !plain.isDefault else { return all[index] }
    return nil
  }

  mutating func write<C: ProtoCodec>(_ value: C.Value, as codec: C, at index: Int) {
    all.append(.single(C.plain(value)))
  }

  mutating func write<C: ProtoCodec>(_ value: C.Value?, as codec: C, at index: Int) {
    all.append(value.map { .single(C.plain($0)) } ?? .absent)
  }

  mutating func write<C: ProtoCodec>(_ values: [C.Value], as codec: C, at index: Int) {
    all.append(.list(values.map(C.plain)))
  }

  mutating func write<K: ProtoMapKey, C: ProtoCodec>(
    _ map: [K.Value: C.Value], keys: K, values: C, at index: Int
  ) {
    all.append(.absent)
  }
}

/// The length of a message's longest list.
private struct LongestList: FieldSink {
  typealias Failure = Never

  private(set) var count = 0

  init(_ message: some ProtoMessage) { message.writeFields(to: &self) }

  mutating func write<C: ProtoCodec>(_ value: C.Value, as codec: C, at index: Int) {}
  mutating func write<C: ProtoCodec>(_ value: C.Value?, as codec: C, at index: Int) {}
  mutating func write<C: ProtoCodec>(_ values: [C.Value], as codec: C, at index: Int) {
    count = max(count, values.count)
  }
  mutating func write<K: ProtoMapKey, C: ProtoCodec>(
    _ map: [K.Value: C.Value], keys: K, values: C, at index: Int
  ) {
  }
}

extension FieldDescriptor {
  /// Whether servers may normalize these values.
  fileprivate var isServersOwn: Bool {
    cardinality != .repeated && (name == "id" || name.hasSuffix("_id") || name.hasSuffix("_url") || name == "website")
  }
}

extension PlainValue {
  fileprivate var isDefault: Bool {
    switch self {
    case .integer(let value): value == 0
    case .unsigned(let value): value == 0
    case .double(let value): value == 0
    case .float(let value): value == 0
    case .bool(let value): !value
    case .string(let value): value.isEmpty
    case .bytes(let value): value.isEmpty
    case .enumeration(let number, _): number == 0
    case .timestamp, .message: false
    }
  }
}
