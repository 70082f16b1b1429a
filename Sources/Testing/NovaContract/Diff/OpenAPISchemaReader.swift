import NovaCore

/// Makes shapes of the schemas of an OpenAPI document.
struct OpenAPISchemaReader {
  private let document: JSONValue
  /// What was read so far, by reference or by place.
  var objects: [ObjectShape.Name: ObjectShape] = [:]
  private var depth = 0
  /// The references that are being read.
  private var open: Set<String> = []

  init(_ document: JSONValue) { self.document = document }

  /// The name of the schema of a request's body; nil for one without a name.
  func title(ofBody operation: JSONValue) -> String? {
    guard let content = operation["requestBody"]?["content"]?.memberList?.first?.value else { return nil }
    return content["schema"]?["$ref"]?.stringValue.map(Self.title)
  }

  /// What a reference refers to; other values as they are.
  func resolved(_ value: JSONValue, at place: String) throws(DescriptionError) -> JSONValue {
    var value = value
    for _ in 0..<50 {
      guard let reference = value["$ref"]?.stringValue else { return value }
      value = try target(of: reference, at: place)
    }
    throw DescriptionError(place: place, problem: "references that refer to each other")
  }

  private func target(of reference: String, at place: String) throws(DescriptionError) -> JSONValue {
    guard reference.hasPrefix("#/") else {
      throw DescriptionError(
        place: place,
        problem:
          "the reference \"\(reference.printable(to: 100))\" is to another file; bundle the document into one file")
    }
    var value = document
    for part in reference.dropFirst(2).split(separator: "/", omittingEmptySubsequences: false) {
      let name = part.replacing("~1", with: "/").replacing("~0", with: "~")
      guard let member = value[String(name)] else {
        throw DescriptionError(place: place, problem: "nothing has the reference \"\(reference.printable(to: 100))\"")
      }
      value = member
    }
    return value
  }

  private static func title(_ reference: String) -> String {
    reference.split(separator: "/").last.map { String($0.replacing("~1", with: "/")) } ?? reference
  }

  /// The shape of a schema.
  ///
  /// - Parameter place: where it is, as the title of an object without a name.
  mutating func value(_ schema: JSONValue, at place: String) throws(DescriptionError) -> ValueShape {
    depth += 1
    defer { depth -= 1 }
    if depth > 100 {
      throw DescriptionError(place: place.printable(to: 200), problem: "more than 100 schemas in each other")
    }
    if let reference = schema["$ref"]?.stringValue {
      return try self.reference(reference, at: place).annotated(by: schema)
    }
    if let options = (schema["oneOf"] ?? schema["anyOf"])?.elements {
      return try union(options, at: place).annotated(by: schema)
    }
    // Tools that write version 3.0 put a reference in a list of its own, to add a default or `nullable`.
    if let parts = schema["allOf"]?.elements, parts.count == 1, schema["properties"] == nil, schema["required"] == nil {
      return try value(parts[0], at: place).annotated(by: schema)
    }
    return try plain(schema, at: place, object: place, title: place)
  }

  private mutating func reference(_ reference: String, at place: String) throws(DescriptionError) -> ValueShape {
    if objects[reference] != nil { return ValueShape(.object(reference)) }
    // Lists and unions can contain themselves, too, as the values of JSON do.
    guard open.insert(reference).inserted else { return ValueShape(.any) }
    defer { open.remove(reference) }
    let schema = try target(of: reference, at: place)
    if schema["$ref"] != nil || schema["oneOf"] != nil || schema["anyOf"] != nil {
      return try value(schema, at: Self.title(reference))
    }
    return try plain(schema, at: place, object: reference, title: Self.title(reference))
  }

  private mutating func union(_ options: [JSONValue], at place: String) throws(DescriptionError) -> ValueShape {
    var values: [ValueShape] = []
    var isNullable = false
    for (index, option) in options.enumerated() {
      if option["type"] == "null" {
        isNullable = true
      } else {
        values.append(try value(option, at: "\(place) (\(index + 1))"))
      }
    }
    guard values.count == 1, var only = values.first else {
      var value = ValueShape(values.isEmpty ? .any : .union(values))
      value.isNullable = isNullable
      return value
    }
    only.isNullable = only.isNullable || isNullable
    return only
  }

  private mutating func plain(
    _ schema: JSONValue, at place: String, object: ObjectShape.Name, title: String
  ) throws(DescriptionError) -> ValueShape {
    if schema["allOf"] != nil, schema["properties"] == nil {
      let whole = try flattened(schema, at: title, level: 0)
      if whole["properties"] == nil, whole["required"] == nil { return try value(whole, at: place) }
    }
    let types = (schema["type"]?.elements ?? schema["type"].map { [$0] } ?? []).compactMap(\.stringValue)
    let named = types.filter { $0 != "null" }
    if named.count > 1, schema["properties"] == nil {
      return try union(named.map { schema.replacing("type", with: .string($0)) }, at: place)
        .annotated(by: schema, isNullable: named.count < types.count)
    }
    let type = named.first
    var value: ValueShape
    if schema["properties"] != nil || schema["allOf"] != nil {
      try addObject(schema, named: object, title: title)
      value = ValueShape(.object(object))
    } else if type == "array" || schema["items"] != nil {
      value = ValueShape(.list(try self.value(schema["items"] ?? .bool(true), at: "\(place)[]")))
    } else if let values = schema["additionalProperties"], values.memberList?.isEmpty == false {
      value = ValueShape(.map(try self.value(values, at: "\(place){}")))
    } else if type == "object" {
      value = ValueShape(.map(ValueShape(.any)))
    } else if let type {
      value = .scalar(type, format: schema["format"]?.stringValue ?? schema["contentEncoding"]?.stringValue)
    } else {
      value = ValueShape(.any)
    }
    value.isNullable = types.contains("null") || schema["nullable"] == .bool(true)
    addValues(of: schema, to: &value)
    return value
  }

