import Foundation
import NovaCore
import NovaFixtures
import NovaTestSupport
import Testing

@testable import NovaFixtureFiles

/// The tables fit the rows. Tools/check-postgresql loads both into a server.
@Suite struct PostgreSQLTests {
  private static let seeds: [UInt64] = [1, 42, .max]

  /// The CSV files of an entity as rows, without the header.
  private static func rows(_ entity: FixtureEntity, in path: String) throws -> [[String?]] {
    Array(CSV.rows(try text("\(path)/\(entity.rawValue).csv")).dropFirst())
  }

  @Test(arguments: seeds) func everyCellFitsItsColumn(_ seed: UInt64) async throws {
    try await withDirectory { path in
      try smallSet(seed: seed, formats: [.csv]).write(to: "\(path)/set")
      for entity in FixtureEntity.allCases {
        let fields = entity.message.fields
        for (number, row) in try Self.rows(entity, in: "\(path)/set").enumerated() {
          #expect(row.count == fields.count, "\(entity), row \(number + 1)")
          for (field, cell) in zip(fields, row) {
            let isEmpty = cell == nil || cell == "" && entity.columnsNullWhenEmpty.contains(field.name)
            let place = "\(entity).\(field.name), row \(number + 1): \(cell ?? "NULL")"
            if isEmpty {
              #expect(PostgreSQLSchema.isNullable(field, in: entity), "\(place) is in a column with NOT NULL")
            } else {
              let type = PostgreSQLSchema.type(of: field)
              #expect(Self.fits(cell ?? "", type), "\(place) is no \(type)")
            }
          }
        }
      }
    }
  }

  /// Whether PostgreSQL reads a cell as a value of a type.
  private static func fits(_ cell: String, _ type: String) -> Bool {
    switch type {
    case "text": !cell.unicodeScalars.contains("\0")
    case "integer": Int32(cell) != nil
    case "bigint": Int64(cell) != nil
    case "numeric(20)": UInt64(cell) != nil
    case "double precision", "real": Double(cell) != nil
    case "boolean": cell == "true" || cell == "false"
    case "timestamptz": cell.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/) != nil
    // Its texts cannot have U+0000.
    case "jsonb": (try? JSONValue(jsonUTF8: Array(cell.utf8))) != nil && !cell.contains("\\u0000")
    default: false
    }
  }

  @Test(arguments: seeds) func keysAreUniqueAndReferencesLeadSomewhere(_ seed: UInt64) async throws {
    try await withDirectory { path in
      try smallSet(seed: seed, formats: [.csv]).write(to: "\(path)/set")
      var known: [FixtureEntity: Set<[String?]>] = [:]
      for entity in FixtureEntity.allCases {
        let names = entity.message.fields.map(\.name)
        func values(_ columns: [String], _ row: [String?]) throws -> [String?] {
          try columns.map { row[try #require(names.firstIndex(of: $0), "\(entity) has no column \($0)")] }
        }
        let rows = try Self.rows(entity, in: "\(path)/set")
        let keys = try rows.map { try values(entity.key, $0) }
        #expect(Set(keys).count == keys.count, "\(entity): two records have the same key")
        known[entity] = Set(keys)
        for reference in entity.references {
          let targets = try #require(known[reference.entity], "\(entity) refers to a table that is filled later")
          for row in rows {
            let value = try values([reference.column], row)
            if value == [""] || value == [nil] {
              #expect(entity.columnsNullWhenEmpty.contains(reference.column), "\(entity).\(reference.column)")
            } else {
              #expect(targets.contains(value), "\(entity).\(reference.column): no \(reference.entity) \(value)")
            }
          }
        }
      }
    }
  }

  @Test(arguments: seeds) func theDumpHasTheRowsOfTheCSVFiles(_ seed: UInt64) async throws {
    try await withDirectory { path in
      let manifest = try smallSet(seed: seed, formats: [.csv, .postgresql]).write(to: "\(path)/set")
      let tables = try CopiedTables(text("\(path)/set/fixtures.sql"))
      #expect(tables.names == FixtureEntity.allCases.map(\.rawValue))
      for entity in FixtureEntity.allCases {
        let fields = entity.message.fields
        let expected = try Self.rows(entity, in: "\(path)/set").map { row in
          zip(fields, row).map { $1 == "" && entity.columnsNullWhenEmpty.contains($0.name) ? nil : $1 }
        }
        #expect(tables.rows(of: entity.rawValue) == expected, "\(entity)")
      }
      let dump = manifest.files.first { $0.name == "fixtures.sql" }
      #expect(dump?.records == manifest.files.filter { $0.format == "csv" }.reduce(0) { $0 + $1.records })
    }
  }

  @Test func onlyWrittenEntitiesHaveTablesAndReferences() async throws {
    try await withDirectory { path in
      try smallSet(formats: [.csv, .postgresql], entities: [.posts, .comments]).write(to: "\(path)/set")
      for name in ["fixtures.sql", "postgresql-schema.sql"] {
        let text = try text("\(path)/set/\(name)")
        #expect(text.components(separatedBy: "CREATE TABLE ").count == 3, "\(name)")
        #expect(text.components(separatedBy: "FOREIGN KEY ").count == 3, "\(name)")
        #expect(!text.contains("users"), "\(name)")
      }
      let load = try text("\(path)/set/postgresql-load.sql")
      #expect(
        load.contains(
          """
          \\copy posts FROM 'posts.csv' WITH (FORMAT csv, HEADER true)
          \\copy comments FROM 'comments.csv' WITH (FORMAT csv, HEADER true, FORCE_NULL (parent_comment_id))

          """), "\(load)")
      #expect(try FixtureCheck.run("\(path)/set").problems.isEmpty)
    }
  }

  @Test func aTableLooksLikeThis() {
    let schema = PostgreSQLSchema(entities: [.users, .posts, .shares])
    let tables = schema.tables(keys: .inTable)
    #expect(
      tables.contains(
        """
        CREATE TABLE shares (
          user_id text NOT NULL,
          post_id text NOT NULL,
          share_type text NOT NULL,
          created_at bigint NOT NULL,
          CHECK (user_id <> ''),
          CHECK (post_id <> ''),
          CHECK (share_type IN ('repost', 'story', 'dm')),
          PRIMARY KEY (user_id, post_id),
          FOREIGN KEY (user_id) REFERENCES users (id),
          FOREIGN KEY (post_id) REFERENCES posts (id)
        );
        """), "\(tables)")
    #expect(tables.contains("  media_ids jsonb NOT NULL,\n") && tables.contains("  bio text,\n"), "\(tables)")
    #expect(tables.contains("COMMENT ON COLUMN shares.created_at IS 'In Unix seconds.';"), "\(tables)")
    #expect(tables.contains("COMMENT ON TABLE users IS '"), "\(tables)")
    // The same keys are added to filled tables.
    #expect(!schema.tables(keys: .afterRows).contains(" KEY "))
    #expect(
      schema.keys.hasPrefix("ALTER TABLE users ADD PRIMARY KEY (id);\n")
        && schema.keys.hasSuffix("ALTER TABLE shares ADD FOREIGN KEY (post_id) REFERENCES posts (id);\n"),
      "\(schema.keys)")
  }

  @Test(arguments: FixtureEntity.allCases) func checksNameColumns(_ entity: FixtureEntity) {
    let names = Set(entity.message.fields.map(\.name))
    for condition in PostgreSQLChecks(entity).conditions {
      let column = String(condition.prefix { $0 != " " })
      #expect(names.contains(column), "\(entity): \(condition)")
    }
    for column in entity.columnsNullWhenEmpty + entity.key { #expect(names.contains(column), "\(entity): \(column)") }
  }
}

