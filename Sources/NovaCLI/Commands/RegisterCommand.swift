import ArgumentParser
import NovaCore
import NovaSDK

struct Register: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make an account.",
    usage: "nova register <e-mail> <username> [--password-stdin] [<options>]",
    discussion: """
      nova register ada@example.com ada
      nova register ada@example.com ada --password-stdin < password.txt

      The password is asked for on the terminal and not shown. It is never an argument: every user of this machine can \
      read other programs' arguments, and shells keep them. The session that the server opens is not shown either.
      """)

  @Argument(help: ArgumentHelp("The e-mail address.", valueName: "e-mail")) var email: String
  @Argument(help: ArgumentHelp("3 to 32 letters, digits and _.", valueName: "username")) var username: String
  @Flag(help: "Read the password from standard input.") var passwordStdin = false
  @OptionGroup var format: RecordOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let shape = try format.shape(RegisterResponse.self)
    let shown = try RecordShape(shape.descriptor, columns: ["user_id"], picked: format.fields, id: "user_id")
    let password = try passwordStdin ? Password.fromStandardInput() : Password.asked()
    let request = RegisterRequest(email: email, username: username, password: password)
    try await CommandContext.run(connection, sending: request) { context in
      let response = try await context.auth.registered(request).value
      try context.show(response, shown, format.output)
      if format.output == .table { Diagnostics.note(next(response)) }
    }
  }

  private func next(_ response: RegisterResponse) -> String {
    guard !response.token.isEmpty else {
      return "\(username) is registered; confirm the account by the e-mail to \(email) before signing in"
    }
    return "\(username) is registered; sign in with `nova login \(email)`"
  }
}
