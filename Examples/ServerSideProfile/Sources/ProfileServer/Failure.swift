import Hummingbird
import NovaSDK

/// Why a page could not be had, as JSON: `{"error":{"code":"notFound","message":"…","request_id":"…"}}`.
///
/// Nothing of it is text that the gateway chose: an `APIError`'s message is the SDK's own sentence.
struct Failure: ResponseEncodable {
  struct Details: Encodable {
    var code: String
    var message: String
    /// What the gateway's logs know the call by.
    var requestId: String?

    enum CodingKeys: String, CodingKey {
      case code
      case message
      case requestId = "request_id"
    }
  }

  var error: Details

  init(_ error: APIError) {
    self.error = Details(code: error.code.rawValue, message: error.message, requestId: error.requestID)
  }

  /// What the caller can mend is theirs (4xx); the rest is between this server and its gateway (5xx), a token that the
  /// gateway refuses included.
  static func status(of code: APIError.Code) -> Int {
    switch code {
    case .invalidArgument: 400
    case .permissionDenied: 403
    case .notFound: 404
    case .rateLimited, .unavailable, .cancelled: 503
    case .timeout: 504
    default: 502
    }
  }
}
