/// A response about another record than the one that the request names: that of a cache or a gateway that mixes up requests,
/// for example. See ``RecordIdentity`` for what counts as the same.
package struct OtherRecord: Sendable {
  /// What was asked for, as a noun.
  package let noun: String
  /// What is wrong with the response, as the rest of a sentence, with both ids.
  package let finding: String
  /// The field of a new record that has another id than was sent; nil for an answer about another record.
  package var field: String?

  /// - Returns: nil if the response is about the record that the request names, or if that is not known.
  package init?(in response: some ProtoMessage, to request: some ProtoMessage, naming named: NamedRecord) {
    guard let requested = PlainField.id(at: named.requestField, of: request) else { return nil }
    let place = Self.place(named, in: response)
    guard let place, let returned = place.id, !RecordIdentity.areAlike(requested, returned),
      !RecordIdentity.isAlias(requested, of: place.record)
    else { return nil }
    noun = named.noun
    finding = "is about another \(noun): expected \(requested.quoted), got \(returned.quoted)"
  }

  /// A new record with another owner than was sent.
  ///
  /// - Parameters:
  ///   - field: the field with the owner's id.
  ///   - ids: the id that was sent, and that of the record.
  init(_ field: FieldDescriptor, _ ids: (sent: String, kept: String)) {
    let owner = field.name.hasSuffix("_id") ? String(field.name.dropLast(3)) : field.name
    noun = owner.replacing("_", with: " ")
    self.field = field.name
    finding = "has a record of another \(noun): expected \(ids.sent.quoted), got \(ids.kept.quoted)"
  }

  /// - Returns: nil if all items are what the request asks for, or if that is not known.
  init?(in response: some ProtoMessage, to request: some ProtoMessage, naming named: NamedItems) {
    let requested = named.ids(in: request)
    guard !requested.isEmpty, let stranger = ItemReader(named, requested: requested, in: response).stranger else {
      return nil
    }
    noun = named.noun
    switch named.relation {
    case .owner:
      finding =
        "has items of another \(noun): expected \(requested[0].quoted), got \(stranger.quoted)"
    case .member: finding = "is about another \(noun) than was asked for: got \(stranger.quoted)"
    }
  }

  /// The id in a response, and what it is the id of.
  private static func place(
    _ named: NamedRecord, in response: some ProtoMessage
  ) -> (record: any ProtoMessage, id: String?)? {
    switch named.place {
    case .response(let field): return (response, PlainField.id(at: field, of: response))
    case .record(let field, let name):
      guard case .message(let message)? = PlainField(at: field, of: response).value else { return nil }
      let fields = type(of: message).descriptor.fields
      let place = fields.firstIndex { $0.name == name } ?? fields.firstIndex { $0.name == "id" }
      return place.map { (message, PlainField.id(at: $0, of: message)) }
    }
  }

  /// What to tell about a batch with more items than ids were asked for: the others are left out. Counted without reading
  /// them, because batches can be long.
  static func surplus(in response: some ProtoMessage, to request: some ProtoMessage, naming named: NamedItems)
    -> String?
  {
    guard case .member = named.relation else { return nil }
    let (count, asked) = (ItemCount(at: named.responseField, of: response).count, named.ids(in: request).count)
    guard asked > 0, count > asked else { return nil }
    return "the response has \(count) items though \(asked == 1 ? "1 was" : "\(asked) were") asked for by id"
  }

  /// What to tell about a record without the id by which it was asked for; nil if it has it.
  static func doubt(about response: some ProtoMessage, to request: some ProtoMessage, _ named: NamedRecord) -> String? {
    guard case .record = named.place, PlainField.id(at: named.requestField, of: request) != nil,
      let place = place(named, in: response), place.id == nil
    else { return nil }
    return "the response has no id of the \(named.noun), so it cannot be compared with the one that was asked for"
  }
}

extension NamedItems {
  /// The ids that a request names; none if it leaves them out.
  fileprivate func ids(in request: some ProtoMessage) -> [String] {
    switch FieldValues(request).all[requestField] {
    case .single(.string(let id)) where !id.isEmpty: [id]
    case .list(let values):
      values.compactMap { value in
        if case .string(let id) = value, !id.isEmpty { id } else { nil }
      }
    default: []
    }
  }
}

