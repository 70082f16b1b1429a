import NovaCore

/// Merges the shards of a set: the result has the same bytes as a set that one process writes.
///
/// ```swift
/// for index in 1...4 {
///   let shard = FixtureShard(try WorkShard(index: index, count: 4))
///   try FixtureSet(options, shard: shard).write(to: "shards/\(index)")
/// }
/// try FixtureMerge.run((1...4).map { "shards/\($0)" }, to: "fixtures")
/// ```
public enum FixtureMerge {
  /// Merges directories into one. Memory use does not depend on the size.
  ///
  /// - Parameters:
  ///   - paths: the directories of all shards, in any order, or a directory that has them. They are not changed.
  ///   - path: the directory to write: a new path, an empty directory, or an unchanged set of fixtures, apart from the
  ///     shards.
  ///   - force: whether any other directory is replaced, except one with shards. Default: false.
  ///   - progress: called periodically from the calling thread.
  /// - Returns: the manifest of the complete set.
  /// - Throws: ``FixtureError``: `unreadable` for a directory that is not a shard, shards of different sets, a missing or
  ///   repeated shard, and a file that was changed since it was written; `refused` for a target that cannot be replaced.
  ///   The target is unchanged then.
  @discardableResult
  public static func run(
    _ paths: [String], to path: String, force: Bool = false, progress: @escaping (FixtureProgress) -> Void = { _ in }
  ) throws(FixtureError) -> FixtureManifest {
    let shards = try FixtureShards(paths)
    // First, because force would not help.
    try shards.requireApart(from: path)
    return try run(shards, into: OutputDirectory(for: path, force: force), progress: progress)
  }

  /// Merges directories into one created before. Each directory takes one set.
  ///
  /// - Throws: ``FixtureError``; the target is unchanged then.
  @discardableResult
  public static func run(
    _ paths: [String], into directory: OutputDirectory, progress: @escaping (FixtureProgress) -> Void = { _ in }
  ) throws(FixtureError) -> FixtureManifest {
    try directory.checkUnused()
    let shards = try FixtureShards(paths)
    try shards.requireApart(from: directory.target)
    return try run(shards, into: directory, progress: progress)
  }

  private static func run(
    _ shards: FixtureShards, into directory: OutputDirectory, progress: @escaping (FixtureProgress) -> Void
  ) throws(FixtureError) -> FixtureManifest {
    var merging = Merging(shards, directory: directory.path, report: progress)
    for format in shards.options.formats { try merging.merge(format) }
    try merging.copyExchanges()
    return try directory.publish(FixtureManifest(shards.options, files: merging.writing.files))
  }
}

/// The shards of one set, all of them, in order.
struct FixtureShards {
  let options: FixtureOptions
  let paths: [String]
  let manifests: [FixtureManifest]

  init(_ paths: [String]) throws(FixtureError) {
    var found: [(shard: WorkShard, place: String, manifest: FixtureManifest)] = []
    for path in paths.flatMap(Self.shards) {
      let manifest = try Self.manifest(of: path)
      guard let shard = manifest.shard else {
        throw .unreadable("\(path) is a complete set; pass only shards, written with --shard")
      }
      found.append((shard.part, path, manifest))
    }
    guard let first = found.first else { throw .options("no shards; expected the directories of all of them") }
    for other in found.dropFirst() {
      try Self.requireSameSet((first.place, first.manifest), (other.place, other.manifest))
    }
    if let problem = WorkShard.problem(merging: found.map { ($0.shard, $0.place) }) { throw .unreadable(problem) }
    found.sort { $0.shard.index < $1.shard.index }
    (self.paths, manifests) = (found.map(\.place), found.map(\.manifest))
    let set = first.manifest
    do throws(FixtureError) {
      options = try FixtureOptions(
        seed: set.seed, size: set.size, formats: set.formats, dialect: set.dialect, entities: set.entities,
        password: set.password)
    } catch {
      throw .unreadable("\(first.place)/\(FixtureManifest.fileName): \(error)")
    }
    guard try SchemaText(entities: options.entities).digest == set.fieldsDigest else {
      throw .unreadable(
        "cannot merge \(first.place): another version of nova wrote it, with other fields; write the shards again")
    }
  }

