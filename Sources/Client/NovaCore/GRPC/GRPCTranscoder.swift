#if GRPC
  import NovaSupport

  /// Messages to gRPC and back: the counterpart of ``HTTPTranscoder`` for calls of `grpc://` URLs.
  ///
  /// A call is a `POST` to `/package.Service/Method`. Its body is the message in protobuf's binary format, behind the five
  /// bytes of ``GRPCFrames``.
  package enum GRPCTranscoder {
    /// The media type of requests and responses; responses may add a suffix such as `+proto`.
    package static let contentType = "application/grpc"

    /// The response message of a body.
    ///
    /// - Throws: ``ProtoJSONError`` with what ``ProtobufError`` reports, so that all failures to decode look alike.
    static func response<Response: ProtoMessage>(
      _ type: Response.Type, from body: [UInt8]
    ) throws(ProtoJSONError) -> Response {
      // Read by its descriptor, later.
      if Response.self == EncodedMessage.self, let message = EncodedMessage(body) as? Response { return message }
      do {
        return try Response(protobuf: body)
      } catch {
        throw ProtoJSONError(error)
      }
    }

    /// The response as JSON, for what reads only that. Fields with default values are left out, because they are not sent.
    static func json(of response: some ProtoMessage, _ rpc: RPCDescriptor) -> [UInt8] {
      (try? response.jsonUTF8(rpc.http.json(includesDefaults: false))) ?? []
    }

    /// The failure in the field `error` of a response; nil if the message has no such field, or it is empty.
    static func enclosedFailure(in response: some ProtoMessage) -> ErrorStatus? {
      guard let index = type(of: response).descriptor.fields.firstIndex(where: { $0.name == "error" }) else {
        return nil
      }
      var search = ErrorSearch(index: index)
      response.writeFields(to: &search)
      guard let error = search.error, !error.code.isEmpty || !error.message.isEmpty else { return nil }
      return error
    }
  }

  /// Looks for a failure in a field of a message.
  private struct ErrorSearch: FieldVisitor {
    let index: Int
    private(set) var error: ErrorStatus?

    init(index: Int) { self.index = index }

    mutating func write<C: ProtoCodec>(_ value: C.Value, as codec: C, at index: Int) {
      if index == self.index { error = value as? ErrorStatus }
    }
  }

  extension ProtoJSONError {
    /// The same failure, found in the binary format.
    init(_ error: ProtobufError) {
      self.init(path: error.path, expected: error.expected, found: error.found, offset: error.offset ?? 0)
    }
  }

  extension APIConfiguration {
    /// The request for a call over gRPC.
    ///
    /// - Throws: ``APIError`` if the server would refuse the message, or the message is too long.
    func grpcRequest(_ message: any ProtoMessage, in context: CallContext) throws -> HTTPRequest {
      let rpc = context.rpc
      if context.options.checksArguments { try RequestRules.check(message) }
      var body: [UInt8]
      do {
        body = try message.protobuf(after: GRPCFrames.prefixLength)
      } catch {
        throw ProtoJSONError(error)
      }
      let length = body.count - GRPCFrames.prefixLength
      guard length <= grpc.maximumRequestBytes else {
        throw APIError(
          .invalidArgument, "the request is too long",
          reason: "it has \(length) bytes, and grpc.max_request_bytes is \(grpc.maximumRequestBytes)", sent: .nothing,
          advice: "send less at once, or raise the limit here and at the server", rpc: rpc.id)
      }
      GRPCFrames.fillPrefix(of: &body)
      var headers = context.options.headers
      headers.reserveCapacity(headers.fields.count + 2)
      headers.set("Content-Type", toChecked: GRPCTranscoder.contentType)
      headers.set("TE", toChecked: "trailers")
      return HTTPRequest(
        method: .post, url: HTTPURL(baseURL(for: rpc.service).origin, target: rpc.grpcPath), headers: headers,
        body: body, limits: limits)
    }
  }
#endif
