import ArgumentParser
import NovaSDK

struct Login: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "login", abstract: "Sign in. Later commands use the session.",
    usage: "nova login <e-mail> [--password-stdin] [<options>]",
    discussion: """
      nova login bruce@nova.social --mock
      nova login ada@example.com --password-stdin < password.txt

      The password is read from the terminal without showing it. It is never an argument: every user of this machine can \
      read the arguments of programs, and shells store them.

      Sessions are stored encrypted, one for each gateway or context, in ~/.config/nova/sessions or in the file named \
      by NOVA_SESSION_FILE, which all contexts then share. The key is NOVA_SESSION_KEY, or is stored in a file next \
      to the session. NOVA_TOKEN takes precedence over a session.
      """)

  @Argument(help: .value("e-mail", "The e-mail address.")) var email: String
  @Flag(help: "Read the password from standard input.") var passwordStdin = false
  @OptionGroup var options: RecordOptions

  func run() async throws {
    let shape = try options.shape(User.self)
    let password = try passwordStdin ? Password.fromStandardInput() : Password.askedOnce()
    if password.isEmpty { throw Failure("invalid password: must not be empty", .badData) }
    let request = LoginRequest(email: email, password: password)
    try await CommandContext.run(options, as: .session, sending: request) { context in
      let sessions = try context.nova.sessions
      let session = try await signIn(sessions, password: password)
      SessionFile.forgetEnd(context.configuration)
      try context.show(session.user, in: shape)
      guard options.format == .table else { return }
      let name = session.user.username.isEmpty ? session.user.email : session.user.username
      Diagnostics.note(
        "signed in as \(name) at \(context.place); sign out with `\(context.configuration.signOutCommand)`")
      if context.configuration.token != nil {
        Diagnostics.warning("a token is also set (NOVA_TOKEN or NOVA_TOKEN_FILE) and takes precedence")
      }
    }
  }

  private func signIn(_ sessions: SessionManager, password: String) async throws -> Session {
    do {
      return try await sessions.signIn(email: email, password: password)
    } catch let error as SessionStoreError {
      throw Failure("not signed in: the session could not be saved: \(error)", .sessionNotSaved)
    }
  }
}

struct Logout: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "logout", abstract: "Sign out.", usage: "nova logout [<options>]",
    discussion: "Removes the session from this machine, and ends it on the server. Succeeds if nobody is signed in.")

  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    // The server's answers to this user are forgotten.
    try await CommandContext.run(connection, as: .session, storing: .ifPresent) { context in
      let sessions = try context.nova.sessions
      let wasSignedIn = try await SessionFile.isSignedIn(context.configuration)
      SessionFile.forgetEnd(context.configuration)
      do {
        try await sessions.signOut()
      } catch let error as APIError where !SessionFile.exists(context.configuration) {
        throw Failure(
          "signed out here, but not at the server: \(error)",
          hint: "The tokens stay valid until they expire.", .of(error))
      }
      Diagnostics.confirmation("\(wasSignedIn ? "signed out" : "not signed in") at \(context.place)")
    }
  }
}

struct WhoAmI: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "whoami", abstract: "Show who is signed in.", usage: "nova whoami [<options>]",
    discussion: """
      With a token in NOVA_TOKEN, asks the server for its owner. Without a token, reads the session, and refreshes it \
      if it has expired.
      """)

  @OptionGroup var options: RecordOptions

  func run() async throws {
    let shape = try options.shape(User.self)
    try await CommandContext.run(options) { context in
      guard let user = try await context.signedInUser() else { throw context.notSignedIn }
      try context.show(user, in: shape)
    }
  }
}

struct Register: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "register", abstract: "Create an account.",
    usage: "nova register <e-mail> <username> [--password-stdin] [<options>]",
    discussion: """
      nova register ada@example.com ada
      nova register ada@example.com ada --password-stdin < password.txt

      The password is read from the terminal without showing it. It is never an argument: every user of this machine can \
      read the arguments of programs, and shells store them. The session that the server opens is not shown either.
      """)

  @Argument(help: .value("e-mail", "The e-mail address.")) var email: String
  @Argument(help: .value("username", "3 to 32 letters, digits, and _.")) var username: String
  @Flag(help: "Read the password from standard input.") var passwordStdin = false
  @OptionGroup var options: RecordOptions

  func run() async throws {
    let shape = try options.shape(RegisterResponse.descriptor, columns: ["user_id"], id: "user_id")
    let password = try passwordStdin ? Password.fromStandardInput() : Password.asked()
    let request = RegisterRequest(email: email, username: username, password: password)
    try await CommandContext.run(options, sending: request) { context in
      let response = try await context.auth.registered(request).value
      try context.show(response, in: shape)
      if options.format == .table { Diagnostics.note(nextStep(after: response, context.configuration)) }
    }
  }

  private func nextStep(after response: RegisterResponse, _ configuration: APIConfiguration) -> String {
    guard !response.token.isEmpty else {
      return "\(username) is registered; confirm the account with the link sent to \(email), then sign in"
    }
    return "\(username) is registered; sign in with `\(configuration.signInCommand(email))`"
  }
}
