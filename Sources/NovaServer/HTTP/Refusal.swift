#if Server
  import NIOHTTP1
  import NovaCore

  /// Answers to what never becomes a call, in the gateway's shape; 3 is INVALID_ARGUMENT, because trying again will not
  /// help.
  enum Refusal {
    static let tooLarge = response(413, "the body is larger than \(IncomingRequest.bodyLimit >> 20) MiB")

    static func response(to error: HTTPParserError) -> HTTPResponse {
      error == .headerOverflow
        ? response(431, "the request's headers are too large") : response(400, "this is not HTTP/1.1: \(error)")
    }

    private static func response(_ status: Int, _ message: String) -> HTTPResponse {
      HTTPResponse(
        status: status, headers: ["Content-Type": "application/json"],
        body: Array(#"{"code":3,"message":"\#(message)","details":[]}"#.utf8))
    }
  }
#endif
