extension APIError {
  /// Whether the gateway could not be reached, so that a stored answer is used instead, and a write can wait.
  package var meansUnreachable: Bool { [.networkError, .timeout, .unavailable].contains(code) }

  /// Whether a store has no answer, and the gateway was not asked.
  package var meansNotStored: Bool { code == .notFound && httpStatus == nil && transport == nil && attempts.isEmpty }

  /// Whether a store reports that it has no answer. Its error names the call; errors that an app makes do not.
  package var saysNotStored: Bool { meansNotStored && rpc != nil }

  /// Whether the service itself has refused the call: its failure is in a form of services. Any server on the way can send a
  /// page, a text, or an empty body.
  package var isRefusalOfService: Bool { (form != nil || isProblem) && !isOfRefresh && !isFromAnotherServer }

  /// Whether the service itself reports that a record does not exist: in one of its forms, and not with the words that a
  /// gateway sends for an unknown path. Any server on the way can send 404.
  package var saysRecordIsGone: Bool {
    code == .notFound && form != nil && !isOfRefresh && server?.message != "Not Found"
  }
}
