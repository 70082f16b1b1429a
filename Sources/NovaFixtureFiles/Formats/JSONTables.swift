import NovaAnnouncements
import NovaCore

/// JSON, one record on a line: objects alone, or the elements of an array.
struct JSONTables: TableFormat {
  let format: FixtureFormat
  private let dialect: FixtureDialect
  private let isArray: Bool

  init(_ dialect: FixtureDialect, _ format: FixtureFormat) {
    self.dialect = dialect
    self.format = format
    isArray = format == .json
  }

  func begin<Record: FixtureRecord>(_ type: Record.Type, _ entity: FixtureEntity, _ output: inout [UInt8]) {
    if isArray { output.append(contentsOf: "[\n".utf8) }
  }

  @inline(__always)
  func append<Record: FixtureRecord>(
    _ record: Record, _ entity: FixtureEntity, _ isFirst: Bool, _ output: inout [UInt8]
  ) throws(FixtureError) {
    if isArray, !isFirst { output.append(contentsOf: ",\n".utf8) }
    do throws(ProtoJSONError) {
      try record.inDialect(dialect).appendJSON(dialect.options(for: entity), to: &output)
    } catch {
      throw .failed("cannot write a record of \(entity.rawValue): \(error)")
    }
    if !isArray { output.append(UInt8(ascii: "\n")) }
  }

  func end(_ output: inout [UInt8]) {
    if isArray { output.append(contentsOf: "\n]\n".utf8) }
  }
}

extension FixtureRecord {
  /// Announcements have a time that is text to the contract: it is their backend that is known to send both forms.
  fileprivate func inDialect(_ dialect: FixtureDialect) -> Self {
    guard dialect == .legacyTimes, var pet = self as? Announcement, let time = Timestamp(pet.updatedAt) else {
      return self
    }
    pet.updatedAt = time.legacyDescription
    return pet as? Self ?? self
  }
}
