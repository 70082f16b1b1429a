import ArgumentParser
import NovaFixtureFiles
import NovaFixtures
import NovaMockWorlds

/// Parses the options of fixtures.
enum FixtureArgument {
  static func password(_ text: String) throws -> WorldPassword {
    do { return try WorldPassword(text) } catch { throw ValidationError("\(error)") }
  }

  static func seed(_ text: String) throws -> Seed {
    do throws(SeedError) {
      return try Seed(parsing: text)
    } catch {
      throw ValidationError("\(error)")
    }
  }

  /// One name.
  static func name<Name: CaseIterable & RawRepresentable<String>>(_ text: String) throws -> Name {
    if let name = Name(rawValue: text) { return name }
    let names = Name.allCases.map(\.rawValue)
    let all = "Expected one of \(names.joined(separator: ", "))."
    throw ValidationError("\(Suggestions.sentence(for: text, among: names, otherwise: all))")
  }

  /// Names separated by commas: `users,posts`.
  static func names<Name: CaseIterable & RawRepresentable<String>>(_ text: String) throws -> [Name] {
    try text.split(separator: ",", omittingEmptySubsequences: false).map { try name(String($0)) }
  }
}

/// The size of a set.
struct FixtureSizeOptions: ParsableArguments {
  @Option(help: .value("count", "Number of users, 1 to 100000000."))
  var users = 1000

  @Option(
    help: .value(
      "factor", "Multiply the default follows and posts by this factor, 1 to 33, instead of --follows and --posts."))
  var scale: Int?

  @Option(help: .value("count", "Average number of users that a user follows. Default: 10."))
  var follows: Int?

  @Option(help: .value("count", "Average number of posts of a user. Default: 3."))
  var posts: Int?

  @Option(help: .value("count", "Average number of likes of a post. Default: 5."))
  var likes: Int?

  @Option(help: .value("count", "Average number of comments of a post. Default: 2."))
  var comments: Int?

  func validate() throws {
    let given = [("--follows", follows), ("--posts", posts)]
    if scale != nil, let other = given.first(where: { $0.1 != nil })?.0 {
      throw ValidationError("--scale and \(other) cannot be combined: both set the number")
    }
    if let scale, !(1...33).contains(scale) { throw ValidationError("invalid --scale: must be 1 to 33, got \(scale)") }
  }

  var size: World.Size {
    let usual = World.Size(users: users)
    let factor = scale ?? 1
    return World.Size(
      users: users, followsPerUser: follows ?? usual.followsPerUser * factor,
      postsPerUser: posts ?? usual.postsPerUser * factor,
      // The number of posts grows already, and each has its likes and comments.
      likesPerPost: likes ?? usual.likesPerPost, commentsPerPost: comments ?? usual.commentsPerPost)
  }
}
