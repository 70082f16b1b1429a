/// Compares the values that were sent with the response's fields of the same names. A service that does not read a
/// field, for example because it expects another name, ignores its value without an error.
///
/// Only RPCs that the contract names under `echoed_requests` are checked: other services may answer with another record,
/// or with other values. A created or changed record must contain a value for every value that was sent. The page of a
/// list must not be longer than requested, and its items must match the request. Servers may normalize values: whitespace,
/// case, HTML escapes, URLs and IDs may differ. Other differences are the server's decision, such as moderation: they
/// are noted, because the write took effect, and repeating it would write twice. A new record that belongs to something else
/// than was sent is another one.
package struct EchoCheck {
  /// The fields whose values are missing in the response: the record is as if they had not been sent.
  package private(set) var lost: [FieldDescriptor] = []
  /// The fields with other values in the response than were sent, or with only some of them.
  package private(set) var changed: [FieldDescriptor] = []
  /// What the new record belongs to, if that is not what was sent.
  package private(set) var otherRecord: OtherRecord?
  /// Signs that the server ignored a part of the request, although the response is usable, as sentences that name
  /// fields but contain no values.
  package private(set) var warnings: [String] = []
  /// Whether the response is as the request asks for. Hardly any is not.
  var isClean: Bool { lost.isEmpty && warnings.isEmpty && otherRecord == nil }
  /// The record that was created or changed; nil if the response has none.
  package private(set) var record: (any ProtoMessage)?
  /// Whether the record is new: then its owner, and what it belongs to, are as sent.
  private var createsRecord = false

  /// Whether responses to this RPC can be compared.
  package static func applies(to rpc: RPCDescriptor) -> Bool { rpc.echoesRequest }

  /// - Parameter body: the response as it came, in which a value that is false is not the same as none; empty if unknown.
  package init(
    of rpc: RPCDescriptor, request: some ProtoMessage, response: some ProtoMessage, body: [UInt8] = []
  ) {
    guard rpc.returnsRecord else {
      compareList(request, response)
      return
    }
    createsRecord = rpc.effect == .notIdempotent
    // A response that reports that nothing was done need not contain the record.
    if let response = response as? any AcknowledgedResponse, !response.success { return }
    compareRecord(FieldValues(request), response)
    for field in lost where field.isPermission && StatedNo(field, in: body).isStated { note(field) }
  }

  /// Turns a value that is missing into one that the server has decided on: it may permit less than was asked for.
  private mutating func note(_ field: FieldDescriptor) {
    lost.removeAll { $0.name == field.name }
    changed.append(field)
    warnings.append("the server changed the \(field.name) that \(field.wasSent)")
  }

  private mutating func compareRecord(_ sent: FieldValues, _ response: any ProtoMessage) {
    let answer = FieldValues(response)
    // Not a record, but an empty container for one.
    guard let record = answer.held ?? (answer.hasMessageFields ? nil : response) else { return }
    self.record = record
    let kept = FieldValues(record)
    for index in sent.present {
      let field = sent.fields[index]
      let otherID = createsRecord ? kept.otherID(than: sent.all[index], of: field) : nil
      let isOther = otherID != nil
      // A server may take the owner from the token. What the record belongs to otherwise is what was sent, and no text that a
      // server moderates.
      if let otherID, !field.isOwner, otherRecord == nil { otherRecord = OtherRecord(field, otherID) }
      let echo =
        isOther
        ? .different : Echo(of: sent.all[index], kept.value(like: field), replacedByDefault: field.defaultChoice)
      switch echo {
      case .whole: continue
      case .missing: lost.append(field)
      case .partial: warnings.append("the record holds only some of the \(field.name) that were sent")
      case .different: warnings.append("the server changed the \(field.name) that \(field.wasSent)")
      }
      if echo != .missing { changed.append(field) }
    }
  }

  private mutating func compareList(_ request: some ProtoMessage, _ response: some ProtoMessage) {
    let asked = ListRequest(request)
    // Counted without reading the items: pages can be long, and most requests have no filter.
    let count = LongestList(response).count
    if asked.limit > 0, count > asked.limit {
      warnings.append("the page has \(count) items though at most \(asked.limit) were asked for: limit was not read")
    }
    if asked.filters.isEmpty { return }
    let (sent, records) = (FieldValues(request), FieldValues(response).records)
    for index in asked.filters {
      let field = sent.fields[index]
      var others = 0
      for record in records where Echo(of: sent.all[index], record.value(like: field)).isOther { others += 1 }
      if others > 0 { warnings.append("\(others) of \(count) items have another \(field.name) than was asked for") }
    }
  }
}

/// What the request of a list asks for that its response shows.
private struct ListRequest: FieldVisitor {
  private let fields: [FieldDescriptor]
  /// The most items; 0 if the server chooses.
  private(set) var limit: Int64 = 0
  /// The fields with texts that the items must match.
  private(set) var filters: [Int] = []

