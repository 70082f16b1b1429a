import NovaCore

/// Comma-separated values by RFC 4180, with a header row of the names in `Proto/`.
struct CSVTables: TableFormat {
  let format = FixtureFormat.csv

  func begin<Record: FixtureRecord>(_ type: Record.Type, _ entity: FixtureEntity, to output: inout [UInt8]) {
    output.append(contentsOf: "\(type.descriptor.fields.map(\.name).joined(separator: ","))\r\n".utf8)
  }

  func append<Record: FixtureRecord>(
    _ record: Record, of entity: FixtureEntity, isFirst: Bool, to output: inout [UInt8]
  ) {
    var row = CSVRow(behind: &output)
    record.writeFields(to: &row)
    row.end(&output)
  }

  func end(_ output: inout [UInt8]) {}
}

/// Writes a row.
private struct CSVRow: FieldSink {
  typealias Failure = Never

  private var bytes: [UInt8] = []

  init(behind output: inout [UInt8]) { swap(&bytes, &output) }

  mutating func end(_ output: inout [UInt8]) {
    bytes.append(contentsOf: "\r\n".utf8)
    swap(&bytes, &output)
  }

  mutating func write<C: ProtoCodec>(_ value: C.Value, as codec: C, at index: Int) { append(index, C.plain(value)) }

  mutating func write<C: ProtoCodec>(_ value: C.Value?, as codec: C, at index: Int) {
    if let value { append(index, C.plain(value)) } else { separate(index) }
  }

  mutating func write<C: ProtoCodec>(_ values: [C.Value], as codec: C, at index: Int) {
    separate(index)
    quote(String(decoding: PlainValue.json(of: values.map { C.plain($0) }), as: UTF8.self))
  }

  mutating func write<K: ProtoMapKey, C: ProtoCodec>(
    _ map: [K.Value: C.Value], keys: K, values: C, at index: Int
  ) {
    separate(index)
    quote(String(decoding: PlainValue.json(ofMap: map, keys: keys, values: values), as: UTF8.self))
  }

  private mutating func append(_ index: Int, _ value: PlainValue) {
    separate(index)
    if case .string(let text) = value { quote(text) } else { quote(value.cell) }
  }

  private mutating func separate(_ index: Int) { if index > 0 { bytes.append(UInt8(ascii: ",")) } }

  /// Appends a text, quoted if necessary. An empty text is quoted, because an absent value is not.
  private mutating func quote(_ text: String) {
    let special: [UInt8] = [0x22, 0x2C, 0x0D, 0x0A]
    guard text.isEmpty || text.utf8.contains(where: special.contains) else {
      bytes.append(contentsOf: text.utf8)
      return
    }
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
