import NovaCore
import NovaOffline
public import NovaPostgreSQL

/// The tables and functions of a ``FleetOutbox``, and the steps from older versions to these.
public struct FleetOutboxSchema: Sendable {
  /// The name of the schema, quoted for SQL.
  let schema: String
  /// The schema's name as the value of a text.
  let literal: String
  /// The channel of notifications, which is not quoted: letters, digits, `_`.
  let channel: String

  /// The version that this code reads and writes.
  public static var version: Int { steps.count }

  /// Names the tables of a schema.
  ///
  /// - Parameter name: the schema: letters, digits and `_`, at most 48, not beginning with a digit. Default: `nova`.
  /// - Throws: ``FleetOutboxError`` for another name.
  public init(_ name: String = "nova") throws {
    let isValid =
      !name.isEmpty && name.utf8.count <= 48 && name.utf8.first.map { !(48...57).contains($0) } ?? false
      && name.utf8.allSatisfy { byte in
        (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte) || byte == 95
      }
    guard isValid else {
      throw FleetOutboxError(
        .invalidArgument,
        "invalid argument: the schema's name must have at most 48 letters, digits and underscores, and not begin with "
          + "a digit")
    }
    schema = "\"\(name)\""
    literal = name
    channel = "\(name.lowercased())_outbox"
  }

  /// The SQL of all steps, as ``prepare(_:)`` runs them on an empty database: for your own migrations.
  public var sql: String {
    (["CREATE SCHEMA IF NOT EXISTS \(schema)"] + Self.steps.indices.flatMap { statements(of: $0) })
      .map { "\($0.hasSuffix("\n") ? String($0.dropLast()) : $0);\n" }.joined(separator: "\n")
  }

  /// Creates the tables and functions, or brings those of an older version to this one, completely or not at all.
  ///
  /// Programs that start together can all call it: one does the work, and the others wait for it.
  ///
  /// - Parameter client: must be allowed to create the schema.
  /// - Throws: ``FleetOutboxError`` for tables of a later version, which stay as they are; errors of the client.
  public func prepare(_ client: any PostgreSQLClient) async throws {
    if try await version(client) == Self.version { return }
    try await client.changingSchemas { client in
      let found = try await version(client) ?? 0
      guard found <= Self.version else {
        throw FleetOutboxError(
          .schema,
          "cannot use the outbox in schema \(literal): its version is \(found), and this program has \(Self.version); "
            + "update this program")
      }
      guard found < Self.version else { return }
      if found == 0 { _ = try await client.query("CREATE SCHEMA IF NOT EXISTS \(schema)", []) }
      for step in found..<Self.version {
        for statement in statements(of: step) { _ = try await client.query(statement, []) }
      }
    }
  }

  /// The version of the tables; nil without any.
  private func version(_ client: any PostgreSQLClient) async throws -> Int? {
    let table = try await client.query(
      "SELECT to_regclass($1) IS NOT NULL AS found", [.text("\(schema).outbox_version")])
    guard try table.first?.value("found", as: Bool.self) == true else { return nil }
    return try await client.query("SELECT version FROM \(schema).outbox_version", []).first.map {
      try $0.value("version", as: Int.self)
    }
  }

  private func statements(of step: Int) -> [String] {
    Self.steps[step].map { $0.filled(schema: schema, channel: channel) }
      + (step == 0 ? [rpcs] : [])
      + [
        step == 0
          ? "INSERT INTO \(schema).outbox_version (version) VALUES (1)"
          : "UPDATE \(schema).outbox_version SET version = \(step + 1)"
      ]
  }

  /// The calls that can wait, with the fields of their requests.
  private var rpcs: String {
    let rows = OfflineRules.writes.filter(\.canWait).map { rule in
      let fields = rule.rpc.requestType.descriptor.fields.flatMap { [$0.jsonName, $0.name] }
      let names = Set(fields).sorted().map { "'\($0)'" }.joined(separator: ", ")
      return "  ('\(rule.rpc.id)', ARRAY[\(names)]::text[])"
    }
    return "INSERT INTO \(schema).outbox_rpcs (rpc, fields) VALUES\n\(rows.joined(separator: ",\n"))\n"
      + "ON CONFLICT (rpc) DO UPDATE SET fields = excluded.fields"
  }
}

extension String {
  fileprivate func filled(schema: String, channel: String) -> String {
    var text = ""
    var rest = self[...]
    while let start = rest.firstIndex(of: "@") {
      text += rest[..<start]
      let name = rest[rest.index(after: start)...].prefix { $0.isLetter }
      switch name {
      case "schema": text += schema
      case "channel": text += channel
      default: text += "@\(name)"
      }
      rest = rest[name.endIndex...]
    }
    return text + rest
  }
}
