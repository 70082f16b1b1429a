/// Reads a query as the JSON of a message; the inverse of ``QueryWriter``.
enum QueryReader {
  /// The fields of a query. Those of a repeated field are one array, `page.size` is a field of the message `page`, and
  /// `labels[color]` an entry of the map `labels`.
  static func members(of query: String, _ type: any ProtoMessage.Type) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    for (name, value) in PercentEncoding.pairs(query) { add(value, at: QueryKey(name), of: type, to: &members) }
    return members
  }

  /// A text of a query or path as JSON for the field. Readers take every type but flags from text.
  static func value(_ text: String, of field: FieldDescriptor?) -> JSONValue {
    let isFlag = field?.kind == .bool || field?.kind == .message("google.protobuf.BoolValue")
    return isFlag && (text == "true" || text == "false") ? .bool(text == "true") : .string(text)
  }

  private static func add(
    _ text: String, at key: QueryKey, of type: any ProtoMessage.Type, to members: inout [JSONValue.Member]
  ) {
    let name = key.path.first ?? ""
    let fields = type.descriptor.fields
    let index = fields.firstIndex { $0.answers(to: name) }
    let place = members.firstIndex { $0.name == name }
    if key.path.count > 1, let index, let inner = NestedTypes.type(ofField: index, in: type) {
      var inside = place.flatMap { members[$0].value.memberList } ?? []
      add(text, at: key.inner, of: inner, to: &inside)
      return set(.object(inside), at: place, named: name, in: &members)
    }
    let value = value(text, of: index.map { fields[$0] })
    switch (index.map { fields[$0].cardinality }, key.mapKey) {
    case (.repeated, nil):
      let elements = (place.flatMap { members[$0].value.elements } ?? []) + [value]
      set(.array(elements), at: place, named: name, in: &members)
    case (.map, let mapKey?):
      let entries = (place.flatMap { members[$0].value.memberList } ?? []) + [.init(name: mapKey, value: value)]
      set(.object(entries), at: place, named: name, in: &members)
    default: members.append(.init(name: key.text, value: value))
    }
  }

  private static func set(_ value: JSONValue, at index: Int?, named name: String, in members: inout [JSONValue.Member])
  {
    if let index { members[index].value = value } else { members.append(.init(name: name, value: value)) }
  }
}
