#if GRPC
  import NovaSupport

  extension NullCodec {
    public static var wireType: WireType { .varint }

    public static func read(from reader: inout ProtobufReader) throws(ProtobufError) -> ProtoNull {
      _ = try reader.varint()
      return ProtoNull()
    }

    public static func measure(_ value: ProtoNull, with sizes: inout ProtobufSizes) -> Int { 1 }

    public static func write(_ value: ProtoNull, to writer: inout ProtobufWriter) { writer.append(byte: 0) }
  }

  /// The fields of `google.protobuf.Value`.
  private enum ValueTag {
    static let null: UInt8 = 0x08
    static let number: UInt8 = 0x11
    static let string: UInt8 = 0x1A
    static let bool: UInt8 = 0x20
    static let object: UInt8 = 0x2A
    static let list: UInt8 = 0x32
  }

  extension ValueCodec: NestedCodec {
    public static func readPart(
      _ tag: UInt32, into value: inout JSONValue, from reader: inout ProtobufReader
    ) throws(ProtobufError) -> Bool {
      switch UInt8(exactly: tag) {
      case ValueTag.null:
        _ = try reader.varint()
        value = .null
      case ValueTag.number: value = .number(try reader.jsonNumber())
      case ValueTag.string: value = .string(try reader.string())
      case ValueTag.bool: value = .bool(try reader.varint() != 0)
      case ValueTag.object:
        var members = JSONMembers(value.memberList ?? [])
        try reader.spend(members.list.count)
        try MembersCodec.merge(into: &members, from: &reader)
        value = .object(members.list)
      case ValueTag.list:
        var elements = value.elements ?? []
        // A second reference would copy all elements.
        value = .null
        try ListValueCodec.merge(into: &elements, from: &reader)
        value = .array(elements)
      default: return false
      }
      return true
    }

    public static func measureParts(of value: JSONValue, with sizes: inout ProtobufSizes) {
      let size: Int
      switch value {
      case .null, .bool: size = 1
      case .number(let text):
        if Double(text)?.isFinite != true { sizes.report("a number within a double's range", found: text) }
        size = 8
      case .string(let text): size = ProtobufSizes.delimited(text.utf8.count)
      case .array(let elements): size = ListValueCodec.measure(elements, with: &sizes)
      case .object(let members): size = MembersCodec.measure(JSONMembers(members), with: &sizes)
      }
      sizes.total += 1 + size
    }

    public static func writeParts(of value: JSONValue, to writer: inout ProtobufWriter) {
      switch value {
      case .null:
        writer.append(byte: ValueTag.null)
        writer.append(byte: 0)
      case .number(let text):
        writer.append(byte: ValueTag.number)
        writer.append(fixed64: (Double(text) ?? 0).bitPattern)
      case .string(let text):
        writer.append(byte: ValueTag.string)
        writer.append(string: text)
      case .bool(let bool):
        writer.append(byte: ValueTag.bool)
        writer.append(byte: bool ? 1 : 0)
      case .object(let members):
        writer.append(byte: ValueTag.object)
        MembersCodec.write(JSONMembers(members), to: &writer)
      case .array(let elements):
        writer.append(byte: ValueTag.list)
        ListValueCodec.write(elements, to: &writer)
      }
    }
  }

  extension ListValueCodec: NestedCodec {
    public static func readPart(
      _ tag: UInt32, into value: inout [JSONValue], from reader: inout ProtobufReader
    ) throws(ProtobufError) -> Bool {
      guard tag == 0x0A else { return false }
      value.append(try ValueCodec.read(from: &reader))
      return true
    }

    public static func measureParts(of value: [JSONValue], with sizes: inout ProtobufSizes) {
      for element in value {
        let size = ValueCodec.measure(element, with: &sizes)
        sizes.total += 1 + size
      }
    }

    public static func writeParts(of value: [JSONValue], to writer: inout ProtobufWriter) {
      for element in value {
        writer.append(byte: 0x0A)
        ValueCodec.write(element, to: &writer)
      }
    }
  }

  extension StructCodec {
    public static var wireType: WireType { .lengthDelimited }

    public static func read(from reader: inout ProtobufReader) throws(ProtobufError) -> [String: JSONValue] {
      var value: [String: JSONValue] = [:]
      try merge(into: &value, from: &reader)
      return value
    }

    public static func merge(
      into value: inout [String: JSONValue], from reader: inout ProtobufReader
    ) throws(ProtobufError) {
      var members = JSONMembers([])
      try MembersCodec.merge(into: &members, from: &reader)
      for member in members.list { value[member.name] = member.value }
    }

    public static func merge(
      into value: inout [String: JSONValue]?, from reader: inout ProtobufReader
    ) throws(ProtobufError) {
      var merged = value ?? [:]
      value = nil
      try merge(into: &merged, from: &reader)
      value = merged
    }

    public static func measure(_ value: [String: JSONValue], with sizes: inout ProtobufSizes) -> Int {
      MembersCodec.measure(JSONMembers(value), with: &sizes)
    }

    public static func write(_ value: [String: JSONValue], to writer: inout ProtobufWriter) {
      MembersCodec.write(JSONMembers(value), to: &writer)
    }
  }

  /// The members of a JSON object, in order.
  private struct JSONMembers {
    private(set) var list: [JSONValue.Member]
    private var indices: [String: Int]?

    init(_ members: [JSONValue.Member]) { list = members }

    init(_ object: [String: JSONValue]) { self.init(JSONValue(object).memberList ?? []) }

    /// Adds a member, or replaces the one of the same name.
    mutating func set(_ name: String, to value: JSONValue) {
      var known = indices ?? Dictionary(list.enumerated().map { ($1.name.byteKey, $0) }) { $1 }
      indices = nil
      if let index = known[name.byteKey] {
        list[index].value = value
      } else {
        known[name.byteKey] = list.count
        list.append(JSONValue.Member(name: name, value: value))
      }
      indices = known
    }
  }

  /// `google.protobuf.Struct`, with its members in order.
  private enum MembersCodec {
    static func merge(into members: inout JSONMembers, from reader: inout ProtobufReader) throws(ProtobufError) {
      try reader.readMessage { reader, tag throws(ProtobufError) in
        guard tag == 0x0A else { return false }
        var name = ""
        var value = JSONValue.null
        try reader.readMessage { reader, tag throws(ProtobufError) in
          switch tag {
          case 0x0A: name = try reader.string()
          case 0x12: try ValueCodec.merge(into: &value, from: &reader)
          default: return false
          }
          return true
        }
        members.set(name, to: value)
        return true
      }
    }

    static func measure(_ members: JSONMembers, with sizes: inout ProtobufSizes) -> Int {
      sizes.measure { sizes in
        for member in members.list {
          let entry = sizes.measure { sizes in
            let value = ValueCodec.measure(member.value, with: &sizes)
            sizes.total += 2 + ProtobufSizes.delimited(member.name.utf8.count) + value
          }
          sizes.total += 1 + entry
        }
      }
    }

    static func write(_ members: JSONMembers, to writer: inout ProtobufWriter) {
      writer.appendNestedSize()
      for member in members.list {
        writer.append(byte: 0x0A)
        writer.appendNestedSize()
        writer.append(byte: 0x0A)
        writer.append(string: member.name)
        writer.append(byte: 0x12)
        ValueCodec.write(member.value, to: &writer)
      }
    }
  }

  extension ProtobufReader {
    /// Reads a double as the text of a JSON number.
    fileprivate mutating func jsonNumber() throws(ProtobufError) -> String {
      let start = position
      let number = Double(bitPattern: try fixed64())
      guard number.isFinite else { throw failure("a number that JSON has", found: "\(number)", at: start) }
      let text = number.description
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
  }
#endif