  private static func manifest(of path: String) throws(FixtureError) -> FixtureManifest {
    guard FileSystem.kind(path, followingLinks: true) == .directory else {
      throw .unreadable(
        "cannot merge \(path): there is no directory \(path); write the shard with nova fixtures generate --shard")
    }
    guard hasManifest(path) else {
      throw .unreadable(
        "cannot merge \(path): it has no \(FixtureManifest.fileName), and no shards in it; pass only shards that "
          + "nova fixtures generate --shard wrote")
    }
    do throws(FixtureError) { return try FixtureManifest(reading: path) } catch {
      guard case .unreadable(let problem) = error else { throw error }
      throw .unreadable("\(problem); \(adviceToWriteAgain)")
    }
  }

  private static func hasManifest(_ path: String) -> Bool {
    FileSystem.kind("\(path)/\(FixtureManifest.fileName)", followingLinks: true) == .file
  }

  /// What to do about a damaged shard, which is replaced only by force.
  static let adviceToWriteAgain = "write the shard again, with --force"

  /// The sets in a directory that is no set itself; otherwise the directory.
  private static func shards(in path: String) -> [String] {
    guard !hasManifest(path), let names = try? FileSystem.names(in: path) else { return [path] }
    // Hidden ones are those of runs that have not ended.
    let shards = names.filter { !$0.hasPrefix(".") }.map { "\(path)/\($0)" }.filter(hasManifest)
    return shards.isEmpty ? [path] : shards
  }

  private static func requireSameSet(
    _ one: (place: String, manifest: FixtureManifest), _ other: (place: String, manifest: FixtureManifest)
  ) throws(FixtureError) {
    let (left, right) = (one.manifest, other.manifest)
    var differences = FixtureDiff.optionDifferences(left, right).filter { !$0.hasPrefix("shard: ") }
    if left.password != right.password { differences.append("different passwords") }
    if left.shard?.exchanges != right.shard?.exchanges {
      differences.append("different requests with responses (--rpc, --edge, or --export)")
    }
    if left.fieldsDigest != right.fieldsDigest { differences.append("other fields, of another version of nova") }
    guard !differences.isEmpty else { return }
    throw .unreadable(
      "\(one.place) and \(other.place) are shards of different sets: \(differences.joined(separator: "; ")); write all "
        + "shards with the same options")
  }

  /// Requires a target that is no shard, has none in it, and is in none. The shards stay, also with `force`.
  func requireApart(from path: String) throws(FixtureError) {
    let (parent, name) = OutputDirectory.split(path)
    guard let target = FileSystem.resolved(path) ?? FileSystem.resolved(parent).map({ "\($0)/\(name)" }) else { return }
    for shard in paths {
      guard let place = FileSystem.resolved(shard) else { continue }
      let relation: String? =
        if place == target { "it is one of the shards" } else if place.hasPrefix("\(target)/") {
          "the shard \(shard) is in it"
        } else if target.hasPrefix("\(place)/") { "it is in the shard \(shard)" } else { nil }
      if let relation { throw .refused("cannot merge into \(path): \(relation); choose another directory") }
    }
  }

  /// Returns the path of a file in each shard, with what the manifest says about it.
  func files(named name: String) throws(FixtureError) -> [(path: String, file: FixtureManifest.File)] {
    var found: [(path: String, file: FixtureManifest.File)] = []
    for (path, manifest) in zip(paths, manifests) {
      guard let file = manifest.files.first(where: { $0.name == name }) else {
        throw .unreadable("\(path)/\(FixtureManifest.fileName) does not list \(name), which its formats require")
      }
      found.append(("\(path)/\(name)", file))
    }
    return found
  }
}
