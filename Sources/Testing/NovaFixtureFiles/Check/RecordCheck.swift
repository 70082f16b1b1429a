import NovaCore

/// Decodes and checks every record of a JSON file.
struct RecordCheck: EntityVisitor {
  var checking: Checking
  let file: FixtureManifest.File

  mutating func visit<Record: FixtureRecord>(
    _ entity: FixtureEntity, _ stream: EntityStream<Record>
  ) throws(FixtureError) {
    let options = checking.report.manifest.dialect.options(for: entity)
    let isArray = file.format == FixtureFormat.json.rawValue
    var lines = try InputFile("\(checking.directory)/\(file.name)")
    var (number, records) = (0, 0)
    while let line = try lines.line() {
      number += 1
      if number % 1024 == 0, Task.isCancelled { throw .cancelled }
      if checking.isFull { return }
      if isArray, line.elementsEqual("[".utf8) || line.elementsEqual("]".utf8) || line.isEmpty { continue }
      let bytes = isArray && line.last == UInt8(ascii: ",") ? line.dropLast() : line
      if let problem = Self.problem(reading: Record.self, from: Array(bytes), options: options) {
        checking.add(file.name, problem, line: number)
      }
      records += 1
      checking.count()
    }
    if records != file.records { checking.add(file.name, "has \(records) records; expected \(file.records)") }
  }

  /// Returns the problem with a record; nil for a valid record.
  private static func problem<Record: FixtureRecord>(
    reading type: Record.Type, from bytes: [UInt8], options: ProtoJSONOptions
  ) -> String? {
    do throws(ProtoJSONError) {
      let record = try Record(jsonUTF8: bytes)
      if let rule = record.brokenRule { return rule }
      // This finds everything that decoding tolerates: other names, other formats of numbers, unknown fields.
      let written = try record.jsonUTF8(options)
      guard written != bytes else { return nil }
      let place = zip(written, bytes).enumerated().first { $1.0 != $1.1 }?.offset ?? min(written.count, bytes.count)
      return "does not match the dialect from column \(place + 1) on"
    } catch {
      let path = error.path.isEmpty ? "" : "\(error.path): "
      return "\(path)expected \(error.expected), found \(error.found) (column \(error.column))"
    }
  }
}
