#if GRPC
  import NovaSupport

  /// Writes the details of a failure from JSON, as ``GRPCGateway`` reads them from `grpc-status-details-bin`.
  enum GRPCStatusDetails {
    /// The value of `grpc-status-details-bin`; nil without details.
    ///
    /// - Parameter details: the list `details` of a gateway's failure.
    static func header(_ status: GRPCStatus, message: String, details: [JSONValue]) -> String? {
      let all = details.compactMap(any)
      if all.isEmpty { return nil }
      let code: [UInt8] = [1 << 3, UInt8(truncatingIfNeeded: status.rawValue)]
      let bytes = code + field(2, Array(message.utf8)) + all.flatMap { field(3, $0) }
      return String(decoding: Base64.encode(bytes), as: UTF8.self)
    }

    /// A detail as a `google.protobuf.Any`; nil for a type whose fields are not known.
    private static func any(_ detail: JSONValue) -> [UInt8]? {
      guard let url = detail["@type"]?.stringValue, let value = value(detail, url) else { return nil }
      return field(1, Array(url.utf8)) + field(2, value)
    }

    private static func value(_ detail: JSONValue, _ url: String) -> [UInt8]? {
      if url.hasSuffix("/google.rpc.ErrorInfo") {
        let entries = (detail["metadata"]?.memberList ?? []).map { entry in
          field(3, text(1, .string(entry.name)) + text(2, entry.value))
        }
        return text(1, detail["reason"]) + text(2, detail["domain"]) + entries.flatMap(\.self)
      }
      if url.hasSuffix("/google.rpc.RequestInfo") {
        return text(1, detail["requestId"]) + text(2, detail["servingData"])
      }
      // A type that was kept as it is.
      return detail["value"]?.stringValue.flatMap { Base64.decode($0) }
    }

    private static func text(_ number: Int, _ value: JSONValue?) -> [UInt8] {
      field(number, Array((value?.stringValue ?? "").utf8))
    }

    private static func field(_ number: Int, _ bytes: [UInt8]) -> [UInt8] {
      var output = WireOutput()
      output.append(number, bytes: bytes)
      return output.bytes
    }
  }
#endif
