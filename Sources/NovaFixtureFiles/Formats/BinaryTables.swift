/// Protobuf's binary form: a file is one message, and each record an element of its field 1.
struct BinaryTables: TableFormat {
  let format = FixtureFormat.protoBinary

  func begin<Record: FixtureRecord>(_ type: Record.Type, _ entity: FixtureEntity, _ output: inout [UInt8]) {}

  func append<Record: FixtureRecord>(
    _ record: Record, _ entity: FixtureEntity, _ isFirst: Bool, _ output: inout [UInt8]
  ) {
    output.append(tag: 1, .lengthDelimited)
    output.append(delimited: ProtoBinaryWriter.bytes(of: record))
  }

  func end(_ output: inout [UInt8]) {}
}
