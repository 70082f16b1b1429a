import NovaSupport

// A gateway that does not turn a gRPC status into a body, such as Envoy's transcoder by default, leaves it in the header
// fields, with any HTTP status, and behind a stream in the trailers.
extension HTTPHeaders {
  /// The gRPC status in the fields `grpc-status` if one of them is a failure; nil for success, and without a status.
  ///
  /// By gRPC's rule, a status that cannot be read is UNKNOWN (2). Of several, in fields or in a list, the first failure
  /// counts, preferably one that can be read.
  package var failedGRPCStatus: Int? {
    var failure: Int?
    // By index, because every response comes here, and fields are expensive to copy.
    for index in fields.indices where fields[index].isGRPCStatus {
      for text in fields[index].value.split(separator: ",") {
        let text = text.filter { $0 != " " && $0 != "\t" }
        guard let status = text.isEmpty ? 0 : Int(digits: text[...]) else {
          failure = failure ?? Self.unknown
          continue
        }
        if status != 0 { return status }
      }
    }
    return failure
  }

  /// Whether ``failedGRPCStatus`` is the number that a server has sent.
  package var namesFailedGRPCStatus: Bool {
    guard let failure = failedGRPCStatus else { return false }
    return failure != Self.unknown || values(for: "grpc-status").contains { $0.contains("\(failure)") }
  }

  /// gRPC's UNKNOWN.
  private static let unknown = 2
}

extension HTTPHeaders.Field {
  private static let statusName: StaticString = "grpc-status"

  /// Most names differ in length, which costs nothing to see.
  fileprivate var isGRPCStatus: Bool {
    name.utf8.count == Self.statusName.utf8CodeUnitCount && name.equalsIgnoringASCIICase("grpc-status")
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
