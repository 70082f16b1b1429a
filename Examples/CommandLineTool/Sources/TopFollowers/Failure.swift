import ArgumentParser
import NovaSDK

/// Which failure has which exit code: scripts rely on them, so they are documented in `--help` and never change.
enum Failure {
  /// Writes what failed to standard error, and returns what ends the program.
  static func exit(_ error: any Error) -> any Error {
    // Those of swift-argument-parser have a code of their own.
    if error is ValidationError || error is ExitCode { return error }
    if !(error is CancellationError) { Terminal.note("\(text(of: error))") }
    return ExitCode(code(of: error))
  }

  static func code(of error: any Error) -> Int32 {
    switch error {
    case is CancellationError: return 130
    case is ConfigurationError: return 64
    case let error as APIError: return code(of: error.code)
    default: return 1
    }
  }

  private static func code(of code: APIError.Code) -> Int32 {
    switch code {
    case .unauthorized, .permissionDenied: 4
    case .notFound: 5
    case .networkError, .timeout, .unavailable: 6
    case .invalidArgument, .invalidResponse, .decodingError, .unconfirmed: 65
    case .cancelled: 130
    default: 1
    }
  }

  /// The sentence of an error, with what helps to find the call in the gateway's logs.
  private static func text(of error: any Error) -> String {
    guard let error = error as? APIError else { return "\(error)" }
    return error.requestID.map { "\(error.message) (request ID \($0))" } ?? error.message
  }
}
