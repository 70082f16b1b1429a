/// A response about another record than the one that the request names: that of a cache or a gateway that mixes up requests,
/// for example.
///
/// Servers may write an id in another way, and a request may name a record by something else: by `me`, or by a user name
/// that the record also has.
package struct OtherRecord: Sendable {
  /// What was asked for, as a noun.
  package let noun: String
  let requestedID: String
  let returnedID: String

  /// - Returns: nil if the response is about the record that the request names, or nobody can tell.
  package init?(in response: some ProtoMessage, to request: some ProtoMessage, naming named: NamedRecord) {
    guard let requested = Self.id(at: named.requestField, of: request) else { return nil }
    let record: any ProtoMessage
    let returned: String?
    switch named.place {
    case .response(let field):
      record = response
      returned = Self.id(at: field, of: response)
    case .record(let field, let name):
      guard case .message(let message)? = FieldValue(at: field, of: response).value else { return nil }
      record = message
      let fields = type(of: message).descriptor.fields
      let place = fields.firstIndex { $0.name == name } ?? fields.firstIndex { $0.name == "id" }
      returned = place.flatMap { Self.id(at: $0, of: message) }
    }
    guard let returned, returned != requested, !RecordName.areAlike(requested, returned),
      !Self.isAlias(requested, of: record)
    else { return nil }
    noun = named.noun
    requestedID = requested
    returnedID = returned
  }

  /// The id in a field; nil if it is empty or absent.
  private static func id(at field: Int, of message: some ProtoMessage) -> String? {
    switch FieldValue(at: field, of: message).value {
    case .string(let id)? where !id.isEmpty: id
    case .integer(let id)? where id != 0: String(id)
    default: nil
    }
  }

  /// Whether a name that is no id stands for the record.
  private static func isAlias(_ name: String, of record: any ProtoMessage) -> Bool {
    let name = name.lowercased()
    if RecordName.isOwn(name) { return true }
    let plain = name.hasPrefix("@") ? String(name.dropFirst()) : name
    for case .single(.string(let text)) in FieldValues(record).all where text.lowercased() == plain { return true }
    return false
  }
}

/// Names of records, which servers may write in another way than requests do.
package enum RecordName {
  /// Whether two ids are one, written in two ways: UUIDs in either case, or the last part of a resource name.
  package static func areAlike(_ first: String, _ second: String) -> Bool {
    let names = [first, second].map { id in
      let last = id.lowercased().split { $0 == "/" || $0 == ":" }.last ?? ""
      return last.filter { !"-{} ".contains($0) }
    }
    return names[0] == names[1]
  }

  /// Whether a name stands for the caller's own record.
  package static func isOwn(_ name: String) -> Bool {
    ["me", "@me", "self", "current", "~", "-"].contains(name.lowercased())
  }
}

/// The value of one field of a message; nil if it is absent, a list or a map.
private struct FieldValue: FieldSink {
  typealias Failure = Never

  private let index: Int
  private(set) var value: PlainValue?

  init(at index: Int, of message: some ProtoMessage) {
    self.index = index
    message.writeFields(to: &self)
  }

  mutating func write<C: ProtoCodec>(_ value: C.Value, as codec: C, at index: Int) {
    if index == self.index { self.value = C.plain(value) }
  }

  mutating func write<C: ProtoCodec>(_ value: C.Value?, as codec: C, at index: Int) {
    if index == self.index { self.value = value.map(C.plain) }
  }

  mutating func write<C: ProtoCodec>(_ values: [C.Value], as codec: C, at index: Int) {}

  mutating func write<K: ProtoMapKey, C: ProtoCodec>(
    _ map: [K.Value: C.Value], keys: K, values: C, at index: Int
  ) {
  }
}

extension APIError {
  /// A response about another record than the one that the request names.
  init(aboutAnother record: OtherRecord, _ rpc: RPCDescriptor, _ response: APIResponse<Void>) {
    let ids = "expected \(record.requestedID.quoted), got \(record.returnedID.quoted)"
    guard rpc.effect != .noSideEffects else {
      self.init(
        .invalidResponse, "the response is about another \(record.noun): \(ids)", rpc: rpc, response: response)
      return
    }
    self.init(
      .unconfirmed,
      "the server accepted the change, but its response is about another \(record.noun): \(ids); read the "
        + "\(record.noun) before you repeat the call",
      rpc: rpc, response: response)
  }
}
