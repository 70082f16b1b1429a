import Hummingbird
import NovaSDK

extension NovaClient {
  /// All services with the token of a request, and with its deadline, id, and logger.
  ///
  /// Without a token, calls are this server's own: check what you answer to strangers.
  /// - Throws: `APIError` `unauthorized`, if the request has an `Authorization` header that is not `Bearer` and a token.
  func acting(for request: Request, in context: some RequestContext) throws -> NovaClient {
    let token = try request.bearerToken()
    return with {
      // The user is left out: nobody has verified what the token claims.
      $0.token = token
      $0.deadline = ContinuousClock.now + request.timeLimit
      $0.requestID = context.id
      $0.logger = context.logger
    }
  }
}

extension Request {
  /// The token of `Authorization: Bearer …`; nil without that header.
  func bearerToken() throws(APIError) -> AccessToken? {
    guard let header = headers[.authorization] else { return nil }
    let parts = header.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer", let token = try? AccessToken(String(parts[1])) else {
      throw APIError(.unauthorized, "malformed Authorization header: expected Bearer and a token")
    }
    return token
  }

  /// How long the sender waits, in the header `X-Request-Timeout` in seconds; at most, and by default, 5 s.
  var timeLimit: Duration {
    guard let seconds = headers["X-Request-Timeout"].flatMap(Double.init), seconds > 0 else { return .seconds(5) }
    return .seconds(min(seconds, 5))
  }
}

extension HTTPFields {
  /// The field with a name that has no constant.
  subscript(name: String) -> String? {
    first { $0.name.canonicalName == name.lowercased() }?.value
  }
}
