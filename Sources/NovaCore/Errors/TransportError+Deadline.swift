extension TransportError {
  /// The call's own time is up, and what was waited for was no server.
  ///
  /// - Parameters:
  ///   - what: what the call waited for, as in "while it waited for an access token"; nil for nothing.
  ///   - attempts: how many attempts were made before, each of which may have reached the server.
  static func deadlinePassed(waitingFor what: String? = nil, after attempts: Int) -> TransportError {
    let wait = what.map { " while it waited for \($0)" } ?? ""
    let sent =
      switch attempts {
      case 0: what == nil ? " before anything was sent" : "; nothing of the call was sent"
      case 1: "; one attempt was made before"
      default: "; \(attempts) attempts were made before"
      }
    return TransportError(.totalTimeout, "the call's time was up\(wait)\(sent)", requestMayHaveLeft: attempts > 0)
  }
}
