import NovaAnnouncements
import NovaCore

/// JSON with one record per line: separate objects, or the elements of an array.
struct JSONTables: TableFormat {
  let format: FixtureFormat
  private let dialect: FixtureDialect
  private let isArray: Bool

  init(_ dialect: FixtureDialect, _ format: FixtureFormat) {
    self.dialect = dialect
    self.format = format
    isArray = format == .json
  }

  func begin<Record: FixtureRecord>(_ type: Record.Type, _ entity: FixtureEntity, to output: inout [UInt8]) {
    if isArray { output.append(contentsOf: "[\n".utf8) }
  }

  @inline(__always)
  func append<Record: FixtureRecord>(
    _ record: Record, of entity: FixtureEntity, isFirst: Bool, to output: inout [UInt8]
  ) throws(FixtureError) {
    if !isFirst { output += separator }
    do throws(ProtoJSONError) {
      try record.inDialect(dialect).appendJSON(dialect.options(for: entity), to: &output)
    } catch {
      throw .failed("cannot write a record of \(entity.rawValue): \(error)")
    }
    if !isArray { output.append(UInt8(ascii: "\n")) }
  }

  var separator: [UInt8] { isArray ? Array(",\n".utf8) : [] }

  func end(_ output: inout [UInt8]) {
    if isArray { output.append(contentsOf: "\n]\n".utf8) }
  }
}

extension FixtureRecord {
  /// Returns the record in a dialect. Times of announcements are text, and their backend is known to send both formats.
  fileprivate func inDialect(_ dialect: FixtureDialect) -> Self {
    guard dialect == .legacyTimes, var pet = self as? Announcement, let time = Timestamp(pet.updatedAt) else {
      return self
    }
    pet.updatedAt = time.legacyDescription
    return pet as? Self ?? self
  }
}
