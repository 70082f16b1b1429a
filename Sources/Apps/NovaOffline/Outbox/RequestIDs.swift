package import NovaCore

/// The temporary ids in requests, of records that waiting writes create, and their replacement by real ids.
package enum RequestIDs {
  /// Longer texts are not ids.
  private static let longestID = 256

  /// The texts and whole numbers of a message at any depth, without long texts.
  static func values(of message: any ProtoMessage) -> Set<String> {
    var collector = ValueCollector()
    message.writeFields(to: &collector)
    return collector.values.filter { !$0.isEmpty && $0.utf8.count <= longestID }
  }

  /// The message with other ids: values that are equal to a key become its value.
  ///
  /// - Returns: nil if none of them occurs, or the type of a field cannot hold the new value.
  package static func replacing(_ ids: [String: String], in message: any ProtoMessage) -> (any ProtoMessage)? {
    // Most requests have none, and this check is cheaper than writing JSON.
    guard !ids.isEmpty, values(of: message).contains(where: { ids[$0] != nil }),
      let json = try? message.jsonUTF8(.request), let value = try? JSONValue(jsonUTF8: json)
    else {
      return nil
    }
    let replaced = replacing(ids, in: value)
    guard replaced != value else { return nil }
    return try? type(of: message).init(jsonUTF8: replaced.jsonUTF8)
  }

  private static func replacing(_ ids: [String: String], in value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): .string(ids[text] ?? text)
    case .number(let text): .number(ids[text] ?? text)
    case .array(let elements): .array(elements.map { replacing(ids, in: $0) })
    case .object(let members): .object(members.map { .init(name: $0.name, value: replacing(ids, in: $0.value)) })
    case .null, .bool: value
    }
  }

  /// Entities with other ids: parts between slashes that are equal to a key become its value.
  package static func replacing(_ ids: [String: String], in entities: [String]) -> [String] {
    entities.map { entity in parts(entity).map { ids[$0] ?? $0 }.joined(separator: "/") }
  }

  /// The parts between the slashes of an entity: `likes`, `me`, `42`.
  static func parts(_ entity: String) -> [String] {
    entity.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
  }
}

/// The id of the record in a response.
enum CreatedRecord {
  /// - Parameter type: the type of the record; nil for a write that creates none.
  static func id(in response: any ProtoMessage, _ type: (any StoredRecord.Type)?) -> String? {
    guard let type else { return nil }
    if let record = response as? any StoredRecord, Swift.type(of: record) == type { return record.recordID.orNil }
    var search = RecordSearch(type: type)
    response.writeFields(to: &search)
    return search.found?.recordID.orNil
  }
}

extension String {
  /// A missing id is empty, or 0.
  fileprivate var orNil: String? { isEmpty || self == "0" ? nil : self }
}

/// Collects the texts and whole numbers of a message.
private struct ValueCollector: FieldVisitor {
  var values: Set<String> = []

  mutating func write<C: ProtoCodec>(_ value: C.Value, as codec: C, at index: Int) { add(value) }

  mutating func write<C: ProtoCodec>(_ values: [C.Value], as codec: C, at index: Int) {
    for value in values { add(value) }
  }

  mutating func write<K: ProtoMapKey, C: ProtoCodec>(_ map: [K.Value: C.Value], keys: K, values: C, at index: Int) {
    for value in map.values { add(value) }
  }

  private mutating func add(_ value: some Any) {
    switch value {
    case let text as String: values.insert(text)
    case let number as any FixedWidthInteger: values.insert("\(number)")
    case let message as any ProtoMessage: message.writeFields(to: &self)
    default: break
    }
  }
}

/// Finds the first record of a type in a field of a message.
private struct RecordSearch: FieldVisitor {
  let type: any StoredRecord.Type
  var found: (any StoredRecord)?

  mutating func write<C: ProtoCodec>(_ value: C.Value, as codec: C, at index: Int) {
    guard found == nil, let record = value as? any StoredRecord, Swift.type(of: record) == type else { return }
    found = record
  }
}
