import ArgumentParser
import NovaCore

/// The user for whom a command acts, or whose list it shows.
enum ActingUser: Hashable {
  case signedIn
  case user(UserID)
}

/// The option of commands that act for a user, whom their request names.
struct ActorOptions: ParsableArguments {
  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("ID of the acting user. Default: the signed-in user.", valueName: "user-id"))
  var user: UserID?

  /// The acting user: `--as`, or else the user of an argument, or else the signed-in user.
  ///
  /// - Throws: ValidationError if the argument names another user than `--as`.
  func actor(or argument: UserID? = nil) throws -> ActingUser {
    if let user, let argument, user != argument {
      throw ValidationError(
        "invalid --as: the argument names another user, \"\(argument.text.printable(to: 100))\"; remove one of them")
    }
    return (user ?? argument).map { .user($0) } ?? .signedIn
  }
}

/// A user as an argument that can be left out: `[<user-id>]`, or `--as`, or else the signed-in user.
struct UserArgument: ParsableArguments {
  @Argument(help: ArgumentHelp("ID of the user. Default: the signed-in user.", valueName: "user-id"))
  var id: UserID?

  @OptionGroup var acting: ActorOptions

  func validate() throws { _ = try actor }

  var actor: ActingUser { get throws { try acting.actor(or: id) } }
}

/// The option of commands that act for the signed-in user only, because their request names no user: the server takes
/// the account from the token.
struct AccountOptions: ParsableArguments {
  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("ID of the account that must be signed in. Default: any.", valueName: "user-id"))
  var user: UserID?
}
