import NovaCore
import NovaCrypto

/// A merge in progress.
struct Merging {
  let shards: FixtureShards
  private(set) var writing: Writing
  private let report: (FixtureProgress) -> Void
  private let allBytes: Int
  private var doneBytes = 0
  private var records = 0

  init(_ shards: FixtureShards, directory: String, report: @escaping (FixtureProgress) -> Void) {
    self.shards = shards
    self.report = report
    writing = Writing(shards.options, directory: directory, report: { _ in })
    allBytes = max(1, shards.manifests.reduce(0) { $0 + $1.byteCount })
  }

  mutating func merge(_ format: FixtureFormat) throws(FixtureError) {
    switch format {
    case .json, .ndjson: try mergeAll(JSONTables(shards.options.dialect, format))
    case .protoBinary:
      #if GRPC
        try mergeAll(BinaryTables())
        try writing.writeSchema()
      #else
        throw FixtureError.options("proto-binary needs the package trait GRPC; enable it for NovaSDK in Package.swift")
      #endif
    case .csv:
      try mergeAll(CSVTables())
      try writing.writeScripts()
    case .sqlite: try mergeDatabases()
    case .postgresql: try mergeRows()
    }
  }

  /// Copies the requests with responses of the first shard.
  mutating func copyExchanges() throws(FixtureError) {
    guard let first = shards.manifests.first, let directory = shards.paths.first else { return }
    for file in first.files where file.entity == nil && FixtureFormat(rawValue: file.format) == nil {
      try FileSystem.createDirectories(above: file.name, in: writing.directory)
      var output = try OutputFile(creating: "\(writing.directory)/\(file.name)")
      _ = try copy("\(directory)/\(file.name)", of: file, to: &output)
      writing.add(file.name, format: file.format, entity: nil, records: file.records, written: try output.finish())
    }
  }

  private mutating func mergeAll(_ tables: some TableFormat) throws(FixtureError) {
    for entity in shards.options.entities {
      var visitor = MergeVisitor(merging: self, tables: tables)
      try entity.accept(&visitor)
      self = visitor.merging
    }
  }

  private mutating func mergeRows() throws(FixtureError) {
    let name = FixtureFormat.dumpName
    let dump = PostgreSQLDump(schema: PostgreSQLSchema(entities: shards.options.entities))
    var output = try OutputFile(creating: "\(writing.directory)/\(name)")
    var count = 0
    output.append(dump.head)
    for entity in shards.options.entities {
      output.append(PostgreSQLDump.beginning(of: entity))
      for shard in try shards.files(named: FixtureFormat.postgresql.fileName(of: entity, isShard: true)) {
        _ = try copy(shard.path, of: shard.file, to: &output)
        count += shard.file.records
      }
      output.append(PostgreSQLDump.endOfRows)
    }
    output.append(dump.end)
    writing.add(
      name, format: FixtureFormat.postgresql.rawValue, entity: nil, records: count, written: try output.finish())
  }

  /// Inserts the rows of all shards as one process inserts them, because the pages of a database depend on the order.
  private mutating func mergeDatabases() throws(FixtureError) {
    let name = FixtureFormat.databaseName
    let path = "\(writing.directory)/\(name)"
    let files = try shards.files(named: name)
    for shard in files {
      try Self.requireFile(shard.path)
      guard try FixtureDigest.ofFile(shard.path).sha256 == shard.file.sha256 else { throw Self.changed(shard.path) }
    }
    let database = try SQLiteDatabase(creating: path)
    let schema = SQLiteSchema(entities: shards.options.entities)
    for entity in schema.entities { try database.execute(schema.table(of: entity)) }
    for entity in schema.entities {
      let insertion = schema.insertion(into: entity)
      for shard in files {
        let copied = try database.insert(
          insertion, rowsOf: entity.rawValue, columnCount: entity.message.fields.count, from: shard.path
        ) { () throws(FixtureError) in
          if Task.isCancelled { throw .cancelled }
        }
        records += copied
        // Rows are counted as equal shares of the file.
        progress(name, copied * shard.file.bytes / max(1, shard.file.records))
      }
    }
    try database.finish()
    writing.add(
      name, format: FixtureFormat.sqlite.rawValue, entity: nil, records: files.reduce(0) { $0 + $1.file.records },
      written: try FixtureDigest.ofFile(path))
  }

