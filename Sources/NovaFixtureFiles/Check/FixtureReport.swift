/// What a check of a directory found.
public struct FixtureReport: Sendable, Hashable {
  /// Something that is not as it should be.
  public struct Problem: Sendable, Hashable, CustomStringConvertible {
    /// The file, as a path in the directory.
    public let file: String
    /// The line, counted from 1; nil for the file as a whole.
    public let line: Int?
    /// What it is, and what was expected.
    public let text: String

    /// `users.ndjson:12: username is "x"; expected …`
    public var description: String { "\(file):\(line.map { "\($0):" } ?? "") \(text)" }
  }

  /// What the directory says that it holds.
  public let manifest: FixtureManifest
  /// What is wrong; of each file the first ten.
  public internal(set) var problems: [Problem] = []
  /// How many records were read back.
  public internal(set) var recordsRead = 0

  init(_ manifest: FixtureManifest) { self.manifest = manifest }
}
