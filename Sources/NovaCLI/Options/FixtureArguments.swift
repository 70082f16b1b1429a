import ArgumentParser
import NovaFixtureFiles
import NovaFixtures

/// What the options of fixtures are read with: each says what it expected.
enum FixtureArgument {
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

  /// Names with commas between them: `users,posts`.
  static func names<Name: CaseIterable & RawRepresentable<String>>(_ text: String) throws -> [Name] {
    try text.split(separator: ",", omittingEmptySubsequences: false).map { try name(String($0)) }
  }
}

/// How large a set is.
struct FixtureSizeOptions: ParsableArguments {
  @Option(help: ArgumentHelp("How many users, 1 to 100000000.", valueName: "count"))
  var users = 1000

  @Option(
    help: ArgumentHelp(
      "How many times as many follows and posts as usual, 1 to 33, in place of the two below.", valueName: "factor"))
  var scale: Int?

  @Option(help: ArgumentHelp("How many others a user follows on average. Default: 10.", valueName: "count"))
  var follows: Int?

  @Option(help: ArgumentHelp("How many posts a user writes on average. Default: 3.", valueName: "count"))
  var posts: Int?

  @Option(help: ArgumentHelp("How many likes a post has on average. Default: 5.", valueName: "count"))
  var likes: Int?

  @Option(help: ArgumentHelp("How many comments a post has on average. Default: 2.", valueName: "count"))
  var comments: Int?

  func validate() throws {
    let given = [("--follows", follows), ("--posts", posts)]
    if scale != nil, let other = given.first(where: { $0.1 != nil })?.0 {
      throw ValidationError("--scale and \(other) contradict each other: both say how many there are")
    }
    if let scale, !(1...33).contains(scale) { throw ValidationError("--scale is \(scale); it must be 1 to 33") }
  }

  var size: World.Size {
    let usual = World.Size(users: users)
    let factor = scale ?? 1
    return World.Size(
      users: users, followsPerUser: follows ?? usual.followsPerUser * factor,
      postsPerUser: posts ?? usual.postsPerUser * factor,
      // Posts grow already, and each has its likes and comments.
      likesPerPost: likes ?? usual.likesPerPost, commentsPerPost: comments ?? usual.commentsPerPost)
  }
}
