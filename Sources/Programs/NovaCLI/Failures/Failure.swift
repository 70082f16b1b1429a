import NovaLibc
import NovaSDK

/// Why a command failed, for the user.
struct Failure: Error {
  /// What happened.
  let message: String
  /// What to do next.
  let hint: String?
  let status: ExitStatus
  /// Whether what the command has read or changed could not be written.
  var isOfOutput = false

  init(_ message: String, hint: String? = nil, _ status: ExitStatus) {
    self.message = message
    self.hint = hint
    self.status = status
  }

  /// Creates a failure for invalid JSON: `file:line:column: path: expected …, found …`.
  init(_ error: ProtoJSONError, in name: String?) {
    let place = "\(name.map { "\($0):" } ?? "")\(error.line):\(error.column)"
    let path = error.path.isEmpty ? "" : "\(error.path): "
    guard let field = error.unknownField else {
      self.init("\(place): \(path)expected \(error.expected), found \(error.found)", .badData)
      return
    }
    let names = field.message.fields.map(\.name)
    let known =
      names.isEmpty ? "\(field.message.shortName) has no fields." : "Fields: \(names.joined(separator: ", "))."
    self.init(
      "\(place): \(path)unknown field\(Suggestions.question(for: field.name, among: names))",
      hint: "\(known) Ignore unknown fields with --allow-unknown-fields.", .badData)
  }

  /// Creates a failure for a file that cannot be written.
  init(writing path: String, _ error: SystemError) {
    let hint: String? =
      switch error.code {
      case ENOENT: "Create its directory, or name another place."
      case ELOOP: "Symbolic links are not followed here; name another place."
      case EISDIR, ENOTDIR, EACCES, EROFS, SystemError.notRegularFile.code: "Name another place."
      case ENOSPC, EDQUOT: "Free space, or name another place."
      default: nil
      }
    self.init("cannot write \(path.printable(to: 200)): \(error.reason)", hint: hint, .failed)
  }

  /// Creates a failure for an invalid setting.
  init(_ error: ConfigurationError) {
    guard error.source == .code else {
      self.init("\(error)", hint: "See `nova config show --help` for the sources of settings.", .of(error.source))
      return
    }
    let flag = ConnectionOptions.flag(of: error.key)
    self.init("invalid \(flag ?? error.key) \(error.value): expected \(error.expected)", .usage)
  }
}

extension Failure {
  /// Creates a failure for a call that failed.
  ///
  /// - Parameters:
  ///   - baseURL: the gateway's URL.
  ///   - signIn: what to do if the token is refused.
  init(_ error: APIError, baseURL: HTTPURL, signIn: String = "Sign in with `nova login <e-mail>`.") {
    let advice = [Self.hint(error, baseURL, signIn: signIn), Self.noticeOfEffect(error)].compactMap(\.self)
    self.init(
      Self.sentence(error, baseURL), hint: advice.isEmpty ? nil : advice.joined(separator: "\n"), .of(error))
  }

  /// What failed, why, and in brackets what helps to find the call again: `not found: post "42" (content.GetPost, …)`.
  ///
  /// The reason is the server's if it gave one, so that a failure reads the same wherever it was found.
  static func sentence(_ error: APIError, _ baseURL: HTTPURL? = nil) -> String {
    let details = ([error.rpc].compactMap(\.self) + error.details).joined(separator: ", ")
    return "\(text(error, baseURL).sentence)\(details.isEmpty ? "" : " (\(details))")"
  }

  private static func text(_ error: APIError, _ baseURL: HTTPURL?) -> ErrorText {
    var text = error.text
    if let reason = error.server?.message, !reason.isEmpty {
      // Servers repeat what failed.
      let title = "\(text.subject): "
      text.reason = (reason.hasPrefix(title) ? String(reason.dropFirst(title.count)) : reason).printable(to: 300)
    } else if error.isFromAnotherServer, let content = error.foreignContent, let place = baseURL?.origin.place {
      text.reason = "\(place) answered with \(content)"
    } else if error.code == .invalidArgument, error.httpStatus == nil, error.transport == nil {
      // With the field as `Proto/` and requests name it: `user_id` for `userId`.
      if let field = error.invalidField { text.subject = "\(field.name) \(field.problem)" }
      return text.asReason(of: "invalid argument")
    }
    return text
  }

  /// What to do if a server accepted a request and sends nothing. `--timeout` does not limit its silence.
  static let silentServer = """
    The server was silent for too long. Try again later, or allow more with limits.idle_timeout_seconds in the \
    configuration.
    """

