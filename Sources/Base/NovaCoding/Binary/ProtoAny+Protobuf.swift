#if GRPC
  import NovaSupport

  extension ProtoAny {
    private static let registered = Locked<[String: any ProtoMessage.Type]>([
      ProtoEmpty.descriptor.name: ProtoEmpty.self
    ])

    /// Registers types of messages that `google.protobuf.Any` may contain, for the whole program.
    ///
    /// Protobuf's binary format has the bytes of the message, JSON its fields. Only for a registered type can the one be
    /// made from the other. The well-known types are registered.
    ///
    /// ```swift
    /// ProtoAny.register([Order.self, Invoice.self])
    /// ```
    public static func register(_ types: [any ProtoMessage.Type]) {
      registered.withLock { known in for type in types { known[type.descriptor.name] = type } }
    }

    /// The name of the JSON member with the bytes of a message whose type is not registered.
    static let bytesName = "@bytes"

    /// The bytes of a message whose type is not registered, if this is one.
    var bytes: [UInt8]? { json[Self.bytesName]?.stringValue.flatMap { Base64.decode($0) } }

    private static func name(of url: String) -> String { url.parts(between: "/", keepsEmpty: true).last ?? url }

    private static func type(of url: String) -> (any ProtoMessage.Type)? {
      registered.withLock { $0[name(of: url)] }
    }

    /// Creates a value from its parts in the binary format. Bytes that are no message of their type are kept.
    init(url: String, bytes: [UInt8], options: ProtobufOptions) {
      let type = JSONValue.Member(name: Self.typeName, value: .string(url))
      let isEmpty = url.isEmpty && bytes.isEmpty
      let raw = JSONValue.Member(
        name: Self.bytesName, value: .string(String(decoding: Base64.encode(bytes), as: UTF8.self)))
      let members = Self.members(of: bytes, url: url, options: options) ?? [raw]
      self = ProtoAny(json: .object(isEmpty ? [] : [type] + members)) ?? ProtoAny()
    }

    private static func members(of bytes: [UInt8], url: String, options: ProtobufOptions) -> [JSONValue.Member]? {
      guard options.maximumDepth > 0 else { return nil }
      if let codec = WellKnownCodecs.codec(named: name(of: url)) {
        let value = try? codec.json(ofMessage: bytes, options: options)
        return value.map { [JSONValue.Member(name: "value", value: $0)] }
      }
      guard let type = type(of: url) else { return nil }
      return try? members(of: bytes, as: type, options: options)
    }

    private static func members(
      of bytes: [UInt8], as type: (some ProtoMessage).Type, options: ProtobufOptions
    ) throws -> [JSONValue.Member]? {
      let packed = try ProtoAny(type.init(protobuf: bytes, options: options))
      return packed.json.memberList.map { Array($0.dropFirst()) }
    }

    /// Unpacks a message from its bytes.
    func message<M: ProtoMessage>(as type: M.Type, from bytes: [UInt8]) throws(ProtoJSONError) -> M {
      do throws(ProtobufError) {
        return try M(protobuf: bytes)
      } catch {
        throw ProtoJSONError(path: error.path, expected: error.expected, found: error.found)
      }
    }

    /// The bytes of the message.
    ///
    /// - Throws: ``ProtobufError`` if its type is not registered, or if the JSON does not match it.
    func packed() throws(ProtobufError) -> [UInt8] {
      if let bytes { return bytes }
      if typeURL.isEmpty { return [] }
      do {
        if let codec = WellKnownCodecs.codec(named: Self.name(of: typeURL)), let value = json["value"] {
          return try codec.message(ofJSON: value)
        }
        if let type = Self.type(of: typeURL), let bytes = try bytes(as: type) { return bytes }
      } catch let error as ProtobufError {
        throw error
      } catch {
        throw ProtobufError(expected: "the JSON of \(typeURL)", found: "\(error)")
      }
      throw ProtobufError(
        expected: "a message of a type that was registered with ProtoAny.register(_:)", found: typeURL)
    }

    private func bytes(as type: (some ProtoMessage).Type) throws -> [UInt8]? {
      try message(as: type)?.protobuf()
    }
  }

  extension AnyCodec {
    public static var wireType: WireType { .lengthDelimited }

    public static func read(from reader: inout ProtobufReader) throws(ProtobufError) -> ProtoAny {
      var url = ""
      var bytes: [UInt8] = []
      var options = reader.options
      options.maximumDepth = reader.depth - 1
      try reader.readMessage { reader, tag throws(ProtobufError) in
        switch tag {
        case 0x0A: url = try reader.string()
        case 0x12: bytes = try reader.bytes()
        default: return false
        }
        return true
      }
      return ProtoAny(url: url, bytes: bytes, options: options)
    }

    public static func measure(_ value: ProtoAny, with sizes: inout ProtobufSizes) -> Int {
      sizes.measure { sizes in
        let url = value.typeURL
        if !url.isEmpty { sizes.total += 1 + ProtobufSizes.delimited(url.utf8.count) }
        let bytes = sizes.pack(value)
        if !bytes.isEmpty { sizes.total += 1 + ProtobufSizes.delimited(bytes.count) }
      }
    }

    public static func write(_ value: ProtoAny, to writer: inout ProtobufWriter) {
      writer.appendNestedSize()
      let url = value.typeURL
      if !url.isEmpty {
        writer.append(byte: 0x0A)
        writer.append(string: url)
      }
      let bytes = writer.nextPacked()
      if !bytes.isEmpty {
        writer.append(byte: 0x12)
        bytes.withUnsafeBufferPointer { writer.append(delimited: $0) }
      }
    }
  }
#endif
