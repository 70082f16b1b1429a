public import NovaCore

extension HTTPRequest {
  /// Creates a request from the text of a URL, or of a path as a server receives it. Stops the test if it is neither.
  public init(
    method: HTTPMethod, url: String, headers: HTTPHeaders = [:], body: [UInt8] = [],
    limits: TransferLimits = TransferLimits()
  ) {
    self.init(
      method: method, url: url.contains("://") ? HTTPURL(stringLiteral: url) : HTTPURL(received: url), headers: headers,
      body: body, limits: limits)
  }
}