  /// Appends a shard's file, without the text around its records.
  ///
  /// - Parameters:
  ///   - head: how the file must begin.
  ///   - tail: how it must end.
  ///   - separator: what to write before the first record.
  /// - Returns: whether there were records.
  mutating func copy(
    _ path: String, of file: FixtureManifest.File, to output: inout OutputFile, head: [UInt8] = [], tail: [UInt8] = [],
    separator: [UInt8] = []
  ) throws(FixtureError) -> Bool {
    try Self.requireFile(path)
    var input = try InputFile(path)
    var hash = try FixtureDigest.sha256()
    // What may still belong to the head or the tail.
    var pending: [UInt8] = []
    var isInside = false
    var hasRecords = false
    while true {
      let piece = try input.piece()
      if Task.isCancelled { throw .cancelled }
      hash.update(piece)
      pending += piece
      if !isInside, pending.count >= head.count {
        guard pending.starts(with: head) else { throw Self.changed(path) }
        pending.removeFirst(head.count)
        isInside = true
      }
      if isInside, pending.count > tail.count {
        if !hasRecords { output.buffer += separator }
        hasRecords = true
        output.buffer += pending.dropLast(tail.count)
        pending = Array(pending.suffix(tail.count))
        try output.flushIfFull()
      }
      if piece.isEmpty { break }
      progress(file.name, piece.count)
    }
    guard isInside, pending == tail, try Hexadecimal.encode(hash.finalized()) == file.sha256 else {
      throw Self.changed(path)
    }
    records += file.records
    return hasRecords
  }

  private mutating func progress(_ file: String, _ bytes: Int) {
    doneBytes += bytes
    let fraction = min(1, Double(doneBytes) / Double(allBytes))
    report(FixtureProgress(file: file, records: records, fraction: fraction))
  }

  private static func requireFile(_ path: String) throws(FixtureError) {
    guard FileSystem.kind(path, followingLinks: true) == nil else { return }
    throw .unreadable("\(path) is missing; \(FixtureShards.adviceToWriteAgain)")
  }

  private static func changed(_ path: String) -> FixtureError {
    .unreadable(
      "\(path) was changed since it was written, or is incomplete; \(FixtureShards.adviceToWriteAgain)")
  }
}

/// Merges the files of an entity.
struct MergeVisitor<Tables: TableFormat>: EntityVisitor {
  var merging: Merging
  let tables: Tables

  mutating func visit<Record: FixtureRecord>(
    _ entity: FixtureEntity, _ stream: EntityStream<Record>
  ) throws(FixtureError) {
    let name = tables.format.fileName(of: entity)
    var (head, tail): ([UInt8], [UInt8]) = ([], [])
    tables.begin(Record.self, entity, to: &head)
    tables.end(&tail)
    var output = try OutputFile(creating: "\(merging.writing.directory)/\(name)")
    output.buffer += head
    var (count, hasRecords) = (0, false)
    for shard in try merging.shards.files(named: name) {
      let copied = try merging.copy(
        shard.path, of: shard.file, to: &output, head: head, tail: tail,
        separator: hasRecords ? tables.separator : [])
      hasRecords = hasRecords || copied
      count += shard.file.records
    }
    output.buffer += tail
    merging.add(name, format: tables.format, entity: entity, records: count, written: try output.finish())
  }
}

extension Merging {
  fileprivate mutating func add(
    _ name: String, format: FixtureFormat, entity: FixtureEntity, records: Int, written: (bytes: Int, sha256: String)
  ) {
    writing.add(name, format: format.rawValue, entity: entity, records: records, written: written)
  }
}
