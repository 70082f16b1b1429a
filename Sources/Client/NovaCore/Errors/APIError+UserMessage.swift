extension APIError: UserFacingError {
  /// What happened and what to do, as a sentence for the user of an app.
  ///
  /// Mentions no RPC, status, or request; for logs, use ``description``. See ``UserMessage``.
  public var userMessage: String { UserMessage.text(userMessageKey) }

  /// The ``userMessage``, which makes it the `localizedDescription`.
  public var errorDescription: String? { userMessage }

  package var userMessageKey: UserMessage.Key { saysNotStored ? .notStored : Self.messages[code] ?? .unknown }

  private static let messages: [Code: UserMessage.Key] = [
    .unauthorized: .unauthorized, .permissionDenied: .permissionDenied, .notFound: .notFound, .conflict: .conflict,
    .invalidArgument: .invalidArgument, .failedPrecondition: .failedPrecondition, .rateLimited: .rateLimited,
    .networkError: .networkError, .timeout: .timeout, .unavailable: .serverError, .serverError: .serverError,
    .unimplemented: .invalidResponse, .invalidResponse: .invalidResponse, .decodingError: .invalidResponse,
    .invalidURL: .unsafe, .insecureConnection: .unsafe, .unconfirmed: .unconfirmed, .cancelled: .cancelled,
  ]
}

extension UserMessage.Key {
  package static let unauthorized = Self("error.unauthorized", "Please log in again.")
  package static let permissionDenied = Self("error.permissionDenied", "You are not allowed to do this.")
  package static let notFound = Self("error.notFound", "This no longer exists.")
  package static let notStored = Self(
    "error.notStored", "This is not stored on this device. Loading it needs a network connection.")
  package static let conflict = Self(
    "error.conflict", "Someone else changed this at the same time. Please review it and try again.")
  package static let invalidArgument = Self(
    "error.invalidArgument", "This is not possible as it is. Please check what you entered.")
  package static let failedPrecondition = Self("error.failedPrecondition", "This is not possible at the moment.")
  package static let rateLimited = Self(
    "error.rateLimited", "Too many requests. Please wait a moment and try again.")
  package static let networkError = Self(
    "error.networkError", "{app} cannot be reached. Please check your connection and try again.")
  package static let timeout = Self("error.timeout", "{app} took too long to respond. Please try again.")
  package static let serverError = Self(
    "error.serverError", "{app} has a problem at the moment. Please try again later.")
  package static let invalidResponse = Self(
    "error.invalidResponse", "{app} sent a response that this app does not understand. An update may help.")
  package static let unsafe = Self("error.unsafe", "The app is not set up to reach {app} safely.")
  package static let unconfirmed = Self(
    "error.unconfirmed", "This was saved, but not all of it. Please review it before you save it again.")
  package static let cancelled = Self("error.cancelled", "This was cancelled.")
  package static let unknown = Self("error.unknown", "Something went wrong. Please try again.")

  /// The sentences for errors of calls.
  package static let calls: [Self] = [
    unauthorized, permissionDenied, notFound, notStored, conflict, invalidArgument, failedPrecondition, rateLimited,
    networkError, timeout, serverError, invalidResponse, unsafe, unconfirmed, cancelled, unknown,
  ]
}