  init(_ message: some ProtoMessage) {
    fields = type(of: message).descriptor.fields
    message.writeFields(to: &self)
  }

  mutating func write<C: ProtoCodec>(_ value: C.Value, as codec: C, at index: Int) {
    switch fields[index].kind {
    case .string:
      // The parts of the field that count, because a field as a whole takes longer to copy.
      guard fields[index].cardinality.sends(C.plain(value)) else { return }
      if !fields[index].name.namesServersOwn { filters.append(index) }
    default:
      if fields[index].name == "limit", case .integer(let limit) = C.plain(value) { self.limit = limit }
    }
  }

  mutating func write<C: ProtoCodec>(_ values: [C.Value], as codec: C, at index: Int) {
    if case .string = fields[index].kind, !values.isEmpty { filters.append(index) }
  }
}

extension RPCDescriptor {
  /// Whether the response contains the record that the request creates or changes.
  package var returnsRecord: Bool { echoesRequest && effect != .noSideEffects }
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
  case whole
  /// Some elements of a list are missing.
  case partial
  /// There is another value.
  case different
  /// The record is as if the value had not been sent.
  case missing

  var isOther: Bool { self == .different || self == .missing }

  /// - Parameters:
  ///   - kept: the returned value; nil for a record without such a field.
  ///   - defaultChoice: what servers choose if the field is not sent; nil for a field that is no choice.
  @inline(never)
  init(of sent: FieldValues.Value, _ kept: FieldValues.Value?, replacedByDefault defaultChoice: String? = nil) {
    switch (sent, kept) {
    case (_, nil): self = .whole
    case (.single(let sent), .single(let kept)?): self.init(of: sent, kept, defaultChoice)
    case (.single(let sent), .absent?): self = sent.isDefault ? .whole : .missing
    case (.list(let sent), .list(let kept)?):
      var found = 0
      for value in sent where Self.isKept(value, in: kept) { found += 1 }
      self = found == sent.count ? .whole : found > 0 ? .partial : kept.isEmpty ? .missing : .different
    default: self = .whole
    }
  }

  private init(of sent: PlainValue, _ kept: PlainValue, _ defaultChoice: String?) {
    switch (sent, kept) {
    case _ where Self.isKept(sent, kept): self = .whole
    // An emptied text that is still there was not read, as one that is empty.
    case (.string(let sent), .string(let kept)) where !sent.isEmpty && !kept.isEmpty:
      self = kept.lowercased() == defaultChoice ? .missing : .different
    default: self = .missing
    }
  }

  private static func isKept(_ sent: PlainValue, in kept: [PlainValue]) -> Bool {
    for kept in kept where isKept(sent, kept) { return true }
    return false
  }

  @inline(never)
  private static func isKept(_ sent: PlainValue, _ kept: PlainValue) -> Bool {
    switch (sent, kept) {
    case (.string(let sent), .string(let kept)): sent == kept || sent.withoutSpelling == kept.withoutSpelling
    case (.bool(let sent), .bool(let kept)): sent == kept
    default: sent.isDefault || !kept.isDefault
    }
  }
}

extension FieldDescriptor {
  /// What servers choose if this field, which is one of a few values, is not sent: a record that has it lacks the choice
  /// that was sent. Nil for free text.
  fileprivate var defaultChoice: String? {
    switch name {
    case "privacy", "visibility", "privacy_level": "public"
    case "status": "published"
    case "content_type": "text"
    default: nil
    }
  }

  /// Whether it is a permission that the server may give or not.
  fileprivate var isPermission: Bool { kind == .bool && name.hasPrefix("allow_") }

  fileprivate var wasSent: String { cardinality == .repeated ? "were sent" : "was sent" }
}

/// Whether the record in a response says `false` in a field itself. Read only where a value is missing.
private struct StatedNo {
  let isStated: Bool

  init(_ field: FieldDescriptor, in body: [UInt8]) {
    guard case .object(let members) = try? JSONValue(jsonUTF8: body) else {
      isStated = false
      return
    }
    let values = members.flatMap { member in
      [member.value[field.name], member.value[field.jsonName]]
        + ([field.name, field.jsonName].contains(member.name) ? [member.value] : [])
    }
    isStated = values.contains { $0 == .bool(false) }
  }
}

extension String {
  /// The text without the parts that servers may normalize.
  @inline(never)
  fileprivate var withoutSpelling: String {
    var shown = ""
    for scalar in HTMLEntities.decoded(self).scalars where !scalar.isInvisible { shown.unicodeScalars.append(scalar) }
    return shown.lowercased()
  }
}

extension Unicode.Scalar {
  fileprivate var isInvisible: Bool {
    if properties.isWhitespace { return true }
    switch properties.generalCategory {
    case .control, .format: return true
    default: return false
    }
  }
}
