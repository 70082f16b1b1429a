import Yams

/// `gateway.yaml`: the HTTP bindings in grpc-gateway's external form, and under `nova` what that form has no words for.
public struct GatewayConfig: Sendable {
  struct Binding: Equatable {
    var method: String
    var path: String
    var body: String?
    var responseBody: String?
    /// Where it stands.
    var file: String
  }

  /// The file, for errors.
  private(set) var file = "gateway.yaml"
  var bindings: [String: Binding] = [:]
  /// The full names of the services with bindings, in the order of the file.
  private(set) var services: [String] = []
  var int64AsString = false
  /// Whether an RPC without an HTTP binding is an error.
  var requiresBindings = false
  var lowerCamelCasePackages: Set<String> = []
  /// Whether JSON is written in lowerCamelCase where the configuration says nothing about the package.
  var isLowerCamelCaseByDefault = false
  var aliases: [String: [String]] = [:]
  var successStatus: [String: Int] = [:]
  var unauthenticated: Set<String> = []
  var timeouts: [String: Int] = [:]
  var secrets: Set<String> = []
  var pageLimits: [String: (default: Int?, maximum: Int)] = [:]
  var batchLimits: [String: BatchLimit] = [:]
  var lists: [String: List] = [:]
  /// RPCs whose responses contain the values of their requests.
  var echoedRequests: Set<String> = []
  /// What the items of lists belong to.
  var itemOwners: [String: ItemOwner] = [:]
  var valueTypes: [String: ValueType] = [:]
  /// The Swift types of text fields, where they are not `String`.
  var typedTexts: [String: String] = [:]
  /// Whether IDs of requests must not be empty, and `limit`, `offset` and `skip` not be negative.
  var hasImplicitRules = false
  /// Whether messages have a place for fields that they do not declare.
  var keepsUnknownFields = false
  var optionalIDs: Set<String> = []
  /// Fields that are absent when the server leaves them out, although the .proto file declares no `optional`.
  var explicitPresence: Set<String> = []
  var textLengths: [String: (minimum: Int, maximum: Int?)] = [:]
  var integerRanges: [String: ClosedRange<Int>] = [:]
  /// Texts that must be absolute URLs of `http` or `https`, or empty.
  var httpURLs: Set<String> = []
  /// By the full name of the field.
  var requirements: [String: Requirement] = [:]
  /// The fields with the ids of records, without which a response cannot be used.
  var recordIDs: Set<String> = []
  /// What servers check in requests, for descriptions of the contract.
  var knownValues: [String: [String]] = [:]
  var requiredTexts: Set<String> = []
  var maximumLengths: [String: Int] = [:]
  var textPatterns: [String: String] = [:]
  var numberBounds: [String: (minimum: Int?, maximum: Int?)] = [:]
  var endpointNames: [String: String] = [:]
  var modules: [String: Module] = [:]
  /// Where the code of all other packages goes; nil for a module for each.
  var onlyModule: Module?
  /// By the full name of their service.
  var composedCalls: [String: [ComposedCall]] = [:]
  /// What clients store; nil without a section about it.
  var offline: OfflineConfig?

  /// How many values a list in a request has.
  struct BatchLimit {
    var field: String
    var minimum: Int
    var maximum: Int
  }

  /// A field of a list's items, and the field of the request with the same value.
  struct ItemOwner {
    var field: String
    var requestField: String
  }

  /// When a request needs a field: if another text of the request has one of these values.
  struct Requirement {
    /// The field with that text, in the same message.
    var condition: String
    var values: [String]
  }

  /// How the items of a list are read: `followers(of:)`.
  struct List {
    /// The field of the response that holds the items.
    var items: String
    /// Where the items are when that field is empty: a list of messages, and their field.
    var fallback: (list: String, field: String)?
    /// The name of the sequence, and the label of its first argument.
    var sequence: String
    var label: String
  }

  /// The Swift type of a text field's values; without a default, calls may leave the argument out.
  struct ValueType {
    var name: String
    var standard: String?
  }

