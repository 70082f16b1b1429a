// A call is written and read in one of two ways. Everything above them is the same for both.
extension APIConfiguration {
  /// The request for a call with a message: HTTP/JSON or gRPC, as the URL of the service says.
  ///
  /// - Throws: ``APIError`` if the server would refuse the message; ``ProtoJSONError`` for a value that the field's type
  ///   cannot have.
  func request(_ message: any ProtoMessage, in context: CallContext) throws -> HTTPRequest {
    #if GRPC
      if context.usesGRPC { return try grpcRequest(message, in: context) }
    #endif
    return try httpRequest(message, in: context)
  }
}

extension CallContext {
  /// Reads the response of a call.
  ///
  /// - Returns: what a comparison with the request has found.
  func read<Response: ProtoMessage>(
    _ response: inout Response, from body: [UInt8], to request: some ProtoMessage
  ) throws(ProtoJSONError) -> EchoFindings? {
    #if GRPC
      if usesGRPC {
        response = try GRPCTranscoder.response(Response.self, from: body)
        if let failure = GRPCTranscoder.enclosedFailure(in: response) { return EchoFindings(failure) }
        let needsJSON = options.onBody != nil || EchoCheck.applies(to: rpc)
        let json = needsJSON ? GRPCTranscoder.json(of: response, rpc) : []
        options.onBody?(json)
        return EchoFindings.find(in: response, to: request, body: json, of: rpc)
      }
    #endif
    options.onBody?(body)
    response = try HTTPTranscoder.response(Response.self, from: body, of: rpc)
    return EchoFindings.find(in: response, to: request, body: body, of: rpc)
  }

  /// Reads the response of a call of which only the descriptor is known.
  func response<Response: ProtoMessage>(
    _ type: Response.Type, from body: [UInt8], to request: some ProtoMessage
  ) throws(ProtoJSONError) -> (value: any ProtoMessage, findings: EchoFindings?) {
    var response = Response()
    let findings = try read(&response, from: body, to: request)
    return (response, findings)
  }
}

extension RPCDescriptor {
  /// Reads a message of a streamed response.
  func streamed<Message: ProtoMessage>(
    _ type: Message.Type, from body: [UInt8], usesGRPC: Bool
  ) throws(ProtoJSONError) -> Message {
    #if GRPC
      if usesGRPC { return try GRPCTranscoder.response(type, from: body) }
    #endif
    return try HTTPTranscoder.response(type, from: body, http)
  }
}
