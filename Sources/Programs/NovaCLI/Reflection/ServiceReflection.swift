#if GRPC
  import NovaDynamic
  import NovaSDK

  /// The types and services of a gRPC server, which it describes by reflection: v1, or else v1alpha.
  struct ServiceReflection {
    private let client: APIClient
    private let options: CallOptions
    private let place: String
    /// The index of the version that the server has.
    private var version = 0
    /// What was asked for already, so that no server can make this endless.
    private var loaded: Set<String> = []
    private var size = 0
    private(set) var schema = ProtoSchema()

    init(_ context: CommandContext, _ options: CallOptions) {
      client = context.client
      self.options = options
      place = context.configuration.baseURL.origin.place
    }

    /// The full names of the services, in order.
    mutating func services() async throws -> [String] {
      guard case .services(let names) = try await ask(.services) else { throw unexpected("a list of services") }
      return names.sorted()
    }

    /// The RPC with this name: `acme.shop.v1.Shop.GetOrder`.
    ///
    /// - Throws: ``Failure`` if the server does not have it.
    mutating func method(_ symbol: String) async throws -> SchemaMethod {
      let parts = symbol.parts(between: ".", keepsEmpty: false)
      guard parts.count > 1, let name = parts.last else {
        throw Failure(
          "invalid argument: expected a service and an RPC after \(place), such as acme.shop.v1.Shop/GetOrder",
          hint: "List the services with `nova describe \(client.configuration.baseURL.origin.text)`.", .usage)
      }
      let serviceName = parts.dropLast().joined(separator: ".")
      if try await !find(serviceName) {
        if try await find(symbol), let service = schema.service(named: symbol) {
          let example = service.methods.first.map { ", such as \(symbol)/\($0.name)" } ?? ""
          throw Failure("invalid argument: expected an RPC after \(symbol)\(example)", .usage)
        }
        throw try await unknown(serviceName)
      }
      guard let service = schema.service(named: serviceName) else { throw try await unknown(serviceName) }
      if let method = service.method(named: name) { return method }
      throw Failure(
        "not found: RPC \(name.quoted) of \(serviceName)",
        hint: Suggestions.sentence(
          for: name, among: service.methods.map(\.name),
          otherwise: "List its RPCs with `nova describe \(client.configuration.baseURL.origin.text)/\(serviceName)`."),
        .usage)
    }

    /// Loads the file that defines a service, a message, or an enum, and the files that it imports.
    ///
    /// - Throws: ``Failure`` if the server has no such symbol.
    mutating func load(_ symbol: String) async throws {
      guard try await find(symbol) else { throw try await unknown(symbol) }
    }

    /// Loads the same files, and returns false if the server has no such symbol.
    mutating func find(_ symbol: String) async throws -> Bool {
      guard !loaded.contains(symbol) else { return true }
      guard try await add(filesFor: .fileOfSymbol(symbol)) else { return false }
      loaded.insert(symbol)
      while let file = schema.missingFiles.first(where: { !loaded.contains("file " + $0) }) {
        loaded.insert("file " + file)
        _ = try await add(filesFor: .fileNamed(file))
      }
      try await loadExtensions()
      return true
    }

    /// Loads the files that add fields to the messages, which may be others.
    private mutating func loadExtensions() async throws {
      for type in schema.extendableMessages where !type.hasPrefix("google.protobuf.") {
        guard loaded.insert("extensions of " + type).inserted,
          case .extensionNumbers(let numbers) = try await ask(.extensionNumbers(ofType: type))
        else { continue }
        let known = Set(schema.extensions(of: type).map { Int32($0.number) })
        for number in numbers.prefix(100) where !known.contains(number) {
          _ = try await add(filesFor: .fileOfExtension(type: type, number: number))
        }
      }
    }

    /// Returns false if the server has no such file.
    private mutating func add(filesFor question: ServerReflection.Question) async throws -> Bool {
      switch try await ask(question) {
      case .files(let files):
        for bytes in files {
          size += bytes.count
          guard size <= DynamicLimits.descriptorBytes else { throw unexpected("less than 64 MiB of descriptors") }
          do { schema.add(try SchemaFile(descriptor: bytes)) } catch { throw invalid(error) }
        }
        return true
      case .failure(let code, let message):
        if GRPCStatus(rawValue: code) == .notFound { return false }
        throw Failure("\(place) cannot describe its services: \(message.printable(to: 300))", .failed)
      default: throw unexpected("files")
      }
    }

    // MARK: Requests

    private mutating func ask(_ question: ServerReflection.Question) async throws -> ServerReflection.Answer {
      while true {
        do {
          return try await ask(question, of: ServerReflection.versions[version])
        } catch let error as APIError where error.code == .unimplemented {
          version += 1
          guard version < ServerReflection.versions.count else {
            version = 0
            throw Failure(
              "\(place) does not describe its services: it has no reflection (\(error.details.joined(separator: ", ")))",
              hint: "Enable gRPC server reflection there.", .failed)
          }
        }
      }
    }

    private func ask(
      _ question: ServerReflection.Question, of service: String
    ) async throws -> ServerReflection.Answer {
      let rpc = RPC<EncodedMessage, EncodedMessage>(
        service: service, package: service, method: ServerReflection.method, effect: .noSideEffects, http: .unbound,
        isServerStreaming: true, requiresAuthentication: false, summary: "")
      // Up to its end, which has the status.
      var answer: ServerReflection.Answer?
      for try await response in try await client.stream(rpc, question.request, options: options) {
        do { answer = try ServerReflection.Answer(response) } catch { throw invalid(error) }
      }
      guard let answer else { throw unexpected("an answer") }
      return answer
    }

    // MARK: Failures

    private mutating func unknown(_ symbol: String) async throws -> Failure {
      let services = try await services()
      let members = services.filter { $0.hasPrefix("\(symbol).") }
      let hint =
        members.isEmpty
        ? Suggestions.sentence(
          for: symbol, among: services,
          otherwise: "List the services with `nova describe \(client.configuration.baseURL.origin.text)`.")
        : "The package has \(members.joined(separator: ", "))."
      return Failure("not found: \(symbol.quoted) at \(place)", hint: hint, .usage)
    }

    private func unexpected(_ expected: String) -> Failure {
      Failure("invalid answer of the reflection of \(place): expected \(expected)", .badData)
    }

    private func invalid(_ error: DynamicError) -> Failure {
      Failure("invalid answer of the reflection of \(place): \(error)", .badData)
    }
  }

  // MARK: Messages

  extension ServiceReflection {
    /// Converts a request from JSON. Types that only its `Any` fields name are loaded, too.
    mutating func encode(
      _ json: JSONValue, as type: String, ignoringUnknownFields: Bool
    ) async throws -> EncodedMessage {
      while true {
        do {
          let writer = DynamicWriter(schema, ignoresUnknownFields: ignoringUnknownFields)
          return EncodedMessage(try writer.bytes(json, as: type))
        } catch {
          guard let missing = error.missingType, !hasAsked(for: missing) else { throw error }
          try await load(missing)
        }
      }
    }

    /// Converts a response to JSON. An `Any` of a type that the server does not describe is shown as its bytes.
    mutating func json(_ message: EncodedMessage, as type: String) async throws -> JSONValue {
      var options = DynamicReader.Options()
      while true {
        do {
          return try DynamicReader(schema, options: options).json(message.bytes, as: type)
        } catch {
          guard let missing = error.missingType, !options.showsUnknownTypes else { throw error }
          if hasAsked(for: missing) {
            options.showsUnknownTypes = true
          } else {
            do { try await load(missing) } catch is Failure { options.showsUnknownTypes = true }
          }
        }
      }
    }

    private func hasAsked(for symbol: String) -> Bool { loaded.contains(symbol) }
  }
#endif
