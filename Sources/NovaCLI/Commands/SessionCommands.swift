import ArgumentParser
import NovaCore
import NovaSDK

struct Login: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Sign in; every command that follows is then signed in.",
    usage: "nova login <e-mail> [--password-stdin] [<options>]",
    discussion: """
      nova login bruce@nova.social --mock
      nova login ada@example.com --password-stdin < password.txt

      The password is asked for on the terminal and not shown. It is never an argument: every user of this machine can \
      read other programs' arguments, and shells keep them.

      The session is kept encrypted, one for each gateway, in ~/.config/nova/sessions or the file that NOVA_SESSION_FILE \
      names. Its key is in NOVA_SESSION_KEY, or else beside the session. NOVA_TOKEN beats a session.
      """)

  @Argument(help: ArgumentHelp("The e-mail address.", valueName: "e-mail")) var email: String
  @Flag(help: "Read the password from standard input.") var passwordStdin = false
  @OptionGroup var format: RecordOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let shape = try format.shape(User.self)
    let password = try passwordStdin ? Password.fromStandardInput() : Password.askedOnce()
    let request = LoginRequest(email: email, password: password)
    try await CommandContext.run(connection, as: .session, sending: request) { context in
      let sessions = try context.nova.sessions
      let session = try await Self.signIn(sessions, email, password)
      try context.show(session.user, shape, format.output)
      guard format.output == .table else { return }
      let name = session.user.username.isEmpty ? session.user.email : session.user.username
      Diagnostics.note("signed in as \(name) at \(context.place); `nova logout` ends it")
      if context.configuration.token != nil {
        Diagnostics.warning("a token is set as well (NOVA_TOKEN or NOVA_TOKEN_FILE), and commands use that")
      }
    }
  }

  private static func signIn(_ sessions: SessionManager, _ email: String, _ password: String) async throws -> Session {
    do {
      return try await sessions.signIn(email: email, password: password)
    } catch let error as SessionStoreError {
      throw Failure("not signed in: the session could not be saved: \(error)", .sessionNotSaved)
    }
  }
}

struct Logout: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Sign out.",
    discussion: "Removes the session from this machine and ends it at the server. Nobody signed in is no failure.")

  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    try await CommandContext.run(connection, as: .session) { context in
      let sessions = try context.nova.sessions
      let wasSignedIn = SessionFile.exists(context.configuration)
      do {
        try await sessions.signOut()
      } catch let error as APIError where !SessionFile.exists(context.configuration) {
        throw Failure(
          "signed out here, but the server could not be told: \(error)",
          hint: "Whoever has a copy of the tokens can use them until they expire.", .of(error))
      }
      Diagnostics.note(wasSignedIn ? "signed out" : "nobody was signed in")
    }
  }
}

struct WhoAmI: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "whoami", abstract: "Show who is signed in.",
    discussion: """
      With a token in NOVA_TOKEN the server is asked whose it is; a session knows, and is refreshed if it has expired.
      """)

  @OptionGroup var format: RecordOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let shape = try format.shape(User.self)
    try await CommandContext.run(connection) { context in
      let user: User
      if let token = context.configuration.token {
        user = try await owner(of: token, context)
      } else {
        guard let session = try await (try? context.nova.sessions)?.session() else { throw Self.nobody(context) }
        user = session.user
      }
      try context.show(user, shape, format.output)
    }
  }

  private func owner(of token: AccessToken, _ context: CommandContext) async throws -> User {
    let answer = try await context.auth.verifyToken(token: token.secretValue)
    guard answer.isValid, !answer.isRevoked else {
      throw Failure(
        "the token that is set has expired or is none of this server's",
        hint: "Put another one into NOVA_TOKEN, or clear it and sign in with `nova login <e-mail>`.", .notAllowed)
    }
    return User(id: answer.userId, email: answer.email, username: answer.username, isActive: true)
  }

  private static func nobody(_ context: CommandContext) -> Failure {
    Failure("nobody is signed in at \(context.place)", hint: "Sign in with `nova login <e-mail>`.", .notAllowed)
  }
}
