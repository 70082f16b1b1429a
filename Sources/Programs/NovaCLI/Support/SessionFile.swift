import NovaSDK

/// The session files of `nova`: one for each gateway, and in each context others.
enum SessionFile {
  /// The session store for the configured gateway.
  ///
  /// - Parameter line: the status line for waits while another program uses the store.
  /// - Throws: ``Failure`` if there is no directory for it, or the key is invalid.
  static func store(_ configuration: APIConfiguration, line: StatusLine? = nil) throws -> FileSessionStore {
    let key: SessionKey?
    do {
      key = try System.variable(ConfigurationVariable.sessionKey).map { try SessionKey($0) }
    } catch let error as SessionStoreError {
      throw Failure("invalid \(ConfigurationVariable.sessionKey): \(error.message)", .usage)
    }
    return FileSessionStore(path: try path(configuration), key: key) {
      guard let line else { return {} }
      let wait = line.begin("another program that uses the session")
      return { line.end(wait) }
    }
  }

  /// Whether the session file exists. Does not read it.
  static func exists(_ configuration: APIConfiguration) -> Bool {
    (try? path(configuration)).map(System.fileExists) ?? false
  }

  /// Whether the session file holds a session for the configured gateway. A file that cannot be read may hold one.
  static func isSignedIn(_ configuration: APIConfiguration) async throws -> Bool {
    guard exists(configuration) else { return false }
    let store = try store(configuration)
    do { return try await store.load()?.origin == configuration.sessionOrigin } catch { return true }
  }

  // MARK: Ended sessions

  /// Notes that the gateway has ended the session, so that later commands report it, too: without a session, they would
  /// only miss a user.
  static func noteEnd(_ configuration: APIConfiguration) {
    guard let path = try? endMark(configuration) else { return }
    // Without the note, the next commands report that nobody is signed in.
    try? PrivateFiles().replace(path, with: [])
  }

  /// Whether the gateway has ended the session, and nobody has signed in or out since.
  static func hasEnded(_ configuration: APIConfiguration) -> Bool {
    (try? endMark(configuration)).map(System.fileExists) ?? false
  }

  /// Forgets that a session has ended, after someone has signed in or out.
  static func forgetEnd(_ configuration: APIConfiguration) {
    guard hasEnded(configuration), let path = try? endMark(configuration) else { return }
    try? PrivateFiles().remove(path)
  }

  private static let endSuffix = ".ended"

  private static func endMark(_ configuration: APIConfiguration) throws -> String {
    try path(configuration) + endSuffix
  }

  /// The directory of contexts' sessions. Origins have other names: they begin with a scheme.
  private static let contexts = "contexts"

  /// Removes the sessions of a context from this machine.
  static func removeAll(ofContext name: String) async throws {
    let directory = try directory(ofContext: name)
    do {
      for file in sessions(in: directory) {
        let store = FileSessionStore(path: "\(directory)/\(file)")
        try await store.withExclusiveAccess { try await store.clear() }
      }
      for file in SystemIO.fileNames(in: directory) { try PrivateFiles().remove("\(directory)/\(file)") }
    } catch let error as SessionStoreError {
      throw Failure("cannot remove the session: \(error)", .failed)
    }
    System.removeEmptyDirectory(directory)
  }

  /// Whether a context has a session, at any gateway.
  static func exists(inContext name: String) throws -> Bool { try !sessions(in: directory(ofContext: name)).isEmpty }

  private static func sessions(in directory: String) -> [String] {
    SystemIO.fileNames(in: directory).filter { name in
      ![".key", ".lock", endSuffix].contains { name.hasSuffix($0) } && !name.contains(".tmp-")
    }
  }

  private static func directory(ofContext name: String) throws -> String {
    "\(try UserDirectory.path(for: "sessions"))/sessions/\(contexts)/\(name)"
  }

  private static func path(_ configuration: APIConfiguration) throws -> String {
    if let path = System.variable(ConfigurationVariable.sessionFile) { return path }
    let name = configuration.usesMockData ? "mock" : fileName(configuration.sessionOrigin)
    let hint = "Set the path of a file in \(ConfigurationVariable.sessionFile)."
    let directory = "\(try UserDirectory.path(for: "sessions", hint: hint))/sessions"
    if let context = configuration.context { return "\(directory)/\(Self.contexts)/\(context)/\(name)" }
    // Earlier versions kept a default port that the URL spelled out in the name.
    let earlier = "\(name)-\(name.hasPrefix("https-") ? 443 : 80)".replacingRuns(of: "-")
    let isEarlier = !System.fileExists("\(directory)/\(name)") && System.fileExists("\(directory)/\(earlier)")
    return "\(directory)/\(isEarlier ? earlier : name)"
  }

  /// `https-api.nova.social`, `http-localhost-8080`: letters, digits, dots and hyphens of the origin.
  private static func fileName(_ origin: String) -> String {
    let name = origin.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "-" }
    return String(name).replacingRuns(of: "-")
  }
}

extension String {
  /// The text with one character in place of several in a row.
  fileprivate func replacingRuns(of character: Character) -> String {
    reduce(into: "") { if $1 != character || $0.last != character { $0.append($1) } }
  }
}
