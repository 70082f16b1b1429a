public import NovaCore
public import NovaFixtures
public import NovaMockWorlds

/// The options of a set of fixtures.
///
/// ```swift
/// let options = try FixtureOptions(seed: Seed(42), size: World.Size(users: 1_000), formats: [.ndjson, .sqlite])
/// try FixtureSet(options).write(to: "fixtures")
/// ```
public struct FixtureOptions: Sendable, Hashable {
  /// The seed of all values.
  public var seed: Seed { world.seed }
  /// The size of a world.
  public var size: World.Size { world.size }
  /// The formats, in the order of ``FixtureFormat``, without duplicates.
  public let formats: [FixtureFormat]
  /// The JSON dialect.
  public let dialect: FixtureDialect
  /// The entities, in the order of ``FixtureEntity``, without duplicates.
  public let entities: [FixtureEntity]
  /// The password of the world's accounts in a mock backend.
  public let password: WorldPassword
  /// The world of the seed and size.
  public let world: World

  /// Creates validated options.
  ///
  /// - Parameters:
  ///   - seed: the seed of all values.
  ///   - size: the size of the world.
  ///   - formats: one or more. Default: `ndjson`.
  ///   - dialect: for `json` and `ndjson`. Default: `wire`.
  ///   - entities: one or more. Default: all.
  ///   - password: the password of the world's accounts in a mock backend. Default: `fixture-password`.
  /// - Throws: ``FixtureError/options(_:)`` for an invalid size, for no formats or entities, and for a dialect without
  ///   a JSON format.
  public init(
    seed: Seed, size: World.Size, formats: [FixtureFormat] = [.ndjson], dialect: FixtureDialect = .wire,
    entities: [FixtureEntity] = FixtureEntity.allCases, password: WorldPassword = .standard
  ) throws(FixtureError) {
    let world: World
    do throws(WorldError) {
      world = try World(seed: seed, size: size)
    } catch {
      throw .options(error.description)
    }
    try self.init(world, formats: formats, dialect: dialect, entities: entities, password: password)
  }

  init(
    _ world: World, formats: [FixtureFormat] = [.ndjson], dialect: FixtureDialect = .wire,
    entities: [FixtureEntity] = FixtureEntity.allCases, password: WorldPassword = .standard
  ) throws(FixtureError) {
    self.password = password
    self.world = world
    self.dialect = dialect
    self.formats = FixtureFormat.allCases.filter(formats.contains)
    self.entities = FixtureEntity.allCases.filter(entities.contains)
    if self.formats.isEmpty { throw .options("no formats; expected one or more of \(Self.names(FixtureFormat.self))") }
    if self.entities.isEmpty {
      throw .options("no entities; expected one or more of \(Self.names(FixtureEntity.self))")
    }
    if dialect != .wire, !self.formats.contains(where: \.isJSON) {
      throw .options("the dialect \(dialect.rawValue) requires a JSON format; add json or ndjson to the formats")
    }
  }

  private static func names<T: CaseIterable & RawRepresentable>(_ type: T.Type) -> String where T.RawValue == String {
    type.allCases.map(\.rawValue).joined(separator: ", ")
  }
}

/// A format of fixture files.
public enum FixtureFormat: String, Sendable, Hashable, CaseIterable {
  /// A JSON array for each entity, one element per line.
  case json
  /// One JSON object per line.
  case ndjson
  /// One protobuf message for each entity with all elements in field 1; `fixtures.proto` contains the schema.
  case protoBinary = "proto-binary"
  /// RFC 4180 with a header row. Lists and messages are JSON; an absent value is empty, an empty text is `""`.
  /// Two scripts create the tables in PostgreSQL and fill them.
  case csv
  /// One SQLite database with a table for each entity and foreign keys between them.
  case sqlite
  /// One dump for PostgreSQL's psql: tables with types, keys, checks, and comments, and their rows.
  case postgresql

  /// Whether the format has dialects.
  public var isJSON: Bool { self == .json || self == .ndjson }

  /// Returns the name of an entity's file.
  func fileName(of entity: FixtureEntity) -> String {
    switch self {
    case .json: "\(entity.rawValue).json"
    case .ndjson: "\(entity.rawValue).ndjson"
    case .protoBinary: "\(entity.rawValue).binpb"
    case .csv: "\(entity.rawValue).csv"
    case .sqlite: Self.databaseName
    case .postgresql: Self.dumpName
    }
  }

  /// Returns the name of an entity's file in a shard. The rows of a dump are not in one piece.
  func fileName(of entity: FixtureEntity, isShard: Bool) -> String {
    isShard && self == .postgresql ? "\(entity.rawValue).copy" : fileName(of: entity)
  }

  static let databaseName = "fixtures.sqlite"
  static let dumpName = "fixtures.sql"
  static let schemaName = "fixtures.proto"
}

/// A JSON dialect that gateways are known to send.
public enum FixtureDialect: String, Sendable, Hashable, CaseIterable {
  /// The contract's format: names of `Proto/` (lowerCamelCase for somethings and announcements), 64-bit integers as
  /// numbers, default values included.
  case wire
  /// Canonical proto3 JSON: lowerCamelCase, 64-bit integers as strings, default values included.
  case canonical
  /// Like ``wire``, but with lowerCamelCase everywhere.
  case camel
  /// Like ``wire``, but without default values.
  case defaultsOmitted = "defaults-omitted"
  /// Like ``wire``, but with times as `yyyy-MM-dd HH:mm:ss` in UTC.
  case legacyTimes = "legacy-times"

  /// Returns the encoding options of the dialect.
  public func options(for entity: FixtureEntity) -> ProtoJSONOptions {
    switch self {
    case .wire: ProtoJSONOptions(names: entity.wireNames)
    case .canonical: ProtoJSONOptions(names: .lowerCamelCase, writesInt64AsString: true)
    case .camel: ProtoJSONOptions(names: .lowerCamelCase)
    case .defaultsOmitted: ProtoJSONOptions(names: entity.wireNames, includesDefaults: false)
    case .legacyTimes: ProtoJSONOptions(names: entity.wireNames, writesLegacyTimes: true)
    }
  }
}

extension FixtureEntity {
  /// The style of field names; two services use lowerCamelCase.
  fileprivate var wireNames: JSONNameStyle { self == .somethings || self == .announcements ? .lowerCamelCase : .proto }
}

/// A kind of value in a world, with its own files.
public enum FixtureEntity: String, Sendable, Hashable, CaseIterable, Comparable {
  case users, settings, accounts, follows, blocks, mutes, posts, likes, comments, shares, bookmarks, videos, uploads,
    reels, somethings, announcements, feeds

  /// Orders entities as their files.
  public static func < (left: Self, right: Self) -> Bool { left.place < right.place }

  private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