/// The notation of names, texts, and cells.
@Suite struct PostgreSQLTextTests {
  @Test(arguments: [
    ("users", "users"), ("created_at", "created_at"), ("user", "\"user\""), ("order", "\"order\""),
    ("createdAt", "\"createdAt\""), ("2nd", "\"2nd\""), ("a b", "\"a b\""), ("a\"b", "\"a\"\"b\""), ("", "\"\""),
  ])
  func namesAreQuotedWhereNeeded(_ name: String, _ expected: String) { #expect(PostgreSQLText.name(name) == expected) }

  @Test(arguments: [("", "''"), ("it's", "'it''s'"), ("a\\b", "'a\\b'"), ("é\n", "'é\n'")])
  func textsAreLiterals(_ text: String, _ expected: String) { #expect(PostgreSQLText.literal(text) == expected) }

  @Test(
    arguments: [
      (nil, #"\N"#), ("", ""), ("plain", "plain"), (#"\N"#, #"\\N"#), (#"\."#, #"\\."#), ("a\tb", #"a\tb"#),
      ("a\r\nb", #"a\r\nb"#), ("👩‍👩‍👧 \u{1}", "👩‍👩‍👧 \u{1}"),
    ] as [(String?, String)])
  func cellsAreEscaped(_ cell: String?, _ expected: String) {
    var output: [UInt8] = []
    PostgreSQLText.append(cell, to: &output)
    #expect(String(decoding: output, as: UTF8.self) == expected)
    #expect(CopiedTables.cell(expected) == cell)
  }
}

/// What a server reads of the rows of a dump.
struct CopiedTables {
  private(set) var names: [String] = []
  private var tables: [String: [[String?]]] = [:]

  init(_ dump: String) throws {
    var name: String?
    for line in dump.split(separator: "\n", omittingEmptySubsequences: false) {
      if let table = name {
        if line == "\\." {
          name = nil
        } else {
          let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
          tables[table, default: []].append(cells.map { Self.cell(String($0)) })
        }
      } else if line.hasPrefix("COPY "), line.hasSuffix(" FROM stdin;") {
        let table = String(line.dropFirst(5).prefix { $0 != " " })
        names.append(table)
        name = table
      }
    }
    try #require(name == nil, "the rows of \(name ?? "") have no end")
  }

  func rows(of name: String) -> [[String?]] { tables[name] ?? [] }

  /// The value of a cell; nil for NULL.
  static func cell(_ text: String) -> String? {
    if text == "\\N" { return nil }
    var value = ""
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isEscaped {
        let known: [Unicode.Scalar: Unicode.Scalar] = ["t": "\t", "n": "\n", "r": "\r"]
        value.unicodeScalars.append(known[scalar] ?? scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else {
        value.unicodeScalars.append(scalar)
      }
    }
    return value
  }
}
