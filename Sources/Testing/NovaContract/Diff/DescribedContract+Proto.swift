import NovaCore

extension DescribedContract {
  /// Reads a contract from `.proto` files.
  ///
  /// - Parameters:
  ///   - files: the names of the files, and their texts.
  ///   - gateway: the text of `gateway.yaml` or another service configuration with HTTP rules; nil if the files have the
  ///     rules themselves.
  package init(protoFiles files: [(name: String, text: String)], gateway: String?) throws(DescriptionError) {
    var sources: [ProtoFile] = []
    for file in files { sources.append(try ProtoFile(file.text, name: file.name)) }
    var json = JSONValue.null
    do throws(YAMLError) {
      if let gateway { json = try YAMLReader.value(of: gateway) }
    } catch {
      throw DescriptionError(place: "gateway.yaml:\(error.line)", problem: error.problem)
    }
    var reader = ProtoContractReader(sources, gateway == nil ? GatewayRules() : GatewayRules(json))
    reader.rules.addBatchLimits(json, requestOf: reader.requestName)
    try reader.read()
    self = reader.contract
  }
}

/// Makes operations and objects of the declarations of `.proto` files.
private struct ProtoContractReader {
  private let files: [ProtoFile]
  var rules: GatewayRules
  var contract = DescribedContract()
  private var messages: [String: (message: ProtoFile.Message, package: String)] = [:]
  private var enumerations: [String: ProtoFile.Enumeration] = [:]

  init(_ files: [ProtoFile], _ rules: GatewayRules) {
    (self.files, self.rules) = (files, rules)
    for file in files {
      for message in file.messages { messages[message.name] = (message, file.package) }
      for enumeration in file.enumerations { enumerations[enumeration.name] = enumeration }
    }
  }

  /// The full name of an RPC's request.
  func requestName(_ selector: String) -> String? {
    for file in files {
      for rpc in file.rpcs where "\(rpc.service).\(rpc.name)" == selector {
        return resolve(rpc.request, in: file.package)
      }
    }
    return nil
  }

  mutating func read() throws(DescriptionError) {
    for file in files {
      for rpc in file.rpcs { try add(rpc, file.package) }
    }
    if contract.operations.isEmpty {
      throw DescriptionError(
        place: "",
        problem:
          "no RPC with a path was found; paths are in gateway.yaml of the directory, or in google.api.http options")
    }
  }

  private mutating func add(_ rpc: ProtoFile.RPC, _ package: String) throws(DescriptionError) {
    let fullName = "\(rpc.service).\(rpc.name)"
    // JSON clients cannot call an RPC without a path.
    guard let rule = rules.http[fullName] ?? rpc.rule else { return }
    guard let request = resolve(rpc.request, in: package), let response = resolve(rpc.response, in: package) else {
      throw DescriptionError(place: fullName, problem: "its request or its response is not declared in these files")
    }
    var operation = DescribedContract.Operation(
      id: "\(Self.shortName(of: package)).\(rpc.name)", method: rule.method, path: rule.path, request: fullName)
    contract.objects[fullName] = ObjectShape(
      title: ProtoNames.last(request), fields: try fields(ofRequest: request, rule, of: fullName, in: &operation))
    operation.response = try value(ofResponse: response, rule)
    operation.successStatuses = ["\(rules.successStatuses[fullName] ?? 200)"]
    operation.errors = Self.errors(in: rpc.comment)
    operation.requiresToken = !rules.unauthenticated.contains(fullName)
    operation.isStream = rpc.isStream
    contract.operations.append(operation)
  }

  private mutating func fields(
    ofRequest name: String, _ rule: ProtoFile.Rule, of rpc: String, in operation: inout DescribedContract.Operation
  ) throws(DescriptionError) -> [FieldShape] {
    guard let (message, package) = messages[name] else { return [] }
    let inPath = Set(PathTemplate(rule.path).variables)
    var fields: [FieldShape] = []
    for field in message.fields {
      var shape = try self.shape(of: field, in: message, package, isRequest: true)
      if inPath.contains(field.name) {
        (shape.place, shape.isRequired) = (.path, true)
        shape = FieldShape(
          name: field.name, number: shape.number, place: .path, isRequired: true, value: shape.value)
      } else if rule.body == field.name {
        operation.body = shape.value
        operation.requiresBody = shape.isRequired
        continue
      } else if rule.body != "*" {
        shape.place = .query
      }
      if field.name == "limit", let limit = rules.pageLimits[rpc] {
        shape.value.standard = limit.standard
        if shape.value.limits[.maximum] == nil { shape.value.limits[.pageSize] = limit.maximum }
      }
      fields.append(shape)
    }
    return fields
  }

  private mutating func value(ofResponse name: String, _ rule: ProtoFile.Rule) throws(DescriptionError) -> ValueShape? {
    guard let (message, package) = messages[name] else { return .init(.any) }
    if let part = rule.responseBody, let field = message.fields.first(where: { $0.name == part }) {
      return try shape(of: field, in: message, package, isRequest: false).value
    }
    try addObject(name)
    return ValueShape(.object(name))
  }

  /// Adds a message, and those in it.
  private mutating func addObject(_ name: String) throws(DescriptionError) {
    guard contract.objects[name] == nil, let (message, package) = messages[name] else { return }
    contract.objects[name] = ObjectShape(title: ProtoNames.last(name))
    var fields: [FieldShape] = []
    for field in message.fields { fields.append(try shape(of: field, in: message, package, isRequest: false)) }
    contract.objects[name]?.fields = fields
  }

