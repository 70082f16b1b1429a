import NovaCore
import NovaSDK

/// The aliases of a user: names for command lines.
struct SavedAliases: Equatable {
  /// The command lines by name, in the order of the names.
  private(set) var all: [(name: String, line: String)] = []

  static func == (left: SavedAliases, right: SavedAliases) -> Bool {
    left.all.elementsEqual(right.all) { $0.name == $1.name && $0.line.hasSameBytes(as: $1.line) }
  }

  var names: [String] { all.map(\.name) }

  subscript(name: String) -> String? { all.first { $0.name == name }?.line }

  mutating func set(_ name: String, to line: String) {
    all = (all.filter { $0.name != name } + [(name, line)]).sorted { $0.name < $1.name }
  }

  /// - Returns: whether there was one.
  mutating func remove(_ name: String) -> Bool {
    let count = all.count
    all.removeAll { $0.name == name }
    return all.count < count
  }

  /// Whether an alias, or a program after `nova-`, can have the name.
  static func isName(_ name: String) -> Bool {
    name.consists(of: .aliasName, count: 1...40) && name.first.map { $0.isLetter || $0.isNumber } == true
  }

  static let nameExpectation = "1 to 40 letters, digits, hyphens, and underscores, with a letter or digit first"

  // MARK: As JSON

  private static let version = "1"

  /// Whether a newer version of nova writes this version of the format.
  static func isNewer(_ version: Int) -> Bool { Int(Self.version).map { version > $0 } ?? false }

  var json: JSONValue {
    .members(
      ("version", .number(Self.version)),
      ("aliases", .object(all.map { .init(name: $0.name, value: .string($0.line)) })))
  }

  /// Reads the content of a file; nil for anything that ``json`` has not written.
  init?(_ json: JSONValue) {
    guard json["version"] == .number(Self.version), let aliases = json["aliases"]?.memberList else { return nil }
    for alias in aliases {
      guard Self.isName(alias.name), let line = alias.value.stringValue else { return nil }
      set(alias.name, to: line)
    }
  }

  init() {}
}

/// The file with the aliases of a user: `~/.config/nova/aliases.json`. It decides what commands do, so it must be as private
/// as a session.
struct AliasStore {
  let path: String
  private let files = PrivateFiles()

  static func ofUser() throws -> AliasStore {
    AliasStore(path: "\(try UserDirectory.path(for: "aliases"))/aliases.json")
  }

  /// - Throws: ``Failure`` for a file that cannot be used.
  func read() throws -> SavedAliases {
    guard System.mayExist(path) else { return SavedAliases() }
    let bytes = try Failure.explaining("cannot read the aliases") { try files.read(path, limit: 1 << 20) }
    guard let bytes else { return SavedAliases() }
    if let json = try? JSONValue(jsonUTF8: bytes), let aliases = SavedAliases(json) { return aliases }
    let version = (try? JSONValue(jsonUTF8: bytes))?["version"]?.integerValue
    if let version, SavedAliases.isNewer(version) {
      throw Failure(
        "cannot read the aliases: \(path.displayed) has version \(version), which a newer version of nova has written",
        hint: "Update nova, or move the file away and add the aliases again.", .badData)
    }
    throw Failure(
      "cannot read the aliases: \(path.displayed) is damaged",
      hint: "Correct the file, or move it away and add the aliases again.", .badData)
  }

  /// Changes the aliases. Other programs that change them at the same time wait.
  func change<Result: Sendable>(_ body: @Sendable (inout SavedAliases) throws -> Result) async throws -> Result {
    do {
      return try await SessionLock(path: "\(path).lock", timeout: .seconds(10)).withLock {
        var aliases = try read()
        let before = aliases
        let result = try body(&aliases)
        if aliases != before { try files.replace(path, with: PrettyJSON.spread(aliases.json) + [UInt8(ascii: "\n")]) }
        return result
      }
    } catch let error as SessionStoreError {
      throw Failure("cannot save the aliases: \(error)", .failed)
    }
  }
}

extension ASCIISet {
  fileprivate static let aliasName = alphanumerics + ASCIISet("-_")
}
