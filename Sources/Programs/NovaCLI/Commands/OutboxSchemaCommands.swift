import ArgumentParser
import NovaFleet
import NovaPostgreSQL

struct OutboxSchemaCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Print the SQL that creates an outbox in a database.",
    usage: "nova outbox schema [--schema <name>]",
    discussion: """
      nova outbox schema | psql -1 -v ON_ERROR_STOP=1 postgresql://owner@db.example/app

      Connects to nothing. The SQL creates the schema, its tables, and its functions in an empty database, for \
      PostgreSQL 13 or later: for your own migrations. `nova outbox prepare` runs it, and also updates tables of an \
      earlier version.
      """)

  @Option(help: .value("name", "The schema of the outbox."))
  var schema = "nova"

  func run() async throws {
    let schema: FleetOutboxSchema
    do { schema = try FleetOutboxSchema(self.schema) } catch { throw Failure(database: error, schema: self.schema) }
    try StandardOutput.print(String(schema.sql.dropLast()))
  }
}

struct OutboxPrepare: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prepare", abstract: "Create an outbox in a database, or update its tables.",
    usage: "nova outbox prepare --postgres <url> [--schema <name>]",
    discussion: """
      The role must be allowed to create the schema. Changes nothing if the tables are there, and of this version. \
      Several programs can run it at the same time. `nova outbox schema` prints the SQL.
      """)

  @OptionGroup(title: "Database") var database: DatabaseOptions

  func run() async throws {
    let outbox = try database.required()
    try await database.run(isRepeatable: true) {
      do { try await outbox.prepare() } catch let error as PostgreSQLError where error.sqlState == "42501" {
        throw Failure("\(error)", hint: "Connect as a role that can create the schema, or owns it.", .notAllowed)
      }
    }
    Diagnostics.confirmation("the outbox in schema \(database.schema ?? "nova") is ready")
  }
}
