import NovaCore
import NovaSDK

/// Where `nova` keeps who is signed in: a file for each gateway, so that one can be signed in at several.
enum SessionFile {
  /// The store for the gateway that these settings lead to.
  ///
  /// - Parameter line: the status line for waits while another program uses the store.
  /// - Throws: ``Failure`` when nothing says where to keep it, or the key is none.
  static func store(_ configuration: APIConfiguration, line: StatusLine? = nil) throws -> FileSessionStore {
    let key: SessionKey?
    do {
      key = try variable(ConfigurationVariable.sessionKey).map { try SessionKey($0) }
    } catch let error as SessionStoreError {
      throw Failure("\(ConfigurationVariable.sessionKey): \(error.message)", .failed)
    }
    return FileSessionStore(path: try path(configuration), key: key) {
      guard let line else { return {} }
      let wait = line.begin("another program that uses the session")
      return { line.end(wait) }
    }
  }

  /// Whether somebody may be signed in there; looks for the file and no further.
  static func exists(_ configuration: APIConfiguration) -> Bool {
    (try? path(configuration)).map(System.fileExists) ?? false
  }

  private static func path(_ configuration: APIConfiguration) throws -> String {
    if let path = variable(ConfigurationVariable.sessionFile) { return path }
    let name = configuration.usesMockData ? "mock" : fileName(configuration.baseURL(for: "auth"))
    let hint = "Name a file in \(ConfigurationVariable.sessionFile)."
    return "\(try UserDirectory.path(for: "sessions", hint: hint))/sessions/\(name)"
  }

  /// `https-api.nova.social`, `http-localhost-8080`: letters, digits, dots and hyphens of the origin.
  private static func fileName(_ url: String) -> String {
    let origin = url.split(separator: "/", omittingEmptySubsequences: true).prefix(2).joined(separator: "-")
    let name = origin.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "-" }
    return String(name).replacingRuns(of: "-")
  }

  private static func variable(_ name: String) -> String? {
    System.variable(name).flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension String {
  /// The text with one in the place of several in a row.
  fileprivate func replacingRuns(of character: Character) -> String {
    reduce(into: "") { if $1 != character || $0.last != character { $0.append($1) } }
  }
}

extension Failure {
  /// A sign-in that was refused, for the person who tried.
  init(_ error: AuthError) {
    switch error.reason {
    case AuthError.invalidEmail, AuthError.invalidUsername, AuthError.weakPassword:
      self.init(error.message, .badData)
    case AuthError.emailTaken, AuthError.usernameTaken, AuthError.emailOrUsernameTaken:
      self.init(error.message, .failed)
    default: self.init(error.message, .notAllowed)
    }
  }

  /// A session that cannot be kept or read.
  init(_ error: SessionStoreError) { self.init("the session: \(error)", .failed) }
}
