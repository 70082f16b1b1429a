#if GRPC
  import NovaSupport

  /// How a call over gRPC has ended, by what the server sent.
  enum GRPCAnswer {
    /// The call succeeded.
    case success
    /// The server reports a failure; with the fields that describe it.
    case failure(GRPCStatus, HTTPHeaders)

    /// Reads the end of an answer.
    ///
    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - headers: the fields before the messages.
    ///   - hasMessages: whether there is anything between the fields. Then success in the head does not count: the
    ///     answer may have been cut off.
    ///   - trailers: the fields after the messages; empty for an answer that has only a head.
    init(status: Int, headers: HTTPHeaders, hasMessages: Bool = false, trailers: HTTPHeaders) {
      let end = trailers.fields.isEmpty ? headers : trailers
      // Messages that are not gRPC's cannot succeed, whatever stands behind them.
      let isGRPC = headers.isGRPC
      if end["grpc-status"] != nil, isGRPC || trailers.fields.isEmpty {
        guard let code = end.failedGRPCStatus else {
          let isWhole = !hasMessages || !trailers.fields.isEmpty
          self = status == 200 && isWhole ? .success : .missing(httpStatus: status, headers)
          return
        }
        self = .failure(GRPCStatus(rawValue: code), end)
        return
      }
      self = .missing(httpStatus: status, headers)
    }

    /// An answer without a gRPC status, which therefore is from a proxy, or was cut off: never a success.
    private static func missing(httpStatus: Int, _ headers: HTTPHeaders) -> GRPCAnswer {
      let reason: String
      if httpStatus != 200 {
        reason = "the server answered with HTTP \(httpStatus), and without a gRPC status"
      } else if headers.isGRPC {
        reason = "the answer ended without a gRPC status"
      } else {
        let type = headers["Content-Type"]?.printable(to: 60) ?? "no content type"
        reason = "the server does not speak gRPC: expected application/grpc, got \(type)"
      }
      var fields: HTTPHeaders = [:]
      for name in ["Retry-After", "Date"] { if let value = headers[name] { fields[name] = value } }
      fields["grpc-message"] = reason
      return .failure(GRPCStatus(ofHTTPStatus: httpStatus), fields)
    }

    /// The answer as the client's steps read failures: with an HTTP status, and the gRPC status in the header fields.
    ///
    /// - Parameter body: the message of a success.
    func response(_ headers: HTTPHeaders, body: () throws(GRPCViolation) -> HTTPBody) -> HTTPResponse {
      switch self {
      case .success:
        do throws(GRPCViolation) {
          var headers = headers
          // A status in front of messages does not count.
          if headers["grpc-status"] != nil { headers["grpc-status"] = nil }
          return HTTPResponse(status: 200, headers: headers, body: try body())
        } catch {
          return GRPCAnswer(error).response(headers) { () throws(GRPCViolation) in .empty }
        }
      case .failure(let status, let fields):
        var failure: HTTPHeaders = [:]
        failure.reserveCapacity(fields.fields.count + 2)
        failure.append(name: "Content-Type", value: GRPCTranscoder.contentType)
        failure.append(name: "grpc-status", value: String(status.rawValue))
        for field in fields.fields where !Self.own.contains(where: field.name.equalsIgnoringASCIICase) {
          failure.append(name: field.name, value: field.value)
        }
        return HTTPResponse(status: status.httpStatus, headers: failure)
      }
    }

    private static let own = ["Content-Type", "grpc-status"]

    /// An answer that is not as gRPC requires.
    init(_ violation: GRPCViolation) {
      self = .failure(violation.status, ["grpc-message": violation.reason])
    }
  }

  extension GRPCStatus {
    /// The status of an answer that has none, by its HTTP status.
    init(ofHTTPStatus status: Int) {
      self =
        switch status {
        case 400: .internalError
        case 401: .unauthenticated
        case 403: .permissionDenied
        case 404: .unimplemented
        case 429, 502, 503, 504: .unavailable
        default: .unknown
        }
    }
  }
#endif
