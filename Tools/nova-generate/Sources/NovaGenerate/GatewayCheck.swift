import SwiftProtobufPluginLibrary

/// Checks every name in `gateway.yaml` against the descriptors: a name that fits nothing would have no effect.
struct GatewayCheck {
  let contract: Contract
  let gateway: GatewayConfig
  let descriptors: DescriptorSet

  func run() throws {
    try selectors()
    try packages()
    try fields()
    try routes()
    for package in contract.packages {
      for method in package.service?.methods ?? [] { try check(method, in: package) }
      try endpoints(of: package)
    }
  }

  private func selectors() throws {
    let known = Set(
      contract.packages.flatMap { package in
        (package.service?.methods ?? []).map { selector(of: $0, in: package) }
      })
    // Rules of services that are only imported are for the gateway.
    let methods = descriptors.files.flatMap(\.services).flatMap(\.methods)
    if let stranger = Set(gateway.bindings.keys).subtracting(methods.map(\.fullName)).min() {
      throw error(stranger, "is not an RPC")
    }
    let used =
      Set(gateway.successStatus.keys).union(gateway.unauthenticated)
      .union(gateway.pageLimits.keys).union(gateway.batchLimits.keys).union(gateway.endpointNames.keys)
      .union(gateway.lists.keys).union(gateway.echoedRequests).union(gateway.itemOwners.keys)
    if let stranger = used.subtracting(known).min() { throw error(stranger, "is not an RPC") }
    let services = Set(contract.packages.compactMap(\.service?.fullName))
    if let stranger = Set(gateway.composedCalls.keys).subtracting(services).min() {
      throw error(stranger, "is not a service")
    }
  }

  private func packages() throws {
    let used = Set(gateway.timeouts.keys).union(gateway.lowerCamelCasePackages).union(gateway.modules.keys)
    if let stranger = used.subtracting(contract.packages.map(\.name)).min() {
      throw error(stranger, "is not a package")
    }
  }

  private func fields() throws {
    for package in contract.packages {
      for message in package.messages { try names(of: message) }
    }
    let known = Set(
      contract.packages.flatMap { package in
        package.messages.flatMap { message in message.fields.map { "\(message.fullName).\($0.name)" } }
      })
    if let stranger = Set(gateway.aliases.keys).union(gateway.secrets).union(gateway.optionalIDs)
      .union(gateway.explicitPresence).union(gateway.textLengths.keys).union(gateway.valueTypes.keys)
      .union(gateway.typedTexts.keys).union(gateway.httpURLs).union(gateway.requirements.keys)
      .union(gateway.recordIDs)
      .union(gateway.integerRanges.keys).union(gateway.knownValues.keys).union(gateway.textPatterns.keys)
      .union(gateway.numberBounds.keys).union(gateway.requiredTexts).union(gateway.maximumLengths.keys).subtracting(
        known
      )
      .min()
    {
      throw error(stranger, "is not a field")
    }
    for message in contract.packages.flatMap(\.messages) {
      for field in message.fields { try types(of: field, in: message) }
    }
  }

  /// A field has the type that its entries need.
  private func types(of field: Field, in message: Message) throws {
    let name = "\(message.fullName).\(field.name)"
    // A secret is masked as a text.
    if gateway.typedTexts[name] != nil, !field.type.isText || field.isSecret {
      throw error(name, "has a type in typed_texts, but is \(field.isSecret ? "a secret" : "not a string")")
    }
    if gateway.httpURLs.contains(name), !field.isSingleText {
      throw error(name, "is among http_urls, but is not a single string")
    }
    if gateway.recordIDs.contains(name), !field.isSingleText, !["Int", "Int64"].contains(field.swiftType) {
      throw error(name, "is among record_ids, but is not a single string or integer")
    }
    guard let condition = gateway.requirements[name]?.condition else { return }
    let decider = message.fields.first { $0.name == condition }
    guard decider?.isSingleText == true, decider?.isSecret == false else {
      throw error(
        name, "is required because of \(condition), which is no single string of \(message.name), or a secret")
    }
  }