  /// Where a package's code goes.
  struct Module: Equatable {
    var name: String
    var folder: String
    /// Whether its messages are part of the contract, and so in the registry.
    var isInRegistry = true
  }

  /// The configuration of contracts without a `gateway.yaml`: canonical proto3 JSON.
  public init() {
    int64AsString = true
    isLowerCamelCaseByDefault = true
  }

  func isLowerCamelCase(_ package: String) -> Bool {
    isLowerCamelCaseByDefault || lowerCamelCasePackages.contains(package)
  }

  /// Reads `gateway.yaml`; a key it does not know is an error, since it would silently say nothing.
  public init(yaml: String, file: String = "gateway.yaml") throws {
    self.file = file
    let composed: Node?
    do {
      composed = try Yams.compose(yaml: yaml)
    } catch {
      throw GenerationError(file: file, place: "the document", reason: "is no YAML: \(error)")
    }
    guard let root = composed else {
      throw GenerationError(file: file, place: "the document", reason: "is empty")
    }
    let document = try Section(root, file: file, place: "the document")
    try document.allow(["type", "config_version", "http", "nova"])
    if let http = try document.section("http") {
      try http.allow(["rules"])
      for rule in try http.list("rules") { try add(rule) }
    }
    guard let nova = try document.section("nova") else { return }
    try nova.allow([
      "int64", "requires_bindings", "json_names", "read_aliases", "success_status", "unauthenticated", "timeouts",
      "secrets",
      "page_limits", "batch_limits", "lists", "value_types", "typed_texts", "implicit_rules", "optional_ids",
      "explicit_presence", "echoed_requests", "item_owners", "record_ids",
      "text_lengths", "integer_ranges", "http_urls", "required_if", "known_values", "required_texts", "maximum_lengths",
      "text_patterns", "keeps_unknown_fields",
      "number_bounds", "endpoint_names", "composed_calls", "swift_modules", "offline",
    ])
    try readNames(nova)
    try readCalls(nova)
    try readLists(nova)
    try readServerChecks(nova)
    for entry in try nova.list("composed_calls") { try add(composedCall: entry) }
    offline = try nova.section("offline").map { try OfflineConfigReader(section: $0).read() }
  }

  private mutating func add(_ rule: Section) throws {
    let verbs = ["get", "put", "post", "delete", "patch"]
    // Of several bindings, the first counts, as in .proto files.
    try rule.allow(["selector", "body", "response_body", "additional_bindings"] + verbs)
    let selector = try rule.required("selector")
    let used = verbs.filter { rule.has($0) }
    guard let verb = used.first, used.count == 1 else {
      throw rule.error("takes exactly one of \(verbs.joined(separator: ", "))")
    }
    guard bindings[selector] == nil else { throw rule.error("binds \(selector) a second time") }
    if let dot = selector.lastIndex(of: "."), !services.contains(String(selector[..<dot])) {
      services.append(String(selector[..<dot]))
    }
    let body = try rule.text("body")
    bindings[selector] = Binding(
      method: verb, path: try rule.required(verb), body: body, responseBody: try rule.text("response_body"),
      file: file)
  }

  private mutating func add(composedCall entry: Section) throws {
    try entry.allow(["service", "name", "request", "response", "comment"])
    let call = ComposedCall(
      name: try entry.required("name"),
      documentation: try entry.required("comment").split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        .map(String.init),
      request: try entry.required("request"), response: try entry.required("response"))
    for name in [call.name, call.request, call.response] where name.wholeMatch(of: /[A-Z][A-Za-z0-9]*/) == nil {
      throw entry.error("has the name \"\(name)\"; supported are names in UpperCamelCase")
    }
    composedCalls[try entry.required("service"), default: []].append(call)
  }

