extension APIError {
  /// Whether the gateway could not be reached, so that a stored answer is better than none, and a write can wait.
  package var meansUnreachable: Bool { [.networkError, .timeout, .unavailable].contains(code) }

  /// Whether a store has no answer, and the gateway was not asked.
  package var meansNotStored: Bool { code == .notFound && httpStatus == nil && transport == nil && attempts.isEmpty }

  /// Whether a store says that it has no answer. It names the call, unlike errors that an app makes itself.
  package var saysNotStored: Bool { meansNotStored && rpc != nil }

  /// Whether the service itself has refused the call: its failure is in a form that services have, and not a page, a text, or
  /// nothing, which anything between can send.
  package var isRefusalOfService: Bool { (form != nil || isProblem) && !isOfRefresh && !isFromAnotherServer }

  /// Whether the service itself says that a record is not there: in one of its forms, and not with the words with which a
  /// gateway answers for a path that it does not know. Anything between can send 404.
  package var saysRecordIsGone: Bool {
    code == .notFound && form != nil && !isOfRefresh && server?.message != "Not Found"
  }
}