  private mutating func shape(
    of field: ProtoFile.Field, in message: ProtoFile.Message, _ package: String, isRequest: Bool
  ) throws(DescriptionError) -> FieldShape {
    let fullName = "\(message.name).\(field.name)"
    var value = try value(of: field.type, in: message.name, at: fullName)
    value.values = rules.values[fullName] ?? value.values
    value.pattern = rules.patterns[fullName]
    if rules.urls.contains(fullName), case .scalar("string", _) = value.form {
      value.form = .scalar("string", format: "uri")
    }
    let isList = field.isRepeated
    if isList { value = ValueShape(.list(value)) }
    if field.keyOfMap != nil { value = ValueShape(.map(value)) }
    value.limits = rules.limits[fullName] ?? [:]
    let isID = field.name == "id" || field.name.hasSuffix("_id")
    let isSingle = !isList && field.keyOfMap == nil && !field.hasPresence
    if isRequest, rules.hasImplicitRules, isSingle, ["limit", "offset", "skip"].contains(field.name),
      value.limits[.minimum] == nil
    {
      value.limits[.minimum] = 0
    }
    let isRequiredID =
      isRequest && rules.hasImplicitRules && isSingle && field.type == "string" && isID
      && !rules.optionalIDs.contains(fullName)
    let limit = value.limits[.minLength] ?? value.limits[.minItems] ?? value.limits[.minimum] ?? 0
    return FieldShape(
      name: rules.jsonName(of: field, in: package), number: field.number,
      isRequired: field.isRequired || isRequiredID || rules.requiredTexts.contains(fullName)
        || (isSingle || isList) && limit > 0 && field.name != "limit"
        || isSingle && value.pattern.map { !ContractTexts.acceptsEmptyText($0) } ?? false,
      value: value)
  }

  private mutating func value(
    of type: String, in scope: String, at field: String
  ) throws(DescriptionError) -> ValueShape {
    if let scalar = Self.scalars[type] {
      if scalar.type == "integer", scalar.format?.hasSuffix("64") == true, rules.writesInt64AsString {
        return .scalar("string", format: scalar.format)
      }
      return .scalar(scalar.type, format: scalar.format)
    }
    guard let name = resolve(type, in: scope) else {
      let known = type.hasPrefix(".") ? String(type.dropFirst()) : type
      guard known.hasPrefix("google.") else {
        throw DescriptionError(
          place: field, problem: "the type \(type.printable(to: 100)) is not declared in these files")
      }
      return Self.wellKnown(known)
    }
    if let enumeration = enumerations[name] {
      var value = ValueShape.scalar("string")
      value.values = enumeration.values
      return value
    }
    try addObject(name)
    return ValueShape(.object(name))
  }

  /// The full name of a type, looked for from the inside to the outside.
  private func resolve(_ type: String, in scope: String) -> String? {
    if type.hasPrefix(".") {
      let name = String(type.dropFirst())
      return messages[name] != nil || enumerations[name] != nil ? name : nil
    }
    var scope = scope
    while true {
      let name = ProtoNames.join(scope, type)
      if messages[name] != nil || enumerations[name] != nil { return name }
      if scope.isEmpty { return nil }
      scope = ProtoNames.scope(scope)
    }
  }

  private static let scalars: [String: (type: String, format: String?)] = [
    "double": ("number", "double"), "float": ("number", "float"), "bool": ("boolean", nil), "string": ("string", nil),
    "bytes": ("string", "base64"), "int32": ("integer", "int32"), "sint32": ("integer", "int32"),
    "sfixed32": ("integer", "int32"), "uint32": ("integer", "uint32"), "fixed32": ("integer", "uint32"),
    "int64": ("integer", "int64"), "sint64": ("integer", "int64"), "sfixed64": ("integer", "int64"),
    "uint64": ("integer", "uint64"), "fixed64": ("integer", "uint64"),
  ]

  /// The JSON of Google's types.
  private static func wellKnown(_ name: String) -> ValueShape {
    let short = ProtoNames.last(name)
    switch short {
    case "Timestamp": return .scalar("string", format: "date-time")
    case "Duration": return .scalar("string", format: "duration")
    case "FieldMask": return .scalar("string", format: "field-mask")
    case _ where short.hasSuffix("Value") && name.hasPrefix("google.protobuf."):
      let type = short.dropLast("Value".count).lowercased()
      guard let scalar = scalars[type] else { return ValueShape(.any) }
      var value = ValueShape.scalar(scalar.type, format: scalar.format)
      value.isNullable = true
      return value
    default: return ValueShape(.any)
    }
  }

  /// `graph` of `nova.graph_service.v1`; of other packages, the last part that is no version.
  private static func shortName(of package: String) -> String {
    let parts = package.parts(between: ".", keepsEmpty: false)
    let last = parts.last { $0.first != "v" || !$0.dropFirst().allSatisfy(\.isNumber) } ?? package
    return last.hasSuffix("_service") ? String(last.dropLast("_service".count)) : last
  }

  /// The failures that the comment of an RPC lists: `Errors: NOT_FOUND when …`.
  private static func errors(in comment: [String]) -> Set<String> {
    var errors: Set<String> = []
    var isList = false
    for line in comment {
      if line.hasPrefix("Errors:") { isList = true }
      if line.isEmpty { isList = false }
      guard isList else { continue }
      for word in line.split(whereSeparator: { " ,;.:".contains($0) }) {
        guard let status = ContractTexts.status(named: String(word)) else { continue }
        errors.insert("\(status.httpStatus) \(status)")
      }
    }
    return errors
  }
}