  private mutating func readNames(_ nova: Section) throws {
    switch try nova.text("int64") ?? "number" {
    case "number": int64AsString = false
    case "string": int64AsString = true
    case let other: throw nova.error("int64 is \"\(other)\": number or string")
    }
    keepsUnknownFields = try nova.flag("keeps_unknown_fields") ?? false
    requiresBindings = try nova.flag("requires_bindings") ?? false
    for entry in try nova.list("json_names") {
      try entry.allow(["package", "style"])
      switch try entry.required("style") {
      case "lowerCamelCase": lowerCamelCasePackages.insert(try entry.required("package"))
      case "snake_case": break
      case let other: throw entry.error("style is \"\(other)\": snake_case or lowerCamelCase")
      }
    }
    for entry in try nova.list("read_aliases") {
      try entry.allow(["field", "names"])
      try entry.set(&aliases, for: "field", to: try entry.texts("names"))
    }
    secrets = Set(try nova.texts("secrets"))
    for entry in try nova.list("endpoint_names") {
      try entry.allow(["selector", "name"])
      try entry.set(&endpointNames, for: "selector", to: try entry.required("name"))
    }
    for entry in try nova.list("swift_modules") {
      try entry.allow(["package", "module", "folder", "registry"])
      let name = try entry.required("module")
      let module = Module(
        name: name, folder: try entry.text("folder") ?? "Sources/\(name)/Generated",
        isInRegistry: try entry.flag("registry") ?? true)
      try entry.set(&modules, for: "package", to: module)
    }
  }

  private mutating func readCalls(_ nova: Section) throws {
    for entry in try nova.list("success_status") {
      try entry.allow(["selector", "status"])
      try entry.set(&successStatus, for: "selector", to: try entry.integer("status", within: 200...299))
    }
    for entry in try nova.list("unauthenticated") {
      try entry.allow(["selector"])
      unauthenticated.insert(try entry.required("selector"))
    }
    for entry in try nova.list("timeouts") {
      try entry.allow(["package", "seconds"])
      try entry.set(&timeouts, for: "package", to: try entry.integer("seconds"))
    }
    for entry in try nova.list("page_limits") {
      try entry.allow(["selector", "default", "maximum"])
      let standard = entry.has("default") ? try entry.integer("default") : nil
      let maximum = try entry.integer("maximum", within: (standard ?? 1)...Int(Int32.max))
      try entry.set(&pageLimits, for: "selector", to: (standard, maximum))
    }
    for entry in try nova.list("echoed_requests") {
      try entry.allow(["selector"])
      echoedRequests.insert(try entry.required("selector"))
    }
    for entry in try nova.list("item_owners") {
      try entry.allow(["selector", "field", "request_field"])
      let owner = ItemOwner(
        field: try entry.required("field"), requestField: try entry.required("request_field"))
      try entry.set(&itemOwners, for: "selector", to: owner)
    }
    hasImplicitRules = try nova.flag("implicit_rules") ?? false
    optionalIDs = Set(try nova.texts("optional_ids"))
    guard hasImplicitRules || optionalIDs.isEmpty else {
      throw nova.error("has optional_ids, which need implicit_rules: true")
    }
    explicitPresence = Set(try nova.texts("explicit_presence"))
    recordIDs = Set(try nova.texts("record_ids"))
    for entry in try nova.list("text_lengths") {
      try entry.allow(["field", "minimum", "maximum"])
      let maximum = entry.has("maximum") ? try entry.integer("maximum") : nil
      textLengths[try entry.required("field")] = (try entry.integer("minimum"), maximum)
    }
    for entry in try nova.list("integer_ranges") {
      try entry.allow(["field", "minimum", "maximum"])
      let minimum = try entry.integer("minimum", within: 0...Int(Int32.max))
      let maximum = try entry.integer("maximum", within: minimum...Int(Int32.max))
      try entry.set(&integerRanges, for: "field", to: minimum...maximum)
    }
    httpURLs = Set(try nova.texts("http_urls"))
    for entry in try nova.list("required_if") {
      try entry.allow(["field", "text", "values"])
      let requirement = Requirement(condition: try entry.required("text"), values: try entry.texts("values"))
      guard let first = requirement.values.first, !first.isEmpty else {
        throw entry.error("needs values, of which the first is not empty")
      }
      try entry.set(&requirements, for: "field", to: requirement)
    }
    for entry in try nova.list("batch_limits") {
      try entry.allow(["selector", "field", "minimum", "maximum"])
      let maximum = try entry.integer("maximum")
      let minimum = entry.has("minimum") ? try entry.integer("minimum", within: 1...maximum) : 0
      let limit = BatchLimit(field: try entry.required("field"), minimum: minimum, maximum: maximum)
      try entry.set(&batchLimits, for: "selector", to: limit)
    }
  }

