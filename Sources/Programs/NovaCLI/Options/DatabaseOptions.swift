import ArgumentParser
import NovaFleet
import NovaPostgreSQL

/// The outbox in an application's database, in place of the one on this machine.
struct DatabaseOptions: ParsableArguments {
  @Option(
    help: .value(
      "url",
      "The outbox in this PostgreSQL database: a URL or key=value pairs, as psql reads them. What is missing comes from PGHOST, PGPASSFILE, and the like."
    ))
  var postgres: String?

  @Option(help: .value("name", "With --postgres: the schema of the outbox. Default: nova."))
  var schema: String?

  func validate() throws {
    if schema != nil, postgres == nil { throw ValidationError("--schema requires --postgres") }
  }

  /// The outbox; nil without the option.
  ///
  /// - Throws: ``Failure`` for a connection string or a name that cannot be used. Contains neither.
  func outbox() throws -> FleetOutbox? {
    guard let postgres else { return nil }
    if Self.hasPassword(postgres) {
      Diagnostics.warning(
        "other users of this machine can read the password on the command line; leave it out, and use PGPASSFILE or "
          + "~/.pgpass")
    }
    do {
      return try FleetOutbox(
        try PostgreSQLPool(postgres, options: PostgreSQLPoolOptions(maximumConnections: 4)), schema: schema ?? "nova")
    } catch { throw Failure(database: error, schema: schema) }
  }

  /// The outbox, for commands that are about such an outbox only.
  func required() throws -> FleetOutbox {
    if let outbox = try outbox() { return outbox }
    throw Failure("missing --postgres: name the database of the outbox", .usage)
  }

  private static func hasPassword(_ text: String) -> Bool {
    if text.contains("password=") || text.contains("password =") { return true }
    guard let start = text.firstRange(of: "://")?.upperBound, let end = text[start...].firstIndex(of: "@") else {
      return false
    }
    return text[start..<end].contains(":")
  }

  /// Runs `body`, and reports errors of the database as failures of the command.
  ///
  /// - Parameter isRepeatable: whether the command can be repeated in any case, so that its failure does not report
  ///   whether a statement may have run. Default: false.
  func run<Result>(isRepeatable: Bool = false, _ body: () async throws -> Result) async throws -> Result {
    do { return try await body() } catch {
      if isRepeatable, var error = error as? PostgreSQLError {
        (error.mayHaveRun, error.mayHaveCommitted) = (false, false)
        throw Failure(database: error, schema: schema)
      }
      throw error is PostgreSQLError || error is FleetOutboxError ? Failure(database: error, schema: schema) : error
    }
  }
}

extension Failure {
  /// Creates a failure for an outbox in a database.
  init(database error: any Error, schema: String?) {
    switch error {
    case let error as FleetOutboxError:
      let isMissing = error.kind == .notFound
      self.init(
        error.message,
        hint: isMissing ? "List what waits with `nova outbox list --postgres <url>`." : nil,
        isMissing ? .notFound : error.kind == .invalidArgument ? .usage : .failed)
    case let error as PostgreSQLError where ["42P01", "3F000", "42883"].contains(error.sqlState):
      self.init(
        "there is no outbox in schema \((schema ?? "nova").printable(to: 60)) of this database",
        hint: "Create it with `nova outbox prepare --postgres <url>`, or name another schema with --schema.", .notFound)
    case let error as PostgreSQLError:
      switch error.kind {
      case .connection: self.init(refusal: error)
      case .timeout, .busy: self.init("\(error)", .noConnection)
      case .invalidArgument: self.init("\(error)", .usage)
      case .server where error.sqlState == "42501":
        self.init("\(error)", hint: "Connect as the owner of the outbox, or grant the role its tables.", .notAllowed)
      case .server, .closed, .missingLibrary: self.init("\(error)", .failed)
      }
    default: self.init("\(error)", .failed)
    }
  }

  private init(refusal error: PostgreSQLError) {
    switch error.refusal {
    case .missingPassword:
      self.init("\(error)", hint: "Put the password into ~/.pgpass, or into a file that PGPASSFILE names.", .notAllowed)
    case .authentication:
      self.init(
        "\(error)", hint: "Check the user in --postgres, and the password in ~/.pgpass, PGPASSFILE, or PGPASSWORD.",
        .notAllowed)
    case .unknownRole, .unknownDatabase:
      self.init("\(error)", hint: "Check the user and the database in --postgres, PGUSER, and PGDATABASE.", .usage)
    case .roleNotAllowed, .addressNotAllowed:
      self.init(
        "\(error)", hint: "Connect as another role, or let this one connect to the database.", .notAllowed)
    case .serverIsFull, .poolerIsFull, .starting, .certificate, .unsupportedProtocol, nil:
      self.init("\(error)", .noConnection)
    }
  }
}
