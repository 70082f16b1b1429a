public import NovaFixtures
public import NovaMockWorlds

/// The manifest of a directory of fixtures, `manifest.json`.
///
/// It depends only on the options, not on the machine, the time, or the version of the SDK.
public struct FixtureManifest: Sendable, Hashable {
  /// A file of the set.
  public struct File: Sendable, Hashable {
    /// The path in the directory, with slashes.
    public let name: String
    /// The format of the contents: the name of a ``FixtureFormat``, or another name for files without records of an
    /// entity.
    public let format: String
    /// The entity of its records; nil for schemas and databases.
    public let entity: FixtureEntity?
    /// The number of records.
    public let records: Int
    /// The size in bytes.
    public let bytes: Int
    /// The SHA-256 in lowercase hexadecimal digits.
    public let sha256: String

    /// Whether the file in a directory is unchanged.
    func isUnchanged(in directory: String) throws(FixtureError) -> Bool {
      try FixtureDigest.ofFile("\(directory)/\(name)").sha256 == sha256
    }
  }

  /// The name of the manifest's file.
  public static let fileName = "manifest.json"

  /// The seed of all values.
  public let seed: Seed
  /// The size of a world.
  public let size: World.Size
  /// The formats.
  public let formats: [FixtureFormat]
  /// The JSON dialect.
  public let dialect: FixtureDialect
  /// The entities.
  public let entities: [FixtureEntity]
  /// The password of the world's accounts in a mock backend. The file contains a key that is derived from it.
  public let password: WorldPassword
  /// The files in the order of writing.
  public let files: [File]
  /// Which part of a set the directory has; nil for a complete set.
  public let shard: FixtureShard?
  /// Identifies the fields of the records, in a shard: shards of versions with different fields cannot be merged.
  let fieldsDigest: String?

  init(_ options: FixtureOptions, files: [File], shard: FixtureShard? = nil) throws(FixtureError) {
    seed = options.seed
    size = options.size
    formats = options.formats
    dialect = options.dialect
    entities = options.entities
    password = options.password
    self.files = files
    self.shard = shard
    fieldsDigest = shard == nil ? nil : try SchemaText(entities: options.entities).digest
  }

  /// The number of records in all files.
  public var recordCount: Int { files.reduce(0) { $0 + $1.records } }
  /// The size of all files without the manifest, in bytes.
  public var byteCount: Int { files.reduce(0) { $0 + $1.bytes } }
}
