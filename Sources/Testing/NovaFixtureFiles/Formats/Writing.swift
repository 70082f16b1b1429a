import NovaCore
import NovaFixtures

/// Writes a set: every entity in every format.
struct Writing {
  /// The number of groups between two checks for cancellation.
  private static let pause = 128

  let options: FixtureOptions
  /// The part of each entity to write; nil for all.
  let shard: WorkShard?
  let directory: String
  private(set) var files: [FixtureManifest.File] = []
  private let report: (FixtureProgress) -> Void
  private let allGroups: Int
  private var doneGroups = 0
  private var records = 0

  /// - Parameters:
  ///   - directory: an empty directory.
  ///   - report: called periodically.
  ///   - shard: the part to write; nil for all.
  init(
    _ options: FixtureOptions, shard: WorkShard? = nil, directory: String,
    report: @escaping (FixtureProgress) -> Void
  ) {
    self.options = options
    self.shard = shard
    self.directory = directory
    self.report = report
    var count = GroupCount(world: options.world)
    var groups = 0
    for entity in options.entities { groups += Self.range(of: entity.accept(&count), in: shard).count }
    allGroups = max(1, groups * options.formats.count)
  }

  mutating func write(_ format: FixtureFormat) throws(FixtureError) {
    switch format {
    case .json, .ndjson: try writeAll(JSONTables(options.dialect, format))
    case .protoBinary:
      #if GRPC
        try writeAll(BinaryTables())
        try writeSchema()
      #else
        throw FixtureError.options("proto-binary needs the package trait GRPC; enable it for NovaSDK in Package.swift")
      #endif
    case .csv:
      try writeAll(CSVTables())
      // They load complete tables.
      if shard == nil { try writeScripts() }
    case .sqlite: try writeDatabase()
    case .postgresql: if shard == nil { try writeDump() } else { try writeRows() }
    }
  }

  /// Writes a generated file, and creates its folders.
  mutating func write(_ made: FixtureExchangeFiles.File) throws(FixtureError) {
    try FileSystem.createDirectories(above: made.name, in: directory)
    var file = try OutputFile(creating: "\(directory)/\(made.name)")
    file.buffer += made.bytes
    add(made.name, format: made.format, entity: nil, records: made.records, written: try file.finish())
  }

  /// One file for each entity.
  private mutating func writeAll(_ tables: some TableFormat) throws(FixtureError) {
    for entity in options.entities {
      var visitor = TableVisitor(writing: self, tables: tables)
      try entity.accept(&visitor)
      self = visitor.writing
    }
  }

  mutating func writeSchema() throws(FixtureError) {
    try write(SchemaText(entities: options.entities).text, to: FixtureFormat.schemaName, of: .protoBinary)
  }

  /// The scripts that load the CSV files into PostgreSQL.
  mutating func writeScripts() throws(FixtureError) {
    let scripts = PostgreSQLScripts(schema: PostgreSQLSchema(entities: options.entities))
    try write(scripts.tables, to: PostgreSQLScripts.schemaName, of: .csv)
    try write(scripts.load, to: PostgreSQLScripts.loadName, of: .csv)
  }

  /// Writes a file without records.
  private mutating func write(_ text: String, to name: String, of format: FixtureFormat) throws(FixtureError) {
    var file = try OutputFile(creating: "\(directory)/\(name)")
    file.append(text)
    add(name, format: format.rawValue, entity: nil, records: 0, written: try file.finish())
  }

  private mutating func writeDump() throws(FixtureError) {
    let name = FixtureFormat.dumpName
    let before = records
    let dump = PostgreSQLDump(schema: PostgreSQLSchema(entities: options.entities))
    let file = try DumpFile(creating: "\(directory)/\(name)")
    try file.append(Array(dump.head.utf8))
    for entity in options.entities {
      try file.append(Array(PostgreSQLDump.beginning(of: entity).utf8))
      var visitor = DumpVisitor(writing: self, file: file, name: name)
      try entity.accept(&visitor)
      self = visitor.writing
      try file.append(Array(PostgreSQLDump.endOfRows.utf8))
    }
    try file.append(Array(dump.end.utf8))
    add(
      name, format: FixtureFormat.postgresql.rawValue, entity: nil, records: records - before,
      written: try file.finish())
  }

  /// The rows of a shard, with a file for each table: in a dump, those of all shards are together.
  private mutating func writeRows() throws(FixtureError) {
    for entity in options.entities {
      let name = FixtureFormat.postgresql.fileName(of: entity, isShard: true)
      let before = records
      let file = try DumpFile(creating: "\(directory)/\(name)")
      var visitor = DumpVisitor(writing: self, file: file, name: name)
      try entity.accept(&visitor)
      self = visitor.writing
      add(
        name, format: FixtureFormat.postgresql.rawValue, entity: entity, records: records - before,
        written: try file.finish())
    }
  }

  private mutating func writeDatabase() throws(FixtureError) {
    let name = FixtureFormat.databaseName
    let path = "\(directory)/\(name)"
    let before = records
    let database = try SQLiteDatabase(creating: path)
    let schema = SQLiteSchema(entities: options.entities, hasKeys: shard == nil)
    for entity in options.entities { try database.execute(schema.table(of: entity)) }
    for entity in options.entities {
      var visitor = DatabaseVisitor(writing: self, database: database, schema: schema)
      try entity.accept(&visitor)
      self = visitor.writing
    }
    try database.finish()
    add(
      name, format: FixtureFormat.sqlite.rawValue, entity: nil, records: records - before,
      written: try FixtureDigest.ofFile(path))
  }

  mutating func add(
    _ name: String, format: String, entity: FixtureEntity?, records: Int, written: (bytes: Int, sha256: String)
  ) {
    files.append(
      FixtureManifest.File(
        name: name, format: format, entity: entity, records: records, bytes: written.bytes, sha256: written.sha256))
  }

  /// Calls `body` with each group of an entity, reports progress, and throws if the task is cancelled.
  @inline(__always)
  mutating func forEachGroup<Record>(
    in name: String, of stream: EntityStream<Record>, _ body: ([Record]) throws(FixtureError) -> Void
  ) throws(FixtureError) {
    let world = options.world
    let groups = Self.range(of: stream.groups(world), in: shard)
    let records = stream.reader(world)
    for group in groups {
      let done = group - groups.lowerBound
      if done % Self.pause == 0 { try pass(name, doneGroups + done) }
      let found = records(group)
      try body(found)
      self.records += found.count
    }
    doneGroups += groups.count
    try pass(name, doneGroups)
  }

  private static func range(of groups: Int, in shard: WorkShard?) -> Range<Int> {
    shard?.range(of: groups) ?? 0..<groups
  }

  private func pass(_ name: String, _ groups: Int) throws(FixtureError) {
    if Task.isCancelled { throw .cancelled }
    report(FixtureProgress(file: name, records: records, fraction: Double(groups) / Double(allGroups)))
  }
}

/// Counts the groups of an entity.
private struct GroupCount: EntityVisitor {
  let world: World

  mutating func visit<Record: FixtureRecord>(_ entity: FixtureEntity, _ stream: EntityStream<Record>) throws(Never)
    -> Int
  {
    stream.groups(world)
  }
}
