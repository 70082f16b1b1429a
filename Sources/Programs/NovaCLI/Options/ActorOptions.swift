import ArgumentParser
import NovaCore

/// The option of commands that act for a user: their request has the ID of that user.
struct ActorOptions: ParsableArguments {
  @Option(name: .customLong("as"), help: .value("user-id", "ID, or @ and name, of the acting user. Default: @me."))
  var user: UserID?

  /// The acting user: `--as`, or else the user of an argument; nil for the signed-in user.
  ///
  /// - Throws: ValidationError if the argument names another user than `--as`.
  func actor(or argument: UserID? = nil) throws -> UserID? {
    if let user, let argument, user != argument {
      throw ValidationError(
        "invalid --as: the argument names another user, \"\(argument.text.printable(to: 100))\"; remove one of them")
    }
    return user ?? argument
  }
}

/// A user as an argument that can be left out: `[<user-id>]`, or `--as`, or else the signed-in user.
struct UserArgument: ParsableArguments {
  @Argument(help: .value("user-id", "The user: \(UserReference.help) Default: @me, the signed-in user."))
  var id: UserID?

  @OptionGroup var acting: ActorOptions

  func validate() throws { _ = try actor }

  /// The user; nil for the signed-in user.
  var actor: UserID? { get throws { try acting.actor(or: id) } }
}

/// The option of commands that act only for the signed-in user: their request has no user ID, and the server takes the
/// account from the token.
struct AccountOptions: ParsableArguments {
  @Option(
    name: .customLong("as"),
    help: .value("user-id", "ID, or @ and name, of the account that must be signed in. Default: any."))
  var user: UserID?
}
