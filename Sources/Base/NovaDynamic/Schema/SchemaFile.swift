#if GRPC
  import NovaCoding
  import NovaSupport

  /// The types of one .proto file, read from its `FileDescriptorProto`.
  package struct SchemaFile: Sendable {
    /// The path of the file: `acme/shop/v1/shop.proto`.
    package let name: String
    /// The names of the files that it imports.
    package let dependencies: [String]
    private(set) var messages: [SchemaMessage] = []
    private(set) var enumerations: [SchemaEnum] = []
    private(set) var services: [SchemaService] = []
    private(set) var extensions: [SchemaField] = []

    /// Reads a serialized `FileDescriptorProto`.
    package init(descriptor bytes: [UInt8]) throws(DynamicError) {
      let fields = try FieldsByNumber(bytes[...])
      name = fields.text(1)
      dependencies = fields.texts(3)
      let package = fields.text(2)
      let features = try Self.features(fields).with(options: fields.message(8), number: 50)
      for message in fields.messages(4) { try add(message: message, to: package, features, depth: 0) }
      for enumeration in fields.messages(5) { try add(enumeration: enumeration, to: package, features) }
      for service in fields.messages(6) { try add(service: service, to: package) }
      for field in fields.messages(7) { try add(extension: field, to: package, features) }
    }

    private static func features(_ file: FieldsByNumber) throws(DynamicError) -> SchemaFeatures {
      switch (file.text(12), file.number(14)) {
      case ("", nil), ("proto2", nil): .proto2
      case ("proto3", nil): .proto3
      // Editions before 2023 stand for the syntaxes. Later ones differ only in what does not matter here.
      case (_, let edition?) where edition == 998: .proto2
      case (_, let edition?) where edition == 999: .proto3
      case ("editions", _?): SchemaFeatures()
      default: throw DynamicError("unknown syntax \(file.text(12).quoted) of the file \(file.text(1).quoted)")
      }
    }

    private static func join(_ scope: String, _ name: String) -> String { scope.isEmpty ? name : "\(scope).\(name)" }

    private mutating func add(
      message bytes: ArraySlice<UInt8>, to scope: String, _ outer: SchemaFeatures, depth: Int
    ) throws(DynamicError) {
      guard depth < DynamicLimits.depth else {
        throw DynamicError("more than \(DynamicLimits.depth) nested types in the file \(name.quoted)")
      }
      let message = try FieldsByNumber(bytes)
      let fullName = Self.join(scope, message.text(1))
      let features = try outer.with(options: message.message(7), number: 12)
      var fields: [SchemaField] = []
      for field in message.messages(2) {
        fields.append(try SchemaFieldReader(features, scope: fullName).field(try FieldsByNumber(field)))
      }
      var nested: [String] = []
      for type in message.messages(3) {
        try add(message: type, to: fullName, features, depth: depth + 1)
        if let last = messages.last, !last.isMapEntry { nested.append(last.name) }
      }
      for enumeration in message.messages(4) { try add(enumeration: enumeration, to: fullName, features) }
      for field in message.messages(6) { try add(extension: field, to: fullName, features) }
      var oneofs: [String] = []
      for oneof in message.messages(8) { oneofs.append(try FieldsByNumber(oneof).text(1)) }
      messages.append(
        SchemaMessage(
          fullName, fields: fields, oneofs: oneofs, isMapEntry: try message.fields(7)?.bool(7) ?? false,
          isExtendable: message.message(5) != nil, nestedNames: nested))
    }

    private mutating func add(
      enumeration bytes: ArraySlice<UInt8>, to scope: String, _ outer: SchemaFeatures
    ) throws(DynamicError) {
      let enumeration = try FieldsByNumber(bytes)
      let features = try outer.with(options: enumeration.message(3), number: 7)
      var values: [(name: String, number: Int32)] = []
      for value in enumeration.messages(2) {
        let fields = try FieldsByNumber(value)
        values.append((fields.text(1), fields.int32(2)))
      }
      enumerations.append(
        SchemaEnum(Self.join(scope, enumeration.text(1)), values: values, isClosed: !features.isOpenEnum))
    }

    private mutating func add(
      extension bytes: ArraySlice<UInt8>, to scope: String, _ features: SchemaFeatures
    ) throws(DynamicError) {
      extensions.append(try SchemaFieldReader(features, scope: scope).field(try FieldsByNumber(bytes)))
    }

    private mutating func add(service bytes: ArraySlice<UInt8>, to scope: String) throws(DynamicError) {
      let service = try FieldsByNumber(bytes)
      let fullName = Self.join(scope, service.text(1))
      var methods: [SchemaMethod] = []
      for bytes in service.messages(2) {
        let method = try FieldsByNumber(bytes)
        methods.append(
          SchemaMethod(
            name: method.text(1), service: fullName, requestType: method.text(2).withoutLeadingDot,
            responseType: method.text(3).withoutLeadingDot, isClientStreaming: method.bool(5),
            isServerStreaming: method.bool(6),
            effect: try method.fields(4)?.number(34).flatMap(SchemaMethod.Effect.init) ?? .unknown))
      }
      services.append(SchemaService(name: fullName, methods: methods))
    }
  }

  extension String {
    /// The name of a type, which descriptors write as `.acme.Order`.
    var withoutLeadingDot: String { hasPrefix(".") ? String(dropFirst()) : self }
  }
#endif
