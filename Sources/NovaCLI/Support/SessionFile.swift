import NovaCore
import NovaSDK

/// The session files of `nova`: one for each gateway.
enum SessionFile {
  /// The session store for the configured gateway.
  ///
  /// - Parameter line: the status line for waits while another program uses the store.
  /// - Throws: ``Failure`` if there is no directory for it, or the key is invalid.
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

  /// Whether the session file exists. Does not read it.
  static func exists(_ configuration: APIConfiguration) -> Bool {
    (try? path(configuration)).map(System.fileExists) ?? false
  }

  private static func path(_ configuration: APIConfiguration) throws -> String {
    if let path = variable(ConfigurationVariable.sessionFile) { return path }
    let name = configuration.usesMockData ? "mock" : fileName(configuration.baseURL(for: "auth").text)
    let hint = "Set the path of a file in \(ConfigurationVariable.sessionFile)."
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
  /// The text with one character in place of several in a row.
  fileprivate func replacingRuns(of character: Character) -> String {
    reduce(into: "") { if $1 != character || $0.last != character { $0.append($1) } }
  }
}
