/// The values of a message's fields, without their generic types.
struct FieldValues: FieldSink {
  typealias Failure = Never

  enum Value {
    case absent
    case single(PlainValue)
    case list([PlainValue])
  }

  let fields: [FieldDescriptor]
  private(set) var all: [Value] = []

  @inline(never)
  init(_ message: some ProtoMessage) {
    fields = type(of: message).descriptor.fields
    all.reserveCapacity(fields.count)
    message.writeFields(to: &self)
  }

  /// The fields that were sent: neither absent fields nor defaults that are equivalent to absent fields.
  var present: [Int] { all.indices.filter(isPresent) }

  /// Whether a field was sent.
  func isPresent(_ index: Int) -> Bool {
    switch all[index] {
    case .absent: false
    case .list(let values): !values.isEmpty
    case .single(let plain): fields[index].cardinality.sends(plain)
    }
  }

  /// The first message in a singular field that is not an error.
  var held: (any ProtoMessage)? {
    for case .single(.message(let message)) in all where !(message is ErrorStatus) { return message }
    return nil
  }

  /// The values of the messages in lists.
  var records: [FieldValues] {
    var records: [FieldValues] = []
    for case .list(let values) in all {
      for case .message(let message) in values { records.append(FieldValues(message)) }
    }
    return records
  }

  var hasMessageFields: Bool {
    for field in fields { if case .message = field.kind { return true } }
    return false
  }

  subscript(name: String) -> Value? {
    for index in fields.indices where fields[index].name == name { return all[index] }
    return nil
  }

  /// The value of the same field if it can be compared: URLs and IDs may differ unless they are empty.
  @inline(never)
  func value(like sent: FieldDescriptor) -> Value? {
    for index in fields.indices where fields[index].name == sent.name && fields[index].kind == sent.kind {
      guard sent.isServersOwn, case .single(let plain) = all[index], !plain.isDefault else { return all[index] }
      return nil
    }
    return nil
  }

  /// What a new record belongs to, if that is not what was sent, such as another post or another user: both ids.
  func otherID(than sent: Value, of field: FieldDescriptor) -> (sent: String, kept: String)? {
    guard field.name.hasSuffix("_id"), case .single(.string(let sent)) = sent, !sent.isEmpty else { return nil }
    for name in field.isOwner ? [field.name] + FieldDescriptor.owners : [field.name] {
      guard case .single(.string(let kept))? = self[name] else { continue }
      let isOther = !kept.isEmpty && !RecordIdentity.areAlike(sent, kept) && !RecordIdentity.isPlaceholder(sent)
      return isOther ? (sent, kept) : nil
    }
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
struct LongestList: FieldVisitor {
  private(set) var count = 0

  init(_ message: some ProtoMessage) { message.writeFields(to: &self) }

  mutating func write<C: ProtoCodec>(_ values: [C.Value], as codec: C, at index: Int) {
    count = max(count, values.count)
  }
}

extension FieldCardinality {
  /// Whether a field with this value is sent: a default often is equivalent to an absent field.
  func sends(_ value: PlainValue) -> Bool { self == .optional || !value.isDefault }
}

extension FieldDescriptor {
  /// The names of fields with the user whose record it is.
  fileprivate static let owners = ["creator_id", "user_id", "author_id", "owner_id"]

  /// Whether it is the user whose record it is.
  var isOwner: Bool { Self.owners.contains(name) }

  /// Whether servers may normalize these values.
  var isServersOwn: Bool { cardinality != .repeated && name.namesServersOwn }
}

extension String {
  /// Whether servers may normalize the value of a field with this name.
  @inline(never)
  var namesServersOwn: Bool {
    self == "id" || self == "website" || hasSuffix("_id") || hasSuffix("_url")
  }
}

extension PlainValue {
  @inline(never)
  var isDefault: Bool {
    switch self {
    case .integer(let value): value == 0
    case .unsigned(let value): value == 0
    case .double(let value): value == 0
    case .float(let value): value == 0
    case .bool(let value): !value
    case .string(let value): value.isEmpty
    case .bytes(let value): value.isEmpty
    case .enumeration(let number, _): number == 0
    case .timestamp, .duration, .fieldMask, .json, .message: false
    }
  }
}
