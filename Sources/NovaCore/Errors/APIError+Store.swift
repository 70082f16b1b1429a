extension APIError {
  /// Whether the gateway could not be reached, so that a stored answer is better than none, and a write can wait.
  package var meansUnreachable: Bool { [.networkError, .timeout, .unavailable].contains(code) }

  /// Whether a store has no answer, and the gateway was not asked.
  package var meansNotStored: Bool { code == .notFound && httpStatus == nil && transport == nil && attempts.isEmpty }
}
