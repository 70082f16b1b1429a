import NovaSupport

// A gateway that does not convert a gRPC status to a body, such as Envoy's transcoder by default, sends it in the
// header fields, with any HTTP status, and after a stream in the trailers.
extension HTTPHeaders {
  /// The gRPC status in the fields `grpc-status`, if any of them is a failure; nil for success, and if absent.
  ///
  /// By gRPC's rule, an unreadable status is UNKNOWN (2). If there are several, in fields or in a list, the first
  /// failure counts, preferably a readable one.
  package var failedGRPCStatus: Int? {
    var failure: Int?
    // Uses indices, because every response comes here, and copying fields is expensive.
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

  /// Whether ``failedGRPCStatus`` is a number that the server sent.
  package var namesFailedGRPCStatus: Bool {
    guard let failure = failedGRPCStatus else { return false }
    return failure != Self.unknown || values(for: "grpc-status").contains { $0.contains("\(failure)") }
  }

  /// gRPC's UNKNOWN.
  private static let unknown = 2
}

extension HTTPHeaders.Field {
  private static let statusName: StaticString = "grpc-status"

  /// Compares the length first, because most names differ in it.
  fileprivate var isGRPCStatus: Bool {
    name.utf8.count == Self.statusName.utf8CodeUnitCount && name.equalsIgnoringASCIICase("grpc-status")
  }
}

/// Thrown to the reader at the end of a body if the server reports in the trailers that the call failed.
package struct FailureInTrailers: NovaError {
  /// The field `grpc-status`, and the fields that belong to it.
  package let headers: HTTPHeaders

  /// Creates a failure from the fields of the trailers.
  package init(headers: HTTPHeaders) { self.headers = headers }

  package var description: String { "the call failed with the gRPC status \(headers.failedGRPCStatus ?? 2)" }
}
