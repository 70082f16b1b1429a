#if Server
  import NovaCore

  /// The descriptors that reflection serves, by the names of their files and symbols.
  struct DescriptorPool: Sendable {
    /// A file as protoc describes it.
    struct File: Sendable {
      let name: String
      let imports: [String]
      /// A `google.protobuf.FileDescriptorProto`.
      let bytes: [UInt8]
    }

    static let shared = DescriptorPool(
      Base64.decode(ServiceDescriptors.base64.filter { $0 != "\n" }).flatMap { WireMessage($0) }?.bytes(1)
        ?? [])

    private(set) var files: [String: File] = [:]
    private var filesBySymbol: [String: String] = [:]
    private(set) var messages: Set<String> = []

    /// - Parameter descriptors: those of the files.
    private init(_ descriptors: [ArraySlice<UInt8>]) {
      for bytes in descriptors {
        guard let fields = WireMessage(bytes), let name = fields.validText(1),
          let package = fields.validText(2)
        else { continue }
        let imports = fields.bytes(3).map { String(decoding: $0, as: UTF8.self) }
        files[name] = File(name: name, imports: imports, bytes: Array(bytes))
        for message in fields.bytes(4) { add(message: message, in: package, of: name) }
        for type in fields.bytes(5) { add(enum: type, in: package, of: name) }
        for service in fields.bytes(6) { add(service, withMembers: 2, in: package, of: name) }
      }
    }

    /// The file with a name, and all that it imports, directly or not, each once.
    func closure(of name: String) -> [File] {
      var (found, known) = ([File](), Set<String>())
      var waiting = [name][...]
      while let name = waiting.popFirst() {
        guard known.insert(name).inserted, let file = files[name] else { continue }
        found.append(file)
        waiting += file.imports
      }
      return found
    }

    /// The name of the file with a symbol: a message, a field, an enum or its value, a service or its method.
    func file(containing symbol: String) -> String? {
      filesBySymbol[symbol.hasPrefix(".") ? String(symbol.dropFirst()) : symbol]
    }

    private mutating func add(message: ArraySlice<UInt8>, in scope: String, of file: String) {
      guard let fields = WireMessage(message), let name = add(message, withMembers: 2, in: scope, of: file)
      else {
        return
      }
      messages.insert(name)
      for nested in fields.bytes(3) { add(message: nested, in: name, of: file) }
      for type in fields.bytes(4) { add(enum: type, in: name, of: file) }
    }

    /// The values of an enum are in the scope of the enum.
    private mutating func add(enum type: ArraySlice<UInt8>, in scope: String, of file: String) {
      add(type, withMembers: nil, in: scope, of: file)
      for value in WireMessage(type)?.bytes(2) ?? [] { add(value, withMembers: nil, in: scope, of: file) }
    }

    /// Adds a symbol whose name is the first field, with those of its members.
    ///
    /// - Returns: its full name.
    @discardableResult
    private mutating func add(
      _ symbol: ArraySlice<UInt8>, withMembers number: Int?, in scope: String, of file: String
    ) -> String? {
      guard let fields = WireMessage(symbol), let name = fields.validText(1) else { return nil }
      let fullName = scope.isEmpty ? name : "\(scope).\(name)"
      filesBySymbol[fullName] = file
      for member in number.map(fields.bytes) ?? [] { add(member, withMembers: nil, in: fullName, of: file) }
      return fullName
    }
  }
#endif