  private func addValues(of schema: JSONValue, to value: inout ValueShape) {
    let values = (schema["enum"] ?? schema["x-extensible-enum"])?.elements ?? schema["const"].map { [$0] }
    value.values = values?.filter { $0 != .null }.map { $0.stringValue ?? String(decoding: $0.jsonUTF8, as: UTF8.self) }
    if case .scalar = value.form, value.values?.isEmpty == false, schema["type"] == nil {
      value.form = .scalar("string", format: nil)
    }
    value.pattern = schema["pattern"]?.stringValue
    value.standard = schema.standard
    for limit in Limit.allCases where limit != .pageSize { value.limits[limit] = schema.double(limit.rawValue) }
    value.limits[.pageSize] = schema.double("x-nova-maximum")
    let isWhole = if case .scalar("integer", _) = value.form { true } else { false }
    // In version 3.0, these are Boolean, and belong to `minimum` and `maximum`.
    let above = schema["exclusiveMinimum"] == .bool(true) ? value.limits[.minimum] : schema.double("exclusiveMinimum")
    let below = schema["exclusiveMaximum"] == .bool(true) ? value.limits[.maximum] : schema.double("exclusiveMaximum")
    if let above { value.limits[.minimum] = isWhole ? above.rounded(.down) + 1 : above.nextUp }
    if let below { value.limits[.maximum] = isWhole ? below.rounded(.up) - 1 : below.nextDown }
  }

  /// The members of a schema, and of all that it consists of.
  private func flattened(
    _ schema: JSONValue, at place: String, level: Int
  ) throws(DescriptionError) -> JSONValue {
    if level > 50 { throw DescriptionError(place: place, problem: "a schema that consists of itself (allOf)") }
    var whole = JSONValue.object([])
    for part in schema["allOf"]?.elements ?? [] {
      let part = try flattened(try resolved(part, at: place), at: place, level: level + 1)
      for member in part.memberList ?? [] { whole = whole.replacing(member.name, with: member.value) }
    }
    for member in schema.memberList ?? [] where member.name != "allOf" {
      whole = whole.replacing(member.name, with: member.value)
    }
    return whole
  }

  private mutating func addObject(
    _ schema: JSONValue, named name: ObjectShape.Name, title: String
  ) throws(DescriptionError) {
    if objects[name] != nil { return }
    // Known before its fields are read, because they can refer to it.
    objects[name] = ObjectShape(title: title)
    var shape = ObjectShape(title: title)
    try collect(schema, into: &shape, level: 0)
    objects[name] = shape
  }

  /// Adds the properties of a schema, and of all that it consists of.
  private mutating func collect(
    _ schema: JSONValue, into shape: inout ObjectShape, level: Int
  ) throws(DescriptionError) {
    if level > 50 { throw DescriptionError(place: shape.title, problem: "a schema that consists of itself (allOf)") }
    for part in schema["allOf"]?.elements ?? [] {
      try collect(try resolved(part, at: shape.title), into: &shape, level: level + 1)
    }
    let required = Set(schema["required"]?.elements?.compactMap(\.stringValue) ?? [])
    if schema["additionalProperties"] == .bool(false) { shape.isClosed = true }
    for property in schema["properties"]?.memberList ?? [] {
      let value = try value(property.value, at: "\(shape.title).\(property.name)")
      shape.fields.removeAll { $0.name == property.name }
      shape.fields.append(FieldShape(name: property.name, isRequired: required.contains(property.name), value: value))
    }
    for index in shape.fields.indices where required.contains(shape.fields[index].name) {
      shape.fields[index].isRequired = true
    }
  }
}

extension ValueShape {
  /// The value with what a schema says next to a reference or to options.
  fileprivate func annotated(by schema: JSONValue, isNullable: Bool = false) -> ValueShape {
    var value = self
    if isNullable || schema["nullable"] == .bool(true) { value.isNullable = true }
    if let standard = schema.standard { value.standard = standard }
    return value
  }
}

extension JSONValue {
  /// What an absent value means; nil for `null`, which means an absent value.
  fileprivate var standard: String? {
    guard let standard = self["default"], standard != .null else { return nil }
    return standard.stringValue ?? String(decoding: standard.jsonUTF8, as: UTF8.self)
  }

  fileprivate func replacing(_ name: String, with value: JSONValue) -> JSONValue {
    .object((memberList ?? []).filter { $0.name != name } + [Member(name: name, value: value)])
  }
}
