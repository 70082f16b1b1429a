import NovaCore

/// The texts of the dump `fixtures.sql` around its rows, as pg_dump orders them: tables, rows, keys.
///
/// psql loads the whole dump or nothing.
struct PostgreSQLDump {
  let schema: PostgreSQLSchema

  /// The text before the rows.
  var head: String {
    """
    -- The tables of a set of fixtures with their rows, for psql and PostgreSQL 12 or later:
    --   createdb fixtures && psql -d fixtures -f fixtures.sql

    \\set ON_ERROR_STOP on
    \(Self.settings)
    BEGIN;

    \(schema.tables(keys: .afterRows))

    """
  }

  /// The text after the rows.
  var end: String { "\n\(schema.keys)\nCOMMIT;\n" }

  /// The line before the rows of a table.
  static func beginning(of entity: FixtureEntity) -> String {
    let columns = entity.message.fields.map { PostgreSQLText.name($0.name) }.joined(separator: ", ")
    return "\nCOPY \(PostgreSQLText.name(entity.rawValue)) (\(columns)) FROM stdin;\n"
  }

  /// The line after the rows of a table.
  static let endOfRows = "\\.\n"

  /// What the server must assume of the text, whatever its own settings are.
  static let settings = """
    SET client_encoding = 'UTF8';
    SET standard_conforming_strings = on;
    """
}

/// The scripts for the CSV files: the tables, and how psql fills them.
struct PostgreSQLScripts {
  static let schemaName = "postgresql-schema.sql"
  static let loadName = "postgresql-load.sql"

  let schema: PostgreSQLSchema

  /// The tables.
  var tables: String {
    """
    -- The tables for the CSV files beside this one, for PostgreSQL 12 or later. \(Self.loadName) creates and fills them.

    \(schema.tables(keys: .inTable))
    """
  }

  /// The script that creates the tables and fills them.
  var load: String {
    let copies = schema.entities.map { entity in
      // The files have empty texts where tables have NULL.
      let columns = entity.columnsNullWhenEmpty.map(PostgreSQLText.name).joined(separator: ", ")
      let options = "FORMAT csv, HEADER true\(columns.isEmpty ? "" : ", FORCE_NULL (\(columns))")"
      let file = FixtureFormat.csv.fileName(of: entity)
      return "\\copy \(PostgreSQLText.name(entity.rawValue)) FROM '\(file)' WITH (\(options))\n"
    }
    return """
      -- Creates the tables of \(Self.schemaName), and fills them with the CSV files. Run psql in this folder, because
      -- \\copy reads files from there:
      --   createdb fixtures && psql -d fixtures -f \(Self.loadName)

      \\set ON_ERROR_STOP on
      \(PostgreSQLDump.settings)
      BEGIN;

      \\ir \(Self.schemaName)

      \(copies.joined())
      COMMIT;

      """
  }
}
