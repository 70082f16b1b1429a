public import NovaSDK

/// What the sender of a request learns about a failure. The text of the gateway is not part of it.
public struct Failure: Sendable, Equatable {
  public var status: Int
  public var message: String

  public init(_ error: APIError) {
    switch error.code {
    case .invalidArgument: (status, message) = (400, "invalid request")
    case .unauthorized: (status, message) = (401, "sign in again")
    case .permissionDenied: (status, message) = (403, "not allowed")
    case .notFound: (status, message) = (404, "not found")
    case .timeout: (status, message) = (504, "the gateway did not answer in time")
    case .rateLimited, .unavailable, .cancelled: (status, message) = (503, "try again later")
    default: (status, message) = (502, "the gateway failed")
    }
  }
}
