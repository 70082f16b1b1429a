public import NovaPostgreSQL
import NovaSupport

/// Limits in PostgreSQL: one row each, and the same algorithm as in Redis, in a function with the server's clock.
public struct PostgreSQLLimitStore: FleetLimitStore {
  private let database: ReadCommittedClient
  private let schema: String

  /// Creates a store. Its table must exist: see ``createSchema()``.
  ///
  /// - Parameters:
  ///   - database: the client. Not one of a transaction: it would lock the limit for its whole time.
  ///   - schema: the schema of the table. Default `nova`.
  public init(_ database: any PostgreSQLClient, schema: String = "nova") {
    (self.database, self.schema) = (ReadCommittedClient(database), schema)
  }

  public func take(_ count: Int, of limit: FleetLimit, priority: FleetPriority) async throws -> FleetGrant {
    try await run("take", count, of: limit, priority: priority)
  }

  public func giveBack(_ count: Int, of limit: FleetLimit) async throws { _ = try await run("give", count, of: limit) }

  public func pause(_ limit: FleetLimit, for time: Duration) async throws {
    _ = try await run("pause", Int(time / .microseconds(1)), of: limit)
  }

  private func run(
    _ action: String, _ count: Int, of limit: FleetLimit, priority: FleetPriority = .normal
  ) async throws -> FleetGrant {
    let burst = limit.storeBurst
    let rows = try await database.query(
      "SELECT granted, wait FROM \(quotedSchema).limit_step($1, $2, $3, $4, $5, $6)",
      [
        .text(limit.name), .text(action), .integer(Int64(count)), .double(1_000_000 / limit.rate), .double(burst),
        .double(priority == .high ? 0 : burst * limit.reserve),
      ])
    guard let row = rows.first else { throw FleetLimitError(.store, "PostgreSQL sent no row") }
    return FleetGrant(tokens: try row.value("granted"), wait: .microseconds(try row.value("wait", as: Int64.self)))
  }

  private var quotedSchema: String { schema.quotedIdentifier }

  /// Creates the schema, table, and function, unless they exist. Several machines can do it at once. A role without the
  /// privilege to create them may call it, too, once they exist.
  public func createSchema() async throws {
    try await database.create(schemaStatements, unless: "to_regproc($1)", finds: "\(quotedSchema).limit_step")
  }

  /// The statements of ``createSchema()``, for tools that manage schemas.
  public var schemaStatements: [String] {
    [
      "CREATE SCHEMA IF NOT EXISTS \(quotedSchema)",
      """
      CREATE TABLE IF NOT EXISTS \(quotedSchema).limits (
        name text PRIMARY KEY, tat float8 NOT NULL DEFAULT 0, pause float8 NOT NULL DEFAULT 0
      ) WITH (fillfactor = 50)
      """,
      """
      CREATE OR REPLACE FUNCTION \(quotedSchema).limit_step(
        limit_name text, action text, amount bigint, step float8, burst float8, reserve float8,
        OUT granted bigint, OUT wait bigint
      ) LANGUAGE plpgsql AS $$
      DECLARE t float8; stored float8; paused float8; moment float8; usable float8;
      BEGIN
        -- Without waiting for the disk: a server that crashes forgets less than a second of the calls.
        PERFORM set_config('synchronous_commit', 'off', true);
        granted := 0;
        wait := 0;
        LOOP
          SELECT l.tat, l.pause INTO t, stored FROM \(quotedSchema).limits l WHERE l.name = limit_name FOR UPDATE;
          EXIT WHEN FOUND;
          INSERT INTO \(quotedSchema).limits (name) VALUES (limit_name) ON CONFLICT DO NOTHING;
        END LOOP;
        moment := extract(epoch FROM clock_timestamp()) * 1000000;
        t := greatest(moment, least(t, moment + burst * step));
        -- A pause that has ended does not begin again if the clock goes back.
        paused := CASE WHEN stored > moment THEN least(stored, moment + 3600000000) ELSE 0 END;
        IF action = 'pause' THEN
          paused := greatest(paused, moment + amount);
        ELSIF action = 'give' THEN
          t := greatest(moment, t - amount * step);
        ELSIF paused > moment THEN
          IF paused < stored THEN
            UPDATE \(quotedSchema).limits l SET pause = paused WHERE l.name = limit_name;
          END IF;
          wait := ceil(paused - moment);
          RETURN;
        ELSE
          usable := greatest(1, burst - reserve) * step;
          granted := greatest(0, least(amount, floor((moment + usable - t) / step + 0.000001)));
          IF granted = 0 THEN
            wait := ceil(t + step - moment - usable);
            RETURN;
          END IF;
          t := t + granted * step;
        END IF;
        UPDATE \(quotedSchema).limits l SET tat = t, pause = paused WHERE l.name = limit_name;
      END $$
      """,
    ]
  }
}