  /// No request may fit two RPCs.
  private func routes() throws {
    var owners: [String: String] = [:]
    let bindings = contract.packages.flatMap { package in
      (package.service?.methods ?? []).map { (selector(of: $0, in: package), $0.binding) }
    }
    for case (let selector, let binding?) in bindings.sorted(by: { $0.0 < $1.0 }) {
      let path = binding.path.split(separator: "/").map { $0.hasPrefix("{") ? "{}" : $0 }.joined(separator: "/")
      if let owner = owners.updateValue(selector, forKey: "\(binding.method) \(path)") {
        throw error(selector, "is bound to the same verb and path as \(owner)", in: binding.file)
      }
    }
  }

  /// No two paths of a service may have the same name. The names of RPCs are checked elsewhere.
  private func endpoints(of package: Package) throws {
    var owners: [String: Method] = [:]
    for method in package.service?.methods ?? [] {
      let (place, name) = (selector(of: method, in: package), method.endpointName)
      let isRenamed = gateway.endpointNames[place] != nil
      guard !isRenamed || name.wholeMatch(of: /[a-z][A-Za-z0-9]*/) != nil, name != "self" else {
        throw error(place, "has the endpoint name \"\(name)\"; supported are names in lowerCamelCase")
      }
      if let owner = owners.updateValue(method, forKey: name) {
        throw error(place, "has the endpoint name \(name), as \(owner.name)")
      }
    }
  }

  /// No JSON key may stand for two fields.
  private func names(of message: Message) throws {
    var owners: [String: String] = [:]
    for field in message.fields {
      for name in [field.name, field.jsonName] + field.aliases {
        guard let owner = owners.updateValue(field.name, forKey: name), owner != field.name else { continue }
        let isAlias = message.fields.contains { $0.aliases.contains(name) }
        throw error(
          "\(message.fullName).\(field.name)", "is read from \"\(name)\", which is \(owner)'s name too",
          in: isAlias ? nil : message.file)
      }
    }
  }

  private func selector(of method: Method, in package: Package) -> String {
    "\(package.service?.fullName ?? "").\(method.name)"
  }

  private func check(_ method: Method, in package: Package) throws {
    let place = selector(of: method, in: package)
    let request = fieldNames(method.request)
    if let binding = method.binding {
      try check(binding, of: method, request, at: place)
    } else if gateway.requiresBindings {
      throw error(place, "has no HTTP binding")
    }
    if method.pageLimit != nil, request["limit"] != .singular {
      throw error(place, "has a page limit but no plain field limit")
    }
    try checkList(of: method, at: place)
    if method.echoesRequest { try checkEcho(of: method, at: place) }
    if let owner = method.itemOwner { try checkItems(of: method, owner, at: place) }
    if let batch = method.batchLimit, request[batch.field] != .repeated {
      throw error(place, "has a batch limit on \(batch.field), which is no list in \(method.request)")
    }
  }

