public import NovaFixtures

/// What a directory of fixtures holds: `manifest.json` in it.
///
/// It depends on the options alone, not on the machine, the time or the version of the SDK.
public struct FixtureManifest: Sendable, Hashable {
  /// A file of the set.
  public struct File: Sendable, Hashable {
    /// The path in the directory, with slashes.
    public let name: String
    /// What is in it.
    public let format: String
    /// Whose records are in it; nil for schemas and databases.
    public let entity: FixtureEntity?
    /// How many records are in it.
    public let records: Int
    /// Its size.
    public let bytes: Int
    /// Its SHA-256 in lower-case hexadecimal digits.
    public let sha256: String

    /// - Parameter format: a ``FixtureFormat``'s name, or another for what is no table of entities.
    package init(name: String, format: String, entity: FixtureEntity?, records: Int, bytes: Int, sha256: String) {
      self.name = name
      self.format = format
      self.entity = entity
      self.records = records
      self.bytes = bytes
      self.sha256 = sha256
    }

    /// Whether the file in a directory is the one that was written.
    func isUnchanged(in directory: String) throws(FixtureError) -> Bool {
      try FixtureDigest.ofFile("\(directory)/\(name)").sha256 == sha256
    }
  }

  /// The file's own name.
  public static let fileName = "manifest.json"

  /// What decided every value.
  public let seed: Seed
  /// How much there is of everything.
  public let size: World.Size
  /// The formats.
  public let formats: [FixtureFormat]
  /// How JSON stands in the files.
  public let dialect: FixtureDialect
  /// What was written.
  public let entities: [FixtureEntity]
  /// The files, in the order in which they were written.
  public let files: [File]

  init(_ options: FixtureOptions, files: [File]) {
    seed = options.seed
    size = options.size
    formats = options.formats
    dialect = options.dialect
    entities = options.entities
    self.files = files
  }

  /// How many records there are in all files.
  public var recordCount: Int { files.reduce(0) { $0 + $1.records } }
  /// The size of all files, the manifest itself left out.
  public var byteCount: Int { files.reduce(0) { $0 + $1.bytes } }
}
