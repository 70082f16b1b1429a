#if GRPC
  import NovaDynamic
  import NovaSDK

  /// What a server describes by reflection, for `nova describe`.
  struct ServiceDescription {
    private enum Subject {
      case services([SchemaService])
      case service(SchemaService)
      case method(SchemaMethod)
      case message(SchemaMessage)
      case enumeration(SchemaEnum)
    }

    private let address: ServiceAddress
    private let schema: ProtoSchema
    private let subject: Subject

    /// Asks the server.
    ///
    /// - Throws: ``Failure`` if it does not describe itself, or has nothing with this name.
    init(_ address: ServiceAddress, _ reflection: inout ServiceReflection) async throws {
      self.address = address
      let symbol = address.symbol
      guard !symbol.isEmpty else {
        var services: [SchemaService] = []
        for name in try await reflection.services() {
          try await reflection.load(name)
          if let service = reflection.schema.service(named: name) { services.append(service) }
        }
        (schema, subject) = (reflection.schema, .services(services))
        return
      }
      if try await !reflection.find(symbol) {
        // Many servers find the service only, and not its RPCs.
        let service = symbol.parts(between: ".", keepsEmpty: false).dropLast().joined(separator: ".")
        if !service.isEmpty { _ = try await reflection.find(service) }
        // Reports the symbol that was asked for.
        if reflection.schema.service(named: service) == nil { try await reflection.load(symbol) }
      }
      schema = reflection.schema
      if let service = schema.service(named: symbol) {
        subject = .service(service)
      } else if let message = schema.message(named: symbol) {
        subject = .message(message)
      } else if let enumeration = schema.enumeration(named: symbol) {
        subject = .enumeration(enumeration)
      } else {
        subject = .method(try await reflection.method(symbol))
      }
    }

    /// The description for people.
    func write(to text: inout DescriptionText) {
      switch subject {
      case .services(let services):
        text.title("SERVICES")
        text.list(services.map { ($0.name, $0.methods.map(\.name).joined(separator: ", ")) })
      case .service(let service): write(to: &text, service.name) { $0.add(service) }
      case .message(let message): write(to: &text, message.name) { $0.add(message) }
      case .enumeration(let enumeration): write(to: &text, enumeration.name) { $0.add(enumeration) }
      case .method(let method): write(method, to: &text)
      }
    }

    private func write(_ method: SchemaMethod, to text: inout DescriptionText) {
      text.title("\(method.service).\(method.name)")
      text.verbatim(SchemaText.line(method))
      for (heading, type) in [("REQUEST", method.requestType), ("RESPONSE", method.responseType)] {
        guard let message = schema.message(named: type) else { continue }
        text.section(heading)
        write(to: &text) { $0.add(message) }
      }
      text.section("EXAMPLE")
      text.verbatim("nova call \(address.server)\(method.path) \(example(method.requestType).shellWord)")
    }

    private func write(
      to text: inout DescriptionText, _ title: String? = nil, _ add: (inout SchemaText) -> Void
    ) {
      if let title { text.title(title) }
      var source = SchemaText(schema)
      add(&source)
      for line in source.lines { if line.isEmpty { text.line(line) } else { text.verbatim(line) } }
    }

    /// A request with the default values of its fields.
    private func example(_ type: String) -> String {
      var options = DynamicReader.Options()
      options.includesDefaults = true
      guard let json = try? DynamicReader(schema, options: options).json([], as: type) else { return "{}" }
      return String(decoding: json.jsonUTF8, as: UTF8.self)
    }

    /// The names of its parts.
    var parts: [String] {
      switch subject {
      case .services(let services): services.map(\.name)
      case .service(let service): service.methods.map { "\(service.name).\($0.name)" }
      case .method(let method): schema.message(named: method.requestType)?.fields.map(\.name) ?? []
      case .message(let message): message.fields.map(\.name)
      case .enumeration(let enumeration): enumeration.values.map(\.name)
      }
    }

    var json: JSONValue {
      switch subject {
      case .services(let services):
        .array(
          services.map { service in
            json(service, rpcs: service.methods.map { .string("\(service.name).\($0.name)") })
          })
      case .service(let service): json(service, rpcs: service.methods.map(json))
      case .method(let method): json(method)
      case .message(let message): json(message)
      case .enumeration(let enumeration):
        .members(
          ("enum", .string(enumeration.name)),
          (
            "values",
            .array(
              enumeration.values.map { value in
                .members(("name", .string(value.name)), ("number", .number("\(value.number)")))
              })
          ))
      }
    }

    private func json(_ service: SchemaService, rpcs: [JSONValue]) -> JSONValue {
      .members(("service", .string(service.name)), ("rpcs", .array(rpcs)))
    }

    private func json(_ method: SchemaMethod) -> JSONValue {
      .members(
        ("rpc", .string("\(method.service).\(method.name)")), ("path", .string(method.path)),
        ("request", json(messageNamed: method.requestType)), ("response", json(messageNamed: method.responseType)),
        ("client_streaming", .bool(method.isClientStreaming)), ("server_streaming", .bool(method.isServerStreaming)))
    }

    /// Only the name, if the server does not describe the message.
    private func json(messageNamed name: String) -> JSONValue {
      schema.message(named: name).map(json) ?? .members(("message", .string(name)))
    }

    private func json(_ message: SchemaMessage) -> JSONValue {
      let fields = message.fields.map { field in
        JSONValue.members(
          ("name", .string(field.name)), ("json_name", .string(field.jsonName)), ("number", .number("\(field.number)")),
          ("type", .string(SchemaText.type(field, in: schema))))
      }
      return .members(("message", .string(message.name)), ("fields", .array(fields)))
    }
  }
#endif
