#if GRPC
  import NovaCore

  /// Protobuf's binary format: a file is one message, and each record an element of field 1.
  struct BinaryTables: TableFormat {
    let format = FixtureFormat.protoBinary

    func begin<Record: FixtureRecord>(_ type: Record.Type, _ entity: FixtureEntity, to output: inout [UInt8]) {}

    func append<Record: FixtureRecord>(
      _ record: Record, of entity: FixtureEntity, isFirst: Bool, to output: inout [UInt8]
    ) throws(FixtureError) {
      do throws(ProtobufError) {
        let bytes = try record.protobuf()
        // The tag of field 1, and the length of the record.
        output.append(0x0A)
        output += ProtobufWriter.length(bytes.count)
        output += bytes
      } catch {
        throw FixtureError.failed("cannot write a record of \(entity.rawValue): \(error)")
      }
    }

    func end(_ output: inout [UInt8]) {}
  }
#endif