/// Finds the first item of a response that is about something else than was asked for. For a batch, all
/// items must be: additional records are left out, and do no harm.
private struct ItemReader: FieldVisitor {
  private let named: NamedItems
  private let requested: [String]
  /// Their bytes.
  private let known: Set<String>
  /// Its id; nil if absent.
  private(set) var stranger: String?

  init(_ named: NamedItems, requested: [String], in response: some ProtoMessage) {
    (self.named, self.requested, known) = (named, requested, Set(of: requested.map(\.byteKey)))
    // A placeholder such as `me` can be any id.
    if requested.contains(where: RecordIdentity.isPlaceholder) { return }
    response.writeFields(to: &self)
  }

  private func isStranger(_ id: String) -> Bool {
    !known.contains(id.byteKey) && !requested.contains { RecordIdentity.areAlike($0, id) }
  }

  mutating func write<C: ProtoCodec>(_ values: [C.Value], as codec: C, at index: Int) {
    guard index == named.responseField else { return }
    var place: Int?
    for value in values {
      guard case .message(let item) = C.plain(value) else { return }
      place = place ?? type(of: item).descriptor.fields.firstIndex { $0.name == named.field }
      guard let place else { return }
      guard let id = PlainField.id(at: place, of: item) else { continue }
      let isOther = isStranger(id)
      switch named.relation {
      case .owner where isOther:
        stranger = id
        return
      case .owner: continue
      // An alias is looked for last, because all fields of the item are read for it.
      case .member where !isOther || requested.contains { RecordIdentity.isAlias($0, of: item) }:
        stranger = nil
        return
      case .member: stranger = stranger ?? id
      }
    }
  }

  mutating func write<K: ProtoMapKey, C: ProtoCodec>(
    _ map: [K.Value: C.Value], keys: K, values: C, at index: Int
  ) {
    guard index == named.responseField else { return }
    let ids = map.keys.compactMap { $0 as? String }.filter { !$0.isEmpty }
    let strangers = ids.filter(isStranger)
    // A dictionary would return it for an id that was asked for.
    if named.relation == .member, let twin = strangers.first(where: requested.contains) {
      stranger = twin
      return
    }
    stranger = named.relation == .member && strangers.count < ids.count ? nil : strangers.min()
  }
}

/// How many elements a list or map of a message has.
private struct ItemCount: FieldVisitor {
  private let index: Int
  private(set) var count = 0

  init(at index: Int, of message: some ProtoMessage) {
    self.index = index
    message.writeFields(to: &self)
  }

  mutating func write<C: ProtoCodec>(_ values: [C.Value], as codec: C, at index: Int) {
    if index == self.index { count = values.count }
  }

  mutating func write<K: ProtoMapKey, C: ProtoCodec>(
    _ map: [K.Value: C.Value], keys: K, values: C, at index: Int
  ) {
    if index == self.index { count = map.count }
  }
}

/// The value of one field of a message; nil if it is absent, a list or a map.
struct PlainField: FieldVisitor {
  private let index: Int
  private(set) var value: PlainValue?

  init(at index: Int, of message: some ProtoMessage) {
    self.index = index
    message.writeFields(to: &self)
  }

  /// The id in a field; nil if it is empty or absent.
  static func id(at field: Int, of message: some ProtoMessage) -> String? {
    switch PlainField(at: field, of: message).value {
    case .string(let id)? where !id.isEmpty: id
    case .integer(let id)? where id != 0: String(id)
    default: nil
    }
  }

  mutating func write<C: ProtoCodec>(_ value: C.Value, as codec: C, at index: Int) {
    if index == self.index { self.value = C.plain(value) }
  }
}

extension APIError {
  /// A response about another record than the one that the request names.
  ///
  /// - Parameter created: the new record; nil if absent.
  init(
    aboutAnother record: OtherRecord, created: (any ProtoMessage)?, _ rpc: RPCDescriptor, _ response: APIResponse<Void>
  ) {
    guard rpc.effect != .noSideEffects else {
      self.init(.invalidResponse, "the response \(record.finding)", rpc: rpc, response: response)
      return
    }
    self.init(
      .unconfirmed,
      "the server accepted the change, but its response \(record.finding)",
      advice: "read the \(record.noun) before you repeat the call",
      rpc: rpc, response: response)
    if let field = record.field { unconfirmedRecord = UnconfirmedRecord(id: created?.recordID, fields: [field]) }
  }
}
