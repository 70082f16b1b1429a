#if GRPC
  import NovaSupport

  /// Translates calls between gRPC and HTTP/JSON, as a gateway does: for recordings, contract checks, and tests, which
  /// read JSON.
  ///
  /// gRPC is meant as ``GRPCTransport`` takes and returns it: a request has its message behind the five bytes of
  /// ``GRPCFrames``; a response in memory is the message alone, a streamed one has messages in frames, and a failure has the
  /// HTTP status of its gRPC status.
  package enum GRPCGateway {
    /// The request that a gateway takes for a request over gRPC.
    ///
    /// - Throws: ``GRPCViolation`` if the body is not one message of the RPC; ``APIError`` for a field of the path that
    ///   HTTP cannot have.
    package static func httpRequest(_ request: HTTPRequest, of rpc: RPCDescriptor) throws -> HTTPRequest {
      let body = try GRPCFrames.onlyMessage(of: request.body.inMemory, limit: .max)
      let message: any ProtoMessage
      do {
        message = try rpc.requestType.init(protobuf: body)
      } catch {
        throw GRPCViolation(
          .internalError, "invalid request: it is not a \(rpc.requestType.descriptor.shortName): \(error)")
      }
      let parts = try HTTPTranscoder.request(message, rpc.http)
      var result = request
      result.method = rpc.http.method
      result.url = HTTPURL(request.url.origin, target: parts.target)
      result.body = .bytes(parts.body)
      for name in requestFields { result.headers[name] = nil }
      result.headers["Accept"] = rpc.isServerStreaming ? StreamControl.accepted : "application/json"
      if rpc.http.hasBody { result.headers["Content-Type"] = "application/json" }
      return result
    }

    /// Fields that requests have only over gRPC.
    private static let requestFields = ["Content-Type", "TE", "grpc-timeout", "grpc-encoding", "grpc-accept-encoding"]

    /// The response of a gateway for a response over gRPC. A stream becomes one of server-sent events.
    ///
    /// - Throws: ``ProtobufError`` if a response in memory is not a message of the RPC.
    package static func httpResponse(
      _ response: HTTPResponse, of rpc: RPCDescriptor
    ) throws -> HTTPResponse {
      var result = response
      if rpc.isServerStreaming, let frames = response.body.bytes, !frames.isEmpty {
        // A stream that was recorded, and perhaps failed at its end.
        var text = try EventsOfFrames.text(of: frames, rpc)
        if response.headers.failedGRPCStatus != nil {
          result.body = .empty
          let error = String(decoding: result.withGRPCStatusInBody.body.inMemory, as: UTF8.self)
          text += "event: error\ndata: \(error)\n\n".utf8Bytes
        }
        (result.status, result.body) = (200, .bytes(text))
        result.headers["Content-Type"] = "text/event-stream"
      } else if !response.isSuccess || response.headers.failedGRPCStatus != nil {
        result = response.withGRPCStatusInBody
      } else if case .stream(let chunks) = response.body {
        result.headers["Content-Type"] = "text/event-stream"
        result.body = .stream(HTTPBodyStream(EventsOfFrames(chunks: chunks, rpc: rpc)))
      } else {
        let message = try rpc.responseType.init(protobuf: response.body.inMemory)
        result.status = rpc.http.successStatus
        result.headers["Content-Type"] = "application/json"
        result.body = .bytes(try HTTPTranscoder.body(of: message, rpc.http))
      }
      for name in statusFields { result.headers[name] = nil }
      return result
    }

    /// The response over gRPC for a gateway's response; the inverse of ``httpResponse(_:of:)``.
    ///
    /// A response that is not the gateway's own is a failure, as it is for gRPC clients.
    package static func grpcResponse(_ response: HTTPResponse, of rpc: RPCDescriptor) -> HTTPResponse {
      guard response.isSuccess else { return failure(response) }
      var headers = response.headers
      for name in ["Content-Length", "Content-Encoding"] + statusFields { headers[name] = nil }
      headers["Content-Type"] = GRPCTranscoder.contentType
      if rpc.isServerStreaming {
        let body = FramesOfEvents(chunks: response.body, rpc: rpc)
        return HTTPResponse(status: 200, headers: headers, body: .stream(HTTPBodyStream(body)))
      }
      do {
        let message = try message(rpc.responseType, from: response.body.inMemory, of: rpc)
        return HTTPResponse(status: 200, headers: headers, body: .bytes(try message.protobuf()))
      } catch {
        return failure(
          .internalError, "invalid response: it is not a \(rpc.responseType.descriptor.shortName): \(error)")
      }
    }

    private static func message<Response: ProtoMessage>(
      _ type: Response.Type, from body: [UInt8], of rpc: RPCDescriptor
    ) throws -> any ProtoMessage {
      try HTTPTranscoder.response(type, from: body, of: rpc)
    }

    private static let statusFields = ["grpc-status", "grpc-message", "grpc-status-details-bin"]

    /// The failure of a gateway's response.
    private static func failure(_ response: HTTPResponse) -> HTTPResponse {
      let json = try? JSONValue(jsonUTF8: response.body.inMemory)
      let error = json?["error"]?.memberList == nil ? json : json?["error"]
      let status = error.flatMap { GRPCStatus(describedIn: $0) } ?? GRPCStatus(likeHTTPStatus: response.status)
      let message = error?["message"]?.stringValue ?? "HTTP status \(response.status)"
      var result = failure(status, message)
      result.headers["grpc-status-details-bin"] = GRPCStatusDetails.header(
        status, message: message, details: error?["details"]?.elements ?? [])
      for field in response.headers where !ofBody.contains(where: field.name.equalsIgnoringASCIICase) {
        result.headers.append(name: field.name, value: field.value)
      }
      return result
    }

    /// Fields about the body of a response.
    private static let ofBody = ["Content-Type", "Content-Length", "Content-Encoding"] + statusFields

    /// A response with a status and no message.
    package static func failure(_ status: GRPCStatus, _ message: String) -> HTTPResponse {
      HTTPResponse(
        status: status.httpStatus,
        headers: [
          "Content-Type": GRPCTranscoder.contentType, "grpc-status": String(status.rawValue),
          "grpc-message": PercentEncoding.encode(message),
        ])
    }
  }

  extension GRPCStatus {
    /// The status that a gateway answers with an HTTP status.
    fileprivate init(likeHTTPStatus status: Int) {
      self =
        switch status {
        case 400: .invalidArgument
        case 404: .notFound
        case 409: .aborted
        case 429: .resourceExhausted
        case 500: .internalError
        case 501: .unimplemented
        case 504: .deadlineExceeded
        default: GRPCStatus(ofHTTPStatus: status)
        }
    }
  }
#endif
