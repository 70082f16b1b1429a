import NovaSupport

// A gateway that does not turn a gRPC status into a body, such as Envoy's transcoder by default, leaves it in the header
// fields, with any HTTP status, and behind a stream in the trailers.
extension HTTPHeaders {
  /// The gRPC status in the field `grpc-status` if it is a failure; nil for success, and without a status.
  package var failedGRPCStatus: Int? {
    guard let text = self["grpc-status"], let status = Int(digits: text[...]), status != 0 else { return nil }
    return status
  }
}

/// Thrown to the reader of a body at its end: the server reports in the trailers that the call has failed.
package struct FailureInTrailers: NovaError {
  /// `grpc-status`, and the fields that go with it.
  package let headers: HTTPHeaders

  /// Creates a failure from the fields of the trailers.
  package init(headers: HTTPHeaders) { self.headers = headers }

  package var description: String { "the call failed with the gRPC status \(headers.failedGRPCStatus ?? 2)" }
}
