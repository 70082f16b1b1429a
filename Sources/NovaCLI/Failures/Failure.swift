import NovaCore

/// Why a command did not do what was asked, for the person who asked.
struct Failure: Error {
  /// What happened.
  let message: String
  /// What to do next.
  let hint: String?
  let status: ExitStatus

  init(_ message: String, hint: String? = nil, _ status: ExitStatus) {
    self.message = message
    self.hint = hint
    self.status = status
  }

  /// JSON that was given and is wrong: `file:line:column: path: expected …, found …`.
  init(_ error: ProtoJSONError, in name: String?) {
    let place = "\(name.map { "\($0):" } ?? "")\(error.line):\(error.column)"
    let path = error.path.isEmpty ? "" : "\(error.path): "
    self.init("\(place): \(path)expected \(error.expected), found \(error.found)", .badData)
  }

  /// Settings that cannot be used. What came from the command line is wrong usage.
  init(_ error: ConfigurationError) {
    guard error.source == .code else {
      self.init("\(error)", hint: "`nova config show --help` tells where settings come from.", .failed)
      return
    }
    let flag = ConnectionOptions.flag(of: error.key)
    self.init("\(flag ?? error.key) is \(error.value): expected \(error.expected)", .usage)
  }
}
