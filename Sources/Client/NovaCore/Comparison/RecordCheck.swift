/// Finds a record in a response that lacks its id: it can be neither read, changed, nor deleted, and in a list all such records
/// would be the same one.
///
/// Only records whose id `gateway.yaml` lists under `record_ids` are checked: the response itself, and the messages in its
/// fields and lists.
struct RecordCheck: FieldVisitor {
  /// The type of the first record without an id; nil if there is none.
  private(set) var recordWithoutID: MessageDescriptor?

  /// - Parameter response: the response.
  init(_ response: some ProtoMessage) {
    check(response)
    if type(of: response).descriptor.holdsRecords { response.writeFields(to: &self) }
  }

  private mutating func check(_ message: some ProtoMessage) {
    let descriptor = type(of: message).descriptor
    guard let place = descriptor.recordID else { return }
    var id = RecordID(place: place)
    message.writeFields(to: &id)
    if id.isEmpty { recordWithoutID = descriptor }
  }

  mutating func write<C: ProtoCodec>(_ value: C.Value, as codec: C, at index: Int) {
    if recordWithoutID == nil, case .message(let message) = C.plain(value) { check(message) }
  }

  mutating func write<C: ProtoCodec>(_ values: [C.Value], as codec: C, at index: Int) {
    // Pages can be long, and a list of other messages has no records.
    guard let first = values.first, case .message(let message) = C.plain(first),
      type(of: message).descriptor.recordID != nil
    else { return }
    for value in values { write(value, as: codec, at: index) }
  }
}

extension RPCDescriptor {
  /// The type of the record that a write has created, if it has no id; nil if it has one, or nothing was created.
  package func createdRecordWithoutID(in response: some ProtoMessage) -> MessageDescriptor? {
    guard effect == .notIdempotent, returnsRecord else { return nil }
    if let response = response as? any AcknowledgedResponse, !response.success { return nil }
    let values = FieldValues(response)
    // A response without the record is refused by those who need the record.
    guard let record = values.held ?? (values.hasMessageFields ? nil : response) else { return nil }
    let descriptor = type(of: record).descriptor
    return descriptor.fields.contains { $0.name == "id" } && record.recordID == nil ? descriptor : nil
  }

  /// Whether an empty body says that a write took effect: its response reports that alone, or repeats what was sent.
  package var acceptsEmptyConfirmation: Bool {
    guard effect != .noSideEffects else { return false }
    let fields = responseType.descriptor.fields
    for field in fields {
      if field.cardinality != .singular, field.cardinality != .optional { return false }
      if case .message = field.kind { return false }
    }
    if responseType is any AcknowledgedResponse.Type { return true }
    let sent = Set(requestType.descriptor.fields.map(\.name))
    return fields.allSatisfy { sent.contains($0.name) || $0.name.hasSuffix("_at") }
  }

  /// The type of the record that the response to a write must contain, and lacks; nil if it lacks none.
  package func recordMissing(in response: any ProtoMessage) -> String? {
    if effect == .noSideEffects { return nil }
    // One that reports that nothing was done needs none.
    if let response = response as? any AcknowledgedResponse, !response.success { return nil }
    let values = FieldValues(response)
    guard values.held == nil else { return nil }
    for field in values.fields {
      guard case .message(let name) = field.kind, name != ErrorStatus.descriptor.name,
        field.cardinality == .singular || field.cardinality == .optional
      else { continue }
      return name.split(separator: ".").last.map(String.init)
    }
    return nil
  }
}

/// Whether the id of a record is empty.
private struct RecordID: FieldVisitor {
  let place: Int
  private(set) var isEmpty = false

  mutating func write<C: ProtoCodec>(_ value: C.Value, as codec: C, at index: Int) {
    if index == place { isEmpty = C.isDefault(value) }
  }

  mutating func write<C: ProtoCodec>(_ value: C.Value?, as codec: C, at index: Int) {
    if index == place { isEmpty = value.map(C.isDefault) ?? true }
  }
}
