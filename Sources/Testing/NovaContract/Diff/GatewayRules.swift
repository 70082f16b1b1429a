import NovaCore

/// What `gateway.yaml` has beyond the `.proto` files: paths, names, limits, and who may call.
struct GatewayRules: Sendable {
  /// The rules of `google.api.Http`, by the RPC's full name.
  private(set) var http: [String: ProtoFile.Rule] = [:]
  /// The full names of RPCs that need no token.
  private(set) var unauthenticated: Set<String> = []
  private(set) var successStatuses: [String: Int] = [:]
  /// Whether 64-bit integers are strings.
  private(set) var writesInt64AsString = true
  private(set) var hasImplicitRules = false
  private(set) var optionalIDs: Set<String> = []
  private(set) var requiredTexts: Set<String> = []
  private(set) var values: [String: [String]] = [:]
  private(set) var patterns: [String: String] = [:]
  private(set) var limits: [String: [Limit: Double]] = [:]
  private(set) var standards: [String: String] = [:]
  private(set) var urls: Set<String> = []
  private(set) var pageLimits: [String: (standard: String?, maximum: Double?)] = [:]
  /// Whether there is no such file: then, names and numbers are those of protobuf's JSON.
  let isPresent: Bool
  private var snakeCase = true
  private var lowerCamelCasePackages: Set<String> = []

  /// Without a file.
  init() {
    isPresent = false
    snakeCase = false
  }

  init(_ json: JSONValue) {
    isPresent = true
    for rule in json["http"]?["rules"]?.elements ?? [] {
      guard let selector = rule["selector"]?.stringValue else { continue }
      http[selector] = ProtoNames.rule { rule[$0]?.stringValue }
    }
    guard let nova = json["nova"] else {
      snakeCase = false
      return
    }
    writesInt64AsString = nova["int64"]?.stringValue != "number"
    hasImplicitRules = nova["implicit_rules"] == .bool(true)
    for entry in nova.entries("json_names") where entry["style"]?.stringValue == "lowerCamelCase" {
      if let package = entry["package"]?.stringValue { lowerCamelCasePackages.insert(package) }
    }
    unauthenticated = Set(nova.entries("unauthenticated").compactMap { $0["selector"]?.stringValue })
    for entry in nova.entries("success_status") {
      if let selector = entry["selector"]?.stringValue { successStatuses[selector] = entry["status"]?.integerValue }
    }
    optionalIDs = nova.texts("optional_ids")
    requiredTexts = nova.texts("required_texts")
    urls = nova.texts("http_urls")
    for entry in nova.entries("known_values") {
      if let field = entry.field { values[field] = entry["values"]?.elements?.compactMap(\.stringValue) }
    }
    for entry in nova.entries("text_patterns") {
      if let field = entry.field { patterns[field] = entry["pattern"]?.stringValue }
    }
    addLimits(nova, "text_lengths", from: .minLength, to: .maxLength)
    addLimits(nova, "maximum_lengths", from: nil, to: .maxLength)
    addLimits(nova, "integer_ranges", from: .minimum, to: .maximum)
    addLimits(nova, "number_bounds", from: .minimum, to: .maximum)
    for entry in nova.entries("page_limits") {
      guard let selector = entry["selector"]?.stringValue else { continue }
      pageLimits[selector] = (entry["default"]?.integerValue.map(String.init), entry.double("maximum"))
    }
  }

  private mutating func addLimits(_ nova: JSONValue, _ section: String, from minimum: Limit?, to maximum: Limit) {
    for entry in nova.entries(section) {
      guard let field = entry.field else { continue }
      if let minimum, let value = entry.double("minimum") { limits[field, default: [:]][minimum] = value }
      if let value = entry.double("maximum") { limits[field, default: [:]][maximum] = value }
    }
  }

  /// Adds the limits of batches, whose fields are those of the RPCs' requests.
  mutating func addBatchLimits(_ json: JSONValue, requestOf: (String) -> String?) {
    for entry in json["nova"]?.entries("batch_limits") ?? [] {
      guard let selector = entry["selector"]?.stringValue, let request = requestOf(selector),
        let field = entry.field
      else { continue }
      let name = "\(request).\(field)"
      if let value = entry.double("minimum") { limits[name, default: [:]][.minItems] = value }
      if let value = entry.double("maximum") { limits[name, default: [:]][.maxItems] = value }
    }
  }

  /// The name of a field in JSON.
  func jsonName(of field: ProtoFile.Field, in package: String) -> String {
    let isCamel = lowerCamelCasePackages.contains(package) || !snakeCase
    return isCamel ? field.jsonName ?? ProtoNames.lowerCamelCase(field.name) : field.name
  }
}

extension JSONValue {
  fileprivate func entries(_ name: String) -> [JSONValue] { self[name]?.elements ?? [] }
  fileprivate func texts(_ name: String) -> Set<String> { Set(entries(name).compactMap(\.stringValue)) }
  fileprivate var field: String? { self["field"]?.stringValue }

  func double(_ name: String) -> Double? {
    guard case .number(let text)? = self[name] else { return nil }
    return Double(text).flatMap { $0.isFinite ? $0 : nil }
  }
}