  private mutating func readServerChecks(_ nova: Section) throws {
    for entry in try nova.list("known_values") {
      try entry.allow(["field", "values"])
      let values = try entry.texts("values")
      guard !values.isEmpty, Set(values).count == values.count else { throw entry.error("needs values, each once") }
      try entry.set(&knownValues, for: "field", to: values)
    }
    requiredTexts = Set(try nova.texts("required_texts"))
    for entry in try nova.list("maximum_lengths") {
      try entry.allow(["field", "maximum"])
      try entry.set(&maximumLengths, for: "field", to: try entry.integer("maximum", within: 1...Int(Int32.max)))
    }
    for entry in try nova.list("text_patterns") {
      try entry.allow(["field", "pattern"])
      try entry.set(&textPatterns, for: "field", to: try entry.required("pattern"))
    }
    for entry in try nova.list("number_bounds") {
      try entry.allow(["field", "minimum", "maximum"])
      let range = Int(Int32.min)...Int(Int32.max)
      let minimum = entry.has("minimum") ? try entry.integer("minimum", within: range) : nil
      let maximum =
        entry.has("maximum")
        ? try entry.integer("maximum", within: (minimum ?? range.lowerBound)...range.upperBound) : nil
      guard minimum != nil || maximum != nil else { throw entry.error("needs a minimum or a maximum") }
      try entry.set(&numberBounds, for: "field", to: (minimum, maximum))
    }
  }

  private mutating func readLists(_ nova: Section) throws {
    for entry in try nova.list("lists") {
      try entry.allow(["selector", "items", "fallback", "sequence", "label"])
      let fallback = try entry.text("fallback").map { text in
        let parts = text.split(separator: ".").map(String.init)
        guard parts.count == 2 else { throw entry.error("has the fallback \"\(text)\"; expected list.field") }
        return (list: parts[0], field: parts[1])
      }
      let list = List(
        items: try entry.required("items"), fallback: fallback, sequence: try entry.required("sequence"),
        label: try entry.required("label"))
      for name in [list.sequence, list.label] where name.wholeMatch(of: /[a-z][A-Za-z0-9]*/) == nil {
        throw entry.error("has the name \"\(name)\"; supported are names in lowerCamelCase")
      }
      try entry.set(&lists, for: "selector", to: list)
    }
    for entry in try nova.list("value_types") {
      try entry.allow(["field", "type", "default"])
      let type = ValueType(name: try entry.required("type"), standard: try entry.text("default"))
      guard type.name.wholeMatch(of: /[A-Z][A-Za-z0-9]*/) != nil,
        type.standard?.wholeMatch(of: /\.[a-z][A-Za-z0-9]*/) != nil || type.standard == nil
      else { throw entry.error("needs a type in UpperCamelCase and, if any, a default like .newest") }
      try entry.set(&valueTypes, for: "field", to: type)
    }
    for entry in try nova.list("typed_texts") {
      try entry.allow(["field", "type"])
      let type = try entry.required("type")
      guard type.wholeMatch(of: /[A-Z][A-Za-z0-9]*/) != nil else {
        throw entry.error("has the type \"\(type)\"; supported are names in UpperCamelCase")
      }
      try entry.set(&typedTexts, for: "field", to: type)
    }
  }
}
