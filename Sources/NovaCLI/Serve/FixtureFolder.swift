import NovaCore
import NovaFixtureFiles
import NovaFixtures

/// A folder that `nova fixtures generate` has written: the world that it was made of.
struct FixtureFolder {
  static let manifestName = "manifest.json"
  private static let manifestLimit = 16 << 20

  /// What the folder was made of.
  let world: World

  /// Reads the manifest, and checks that the files it names are what it says. Files that are not there are not asked for:
  /// the world is computed from the seed.
  ///
  /// - Throws: ``Failure`` for what cannot be read, is no manifest, or was changed since.
  init(_ path: String) throws(Failure) {
    let manifest = try Self.manifest("\(path)/\(Self.manifestName)")
    world = try Self.world(manifest, in: path)
    for file in try Self.files(manifest, in: path) { try Self.check(file, in: path) }
  }

  private static func manifest(_ path: String) throws(Failure) -> JSONValue {
    let bytes: [UInt8]?
    do throws(SystemError) {
      bytes = try System.readFile(path, limit: manifestLimit)
    } catch {
      throw Failure(
        "cannot read \(path): \(error.reason)", hint: "`nova fixtures generate` writes folders that have one.", .failed)
    }
    guard let bytes else { throw Failure("\(path) has more than \(manifestLimit) bytes", .badData) }
    do throws(ProtoJSONError) {
      return try JSONValue(jsonUTF8: bytes)
    } catch {
      throw Failure(error, in: path)
    }
  }

  private static func world(_ manifest: JSONValue, in path: String) throws(Failure) -> World {
    func failure(_ text: String) -> Failure { Failure("\(path)/\(manifestName): \(text)", .badData) }
    guard let seed = manifest["seed"]?.stringValue else { throw failure("expected a seed, such as \"nova1:42\"") }
    func number(_ name: String) throws(Failure) -> Int {
      guard let number = manifest["size"]?[name]?.integerValue else {
        throw failure("expected a number in size.\(name)")
      }
      return number
    }
    let size = World.Size(
      users: try number("users"), followsPerUser: try number("follows_per_user"),
      postsPerUser: try number("posts_per_user"), likesPerPost: try number("likes_per_post"),
      commentsPerPost: try number("comments_per_post"))
    do {
      return try World(seed: Seed(parsing: seed), size: size)
    } catch {
      throw failure("\(error)")
    }
  }

  // MARK: Files

  private struct File {
    let name: String
    let sha256: String
  }

  private static func files(_ manifest: JSONValue, in path: String) throws(Failure) -> [File] {
    guard case .array(let files) = manifest["files"] ?? .array([]) else {
      throw Failure("\(path)/\(manifestName): expected a list in files", .badData)
    }
    var all: [File] = []
    for file in files {
      // A name that leads out of the folder is never opened.
      guard let name = file["name"]?.stringValue, let digest = file["sha256"]?.stringValue, isInside(name) else {
        throw Failure("\(path)/\(manifestName): expected the name and sha256 of each file", .badData)
      }
      all.append(File(name: name, sha256: digest))
    }
    return all
  }

  private static func isInside(_ name: String) -> Bool {
    name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { $0 != "" && $0 != "." && $0 != ".." }
  }

  private static func check(_ file: File, in folder: String) throws(Failure) {
    let path = "\(folder)/\(file.name)"
    guard System.fileExists(path) else { return }
    let digest: String
    do throws(FixtureError) {
      digest = try FixtureDigest.ofFile(path).sha256
    } catch {
      throw Failure(error.description, .failed)
    }
    guard digest == file.sha256.lowercased() else {
      throw Failure(
        "\(path) is not what \(manifestName) says: it has another SHA-256",
        hint: "It was changed since it was written; `nova fixtures generate` writes it anew.", .badData)
    }
  }
}
