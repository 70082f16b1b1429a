/// What files of fixtures are.
public enum FixtureFormat: String, Sendable, Hashable, CaseIterable {
  /// A JSON array for each entity, one element on a line.
  case json
  /// One JSON object on a line.
  case ndjson
  /// One protobuf message for each entity, all elements in its field 1; `fixtures.proto` beside it is the schema.
  case protoBinary = "proto-binary"
  /// RFC 4180 with a header row. Lists and messages inside are JSON; what is absent is empty, an empty text is `""`.
  case csv
  /// One SQLite database with a table for each entity and foreign keys between them.
  case sqlite

  /// Whether a dialect makes a difference.
  public var isJSON: Bool { self == .json || self == .ndjson }

  /// The file that holds an entity.
  func fileName(of entity: FixtureEntity) -> String {
    switch self {
    case .json: "\(entity.rawValue).json"
    case .ndjson: "\(entity.rawValue).ndjson"
    case .protoBinary: "\(entity.rawValue).binpb"
    case .csv: "\(entity.rawValue).csv"
    case .sqlite: Self.databaseName
    }
  }

  static let databaseName = "fixtures.sqlite"
  static let schemaName = "fixtures.proto"
}
