extension HTTPRequest {
  /// Whether a response with this status has what the request asks for, by its own headers.
  func asksFor(status: Int) -> Bool {
    switch status {
    case 200..<300: true
    case 304: headers["If-None-Match"] != nil || headers["If-Modified-Since"] != nil
    case 412: headers["If-Match"] != nil || headers["If-Unmodified-Since"] != nil
    case 416: headers["Range"] != nil
    default: false
    }
  }
}

extension APIError {
  /// The error of a response that has another status than one with bytes. Only the gateway's own body is read: a storage
  /// answers with whatever it likes.
  init(insteadOfBytes response: HTTPResponse, isFromGateway: Bool) {
    var response = response
    if !isFromGateway {
      // Without its type and body, no page of a storage is taken for a gateway's.
      response.headers = response.headers.pause
      response.body = .empty
    }
    self.init(response)
    // File servers have forms of their own.
    forgetForm()
    if code == .invalidResponse || isFromAnotherServer { message = "expected bytes, got status \(response.status)" }
    isFromAnotherServer = false
  }
}

extension HTTPHeaders {
  /// When to come back.
  fileprivate var pause: HTTPHeaders { HTTPHeaders(fields.filter { $0.name.equalsIgnoringASCIICase("Retry-After") }) }
}