  private func check(
    _ binding: GatewayConfig.Binding, of method: Method, _ request: [String: Field.Cardinality], at place: String
  ) throws {
    guard binding.path.wholeMatch(of: /(\/([^{}\/?#\s]+|\{[a-z0-9_]+\}))+/) != nil else {
      throw error(
        place, "has the path \"\(binding.path)\"; supported are segments of text and whole {field}s", in: binding.file)
    }
    for variable in Self.variables(binding.path) where request[variable] != .singular {
      throw error(
        place, "has {\(variable)} in its path, which is no plain field of \(method.request)", in: binding.file)
    }
    if let body = binding.body, body != "*", request[body] == nil {
      throw error(place, "has body \(body), which is no field of \(method.request)", in: binding.file)
    }
    if binding.body != nil, ["get", "delete"].contains(binding.method) {
      throw error(place, "has a body, which \(binding.method) requests do not carry", in: binding.file)
    }
    if let field = binding.responseBody, fieldNames(method.response)[field] == nil {
      throw error(place, "has response_body \(field), which is no field of \(method.response)", in: binding.file)
    }
    if let problem = responseBodyOfStream(binding, method) { throw error(place, problem, in: binding.file) }
    if let problem = QueryCheck(contract: contract).problem(binding, of: method) {
      throw error(place, problem, in: binding.file)
    }
  }

  /// In a stream, a list in place of a message could not be told from the list of all messages.
  private func responseBodyOfStream(_ binding: GatewayConfig.Binding, _ method: Method) -> String? {
    guard method.isServerStreaming, let name = binding.responseBody else { return nil }
    let field = contract.message(named: method.response)?.fields.first { $0.name == name }
    if let field, field.isSingle, contract.message(ofType: field.type) != nil { return nil }
    return "streams \(name) as its response_body, which is no plain message; leave response_body out"
  }

  /// The response, or a message in it, needs a field of the request.
  private func checkEcho(of method: Method, at place: String) throws {
    guard !method.isServerStreaming else { throw error(place, "streams, so its responses cannot echo the request") }
    guard method.effect != "noSideEffects" else { return }
    let response = contract.message(named: method.response)?.fields ?? []
    let inner = response.filter(\.isSingle).compactMap { contract.message(ofType: $0.type) }.flatMap(\.fields)
    guard Set((response + inner).map(\.name)).isDisjoint(with: fieldNames(method.request).keys) else { return }
    throw error(place, "is in echoed_requests, but \(method.response) has no field of \(method.request)")
  }

  /// The items need the one field, and the request the other.
  private func checkItems(of method: Method, _ owner: GatewayConfig.ItemOwner, at place: String) throws {
    let request = contract.message(named: method.request)?.fields.first { $0.name == owner.requestField }
    guard let request, request.isSingleText else {
      throw error(place, "is in item_owners with \(owner.requestField), which is no single string of \(method.request)")
    }
    let lists = (contract.message(named: method.response)?.fields ?? []).filter { $0.cardinality == .repeated }
    let items = lists.compactMap { contract.message(ofType: $0.type) }.flatMap(\.fields)
    guard items.contains(where: { $0.name == owner.field && $0.isSingleText }) else {
      throw error(
        place, "is in item_owners with \(owner.field), which is no single string of the items of \(method.response)")
    }
  }

  /// A list needs `limit` and `offset`, items, a total and `has_more`.
  private func checkList(of method: Method, at place: String) throws {
    guard let list = method.list else { return }
    let (request, response) = (fieldNames(method.request), fieldNames(method.response))
    for field in ["limit", "offset"] where request[field] != .singular {
      throw error(place, "is a list, but \(method.request) has no plain field \(field)")
    }
    for field in [list.items, list.fallback?.list].compactMap(\.self) where response[field] != .repeated {
      throw error(place, "has the items \(field), which is not a list in \(method.response)")
    }
    if let fallback = list.fallback {
      let record = contract.message(named: method.response)?.fields.first { $0.name == fallback.list }
      let fields = fieldNames(record?.type.swift ?? "")
      guard fields[fallback.field] == .singular else {
        throw error(
          place, "has the fallback \(fallback.list).\(fallback.field), which is no plain field of its records")
      }
    }
    guard response["has_more"] == .singular, response["total_count"] ?? response["total"] == .singular else {
      throw error(place, "is a list, but \(method.response) has no has_more or no total")
    }
  }

  private func fieldNames(_ message: String) -> [String: Field.Cardinality] {
    let fields = contract.message(named: message)?.fields ?? []
    return Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.cardinality) })
  }

  static func variables(_ path: String) -> [String] {
    path.split(separator: "/").filter { $0.hasPrefix("{") && $0.hasSuffix("}") }.map {
      String($0.dropFirst().dropLast())
    }
  }

  /// - Parameter file: where it stands. Default: the gateway's file.
  private func error(_ place: String, _ reason: String, in file: String? = nil) -> GenerationError {
    GenerationError(file: file ?? gateway.file, place: place, reason: reason)
  }
}
