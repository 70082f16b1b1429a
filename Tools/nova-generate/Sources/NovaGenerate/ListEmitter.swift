/// Writes what reads a service's lists: the paging of their messages, and for each list a call with plain arguments and
/// a sequence.
struct ListEmitter {
  let package: Package
  let lists: [(method: Method, list: GatewayConfig.List, request: Message, response: Message)]

  /// Creates the emitter; nil where the package has no lists.
  init?(package: Package, contract: Contract) {
    self.package = package
    lists = (package.service?.methods ?? []).compactMap { method in
      guard let list = method.list, let request = contract.message(named: method.request),
        let response = contract.message(named: method.response)
      else { return nil }
      return (method, list, request, response)
    }
    if lists.isEmpty { return nil }
  }

  func source() -> String {
    var source = SourceText(imports: ["NovaCore"])
    for (_, list, request, response) in lists {
      source.add("", "extension \(request.name): PagedRequest {}")
      addPaging(of: response, list, to: &source)
    }
    source.add("", "extension \(package.serviceName)Protocol {")
    for (index, entry) in lists.enumerated() {
      if index > 0 { source.add("") }
      addCall(entry.method, entry.request, to: &source)
      source.add("")
      addSequence(
        entry.method, list: entry.list, request: entry.request, response: entry.response, to: &source)
    }
    source.add("}")
    return source.text
  }

  private func addPaging(of response: Message, _ list: GatewayConfig.List, to source: inout SourceText) {
    source.add("", "extension \(response.name): PagedResponse {")
    let items = field(list.items, of: response)
    let name = items?.swiftName ?? ""
    let getter: String
    if let fallback = list.fallback {
      let field = SwiftNames.lowerCamelCase(fallback.field)
      getter = "\(name).isEmpty ? \(SwiftNames.lowerCamelCase(fallback.list)).map(\\.\(field)) : \(name)"
    } else {
      getter = name
    }
    source.add("/// The items of the page: ``\(name)``.", depth: 1)
    source.add("public var items: \(items?.swiftType ?? "") {", depth: 1)
    source.add("get { \(getter) }", "set { \(name) = newValue }", depth: 2)
    source.add("}", depth: 1)
    if field("total_count", of: response) == nil {
      source.add(
        "/// The number of items in the whole list: ``total``.", "public var totalCount: Int { total }", depth: 1)
    }
    source.add("}")
  }

  private func addCall(_ method: Method, _ request: Message, to source: inout SourceText) {
    let parameters = request.fields.map { parameter($0) }
    let arguments = request.fields.map { "\($0.swiftName): \(argument($0))" }
    document(method, request.fields, to: &source)
    source.add("/// - Returns: the page; `hasMore` is set even where the server leaves it out.", depth: 1)
    source.add(
      "/// - Throws: ``APIError``; `invalidArgument` for an empty id or a negative number, before anything is sent.",
      depth: 1)
    source.add("public func \(method.swiftName)(", depth: 1)
    source.add(parameters.joined(separator: ", "), depth: 2)
    source.add(") async throws -> \(method.response) {", depth: 1)
    source.add("try await \(method.swiftName)(\(method.request)(\(arguments.joined(separator: ", "))))", depth: 2)
    source.add("}", depth: 1)
  }

  private func addSequence(
    _ method: Method, list: GatewayConfig.List, request: Message, response: Message, to source: inout SourceText
  ) {
    let fields = request.fields.filter { !["limit", "offset"].contains($0.name) }
    let maximum = method.pageLimit?.maximum ?? 100
    var parameters = fields.map { parameter($0) }
    if let first = parameters.first { parameters[0] = "\(list.label) \(first)" }
    parameters += [
      "pageSize: Int = \(maximum)", "maximumCount: Int? = nil", "onShift: (@Sendable (PageShift) -> Void)? = nil",
    ]
    let arguments = fields.map { "\($0.swiftName): \(argument($0))" }.joined(separator: ", ")
    let element = field(list.items, of: response)?.type.swift ?? ""
    document(
      method, fields, to: &source,
      paging: [
        "`pageSize`: the number of items to request at a time, 1…\(grouped(maximum)). Default \(grouped(maximum)).",
        "`maximumCount`: the maximum number of items to deliver. Default: all.",
        "`onShift`: called when the list is seen to have changed while it is read.",
      ])
    source.add("/// - Returns: the items, requested page by page while you iterate; see ``PagedSequence``.", depth: 1)
    source.add("public func \(list.sequence)(", depth: 1)
    source.add(parameters.joined(separator: ", "), depth: 2)
    source.add(") -> PagedSequence<\(element)> {", depth: 1)
    source.add(
      "PagedSequence(of: \(method.request)(\(arguments)), pageSize: pageSize, maximumCount: maximumCount, onShift: onShift) {",
      depth: 2)
    source.add("try await \(method.swiftName)($0)", depth: 3)
    source.add("}", depth: 2)
    source.add("}", depth: 1)
  }

  /// The RPC's summary and its parameters.
  private func document(_ method: Method, _ fields: [Field], to source: inout SourceText, paging: [String] = []) {
    let summary = method.documentation.prefix { !$0.isEmpty }
    source.document(Array(summary), fallback: "`\(method.name)`.", depth: 1)
    source.add("///", "/// - Parameters:", depth: 1)
    for field in fields {
      let text: String
      switch (field.name, method.pageLimit) {
      case ("limit", let limit?):
        let standard = limit.default.map { ", \($0)" } ?? ""
        text =
          "the maximum number of items, up to \(grouped(limit.maximum)). Default 0: the server's default\(standard)."
      case ("offset", _): text = "the number of items to skip. Default 0."
      default: text = SwiftNames.lowercasedFirst(field.documentation.prefix { !$0.isEmpty }.joined(separator: " "))
      }
      source.add("///   - \(field.swiftName): \(text)", depth: 1)
    }
    for line in paging {
      source.add("///   - " + line.replacing("`", with: "", maxReplacements: 2), depth: 1)
    }
  }

  private func parameter(_ field: Field) -> String {
    if let type = field.valueType {
      return "\(field.swiftName): \(type.name)" + (type.standard.map { " = \($0)" } ?? "? = nil")
    }
    let isPaging = ["limit", "offset"].contains(field.name)
    return "\(field.swiftName): \(field.swiftType)\(isPaging ? " = 0" : "")"
  }

  private func argument(_ field: Field) -> String {
    guard let type = field.valueType else { return field.swiftName }
    return type.standard == nil ? "\(field.swiftName)?.rawValue ?? \"\"" : "\(field.swiftName).rawValue"
  }

  private func field(_ name: String, of message: Message) -> Field? { message.fields.first { $0.name == name } }

  private func grouped(_ number: Int) -> String {
    number < 1000 ? "\(number)" : "\(number / 1000)," + String("\(1000 + number % 1000)".dropFirst())
  }
}
