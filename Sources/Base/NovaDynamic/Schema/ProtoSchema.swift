#if GRPC
  import NovaCoding
  import NovaSupport

  /// The types and services of .proto files, by their full names.
  package struct ProtoSchema: Sendable {
    package private(set) var files: [String: SchemaFile] = [:]
    private var messages: [String: SchemaMessage] = [:]
    private var enumerations: [String: SchemaEnum] = [:]
    private var serviceList: [String: SchemaService] = [:]
    /// The extensions of each message.
    private var extensions: [String: [SchemaField]] = [:]

    /// Creates a schema without types.
    package init() {}

    /// Adds a file, unless one of this name is there.
    package mutating func add(_ file: SchemaFile) {
      guard files[file.name] == nil else { return }
      files[file.name] = file
      for message in file.messages { messages[message.name] = message }
      for enumeration in file.enumerations { enumerations[enumeration.name] = enumeration }
      for service in file.services { serviceList[service.name] = service }
      for field in file.extensions { extensions[field.extendee ?? "", default: []].append(field) }
    }

    /// The names of imported files that are not there.
    package var missingFiles: [String] {
      Set(files.values.flatMap(\.dependencies)).filter { files[$0] == nil }.sorted()
    }

    /// The full names of the messages that other files can add fields to.
    package var extendableMessages: [String] { messages.values.filter(\.isExtendable).map(\.name).sorted() }

    package func message(named name: String) -> SchemaMessage? { messages[name] }
    package func enumeration(named name: String) -> SchemaEnum? { enumerations[name] }
    package func service(named name: String) -> SchemaService? { serviceList[name] }
    package func extensions(of message: String) -> [SchemaField] { extensions[message] ?? [] }

    func requireMessage(_ name: String) throws(DynamicError) -> SchemaMessage {
      guard let message = messages[name] else { throw .missing(name) }
      return message
    }

    func requireEnumeration(_ name: String) throws(DynamicError) -> SchemaEnum {
      guard let enumeration = enumerations[name] else { throw .missing(name) }
      return enumeration
    }

    func field(numbered number: Int, of message: SchemaMessage) -> SchemaField? {
      message.field(numbered: number) ?? extensions[message.name]?.first { $0.number == number }
    }

    /// The field with this name in JSON: an extension has its full name in brackets.
    func field(named name: String, of message: SchemaMessage) -> SchemaField? {
      message.field(named: name) ?? extensions[message.name]?.first { $0.key == name }
    }

    /// The type of a map's entries; nil for a field that is not a map.
    package func mapEntry(of field: SchemaField) throws(DynamicError) -> (key: SchemaField, value: SchemaField)? {
      guard field.isRepeated, case .message(let name) = field.kind, let entry = messages[name], entry.isMapEntry
      else { return nil }
      guard let key = entry.field(numbered: 1), let value = entry.field(numbered: 2) else {
        throw DynamicError("the map entry \(name.printable(to: 200)) has no key or no value")
      }
      return (key, value)
    }
  }
#endif