  private static func hint(_ error: APIError, _ baseURL: HTTPURL, signIn: String) -> String? {
    switch error.code {
    case .unauthorized: signIn
    // A proxy or a network that wants a sign-in. The message has the advice.
    case .networkError where error.httpStatus != nil: nil
    case _ where error.isFromAnotherServer: "Check --base-url, --environment and the context."
    case .networkError where error.transport?.kind == .connectionRefused && baseURL.origin.isLoopback:
      """
      Nothing listens there. Start the mock backend with `nova serve` in another terminal, use a mock backend in memory \
      with --mock, or specify the gateway with --environment or --base-url.
      """
    case .networkError where error.transport?.kind == .nameResolution:
      "Check --environment, --base-url and NOVA_BASE_URL, and whether this machine is online."
    case .networkError where error.transport?.kind == .tls:
      // Never without TLS: that would be advice to send the token without encryption.
      """
      Check the address and the port. If the certificate is signed by an authority of your own, set NOVA_CA_FILE, or \
      ca_file in the configuration, to the authority's certificate in PEM form.
      """
    case .unconfirmed: hint(error.unconfirmedRecord, error.rpc)
    case .notFound where error.rpc == UserRPC.getUserProfile.descriptor.id:
      "Find users by name with `nova search <query>`."
    case .timeout where error.transport?.kind == .connectTimeout:
      "Check --environment and --base-url, and whether the gateway runs."
    case .timeout where error.transport?.kind == .idleTimeout: silentServer
    // The limit of a proxy, of which the option is not aware.
    case .timeout where error.httpStatus != nil && error.grpcStatus == nil:
      "The gateway, or a proxy in front of it, waited for too long. Try again later."
    case .timeout: "Allow more time with --timeout, for example --timeout 60s."
    case .unimplemented where baseURL.origin.isLoopback: "List the RPCs of the contract with `nova call --list`."
    default: nil
    }
  }

  /// Services whose commands continue or repeat what they do by themselves.
  private static let servicesWithoutNotice: Set = ["auth", "media", "analytics"]

  /// What to know before a change is repeated that may have taken effect although its call failed; nil for other failures.
  private static func noticeOfEffect(_ error: APIError) -> String? {
    guard error.mayHaveTakenEffect, let rpc = error.rpc.flatMap(RPCRegistry.nova.rpc(named:)),
      !servicesWithoutNotice.contains(rpc.service)
    else { return nil }
    return switch rpc.effect {
    case .noSideEffects: nil
    case .idempotent: "The change may have taken effect. Running the command again does no harm."
    case .notIdempotent: "The change may have taken effect: check before you run the command again."
    }
  }

  /// The advice for a record that exists, but differs from what was sent.
  private static func hint(_ record: UnconfirmedRecord?, _ name: String?) -> String? {
    guard let record else { return nil }
    let id = record.id.map { " Its id is \($0.printable(to: 80))." } ?? ""
    var hint = "The record exists: running the command again may create another one.\(id)"
    guard let rpc = name.flatMap(RPCRegistry.nova.rpc(named:)) else { return hint }
    let fields = record.fields.compactMap { rpc.requestType.descriptor.field(named: $0) }
    if rpc.http.names == .lowerCamelCase, fields.contains(where: { $0.name != $0.jsonName }) {
      hint += """
        \nThe service may expect other field names: set NOVA_\(rpc.service.uppercased())_REQUEST_NAMES=snake_case, \
        or services.\(rpc.service).request_names in APIConfig.json.
        """
    }
    return hint
  }

}

extension Failure {
  /// Creates a failure for a refused sign-in or registration.
  init(_ error: AuthError) {
    switch error.reason {
    case AuthError.invalidEmail, AuthError.invalidUsername, AuthError.weakPassword:
      self.init(Self.text(error), .badData)
    case AuthError.emailTaken, AuthError.usernameTaken, AuthError.emailOrUsernameTaken:
      self.init(Self.text(error), .failed)
    default: self.init(Self.text(error), .notAllowed)
    }
  }

  /// The error's sentences are for apps; this has the form of the other failures.
  private static func text(_ error: AuthError) -> String {
    switch error.reason {
    case AuthError.invalidEmail: "invalid e-mail address: must look like name@example.com"
    case AuthError.weakPassword: "invalid password: must have at least 8 characters, and at most 1,024 bytes"
    case AuthError.invalidUsername:
      "invalid username: must have 3 to 32 characters: letters of A-Z, digits and underscores"
    case AuthError.wrongCredentials: "cannot sign in: the e-mail address or the password is wrong"
    case AuthError.accountLocked:
      "cannot sign in: the account is locked after too many wrong passwords; reset the password or ask support"
    case AuthError.emailTaken:
      "cannot register: an account with this e-mail address already exists; sign in, or reset the password"
    case AuthError.usernameTaken: "cannot register: the username is taken; choose another one"
    case AuthError.emailOrUsernameTaken:
      "cannot register: the e-mail address or the username is taken; sign in, or choose another username"
    case AuthError.confirmationPending:
      "cannot sign in: the e-mail address is not confirmed yet; open the link in the e-mail first"
    default: "cannot sign in: \(error.message)"
    }
  }

  /// Creates a failure for a session that cannot be stored or read.
  init(_ error: SessionStoreError) { self.init("session: \(error)", .failed) }
}
