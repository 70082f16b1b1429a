#if GRPC
  import NovaCore

  /// A request over gRPC as a grpcurl command for a POSIX shell.
  struct GRPCurlCommand {
    let text: String

    /// - Returns: nil if the request is not a message of the RPC over gRPC.
    init?(_ request: HTTPRequest, of rpc: RPCDescriptor) {
      let origin = request.url.origin
      guard origin.usesGRPC, request.url.path == rpc.grpcPath,
        let body = try? GRPCFrames.onlyMessage(of: request.body.inMemory, limit: .max),
        let message = try? rpc.requestType.init(protobuf: body),
        let json = try? JSONValue(jsonUTF8: message.jsonUTF8(rpc.http.json(includesDefaults: false)))
      else { return nil }
      var parts = ["grpcurl"]
      if !origin.isSecure { parts.append("-plaintext") }
      parts += request.headers.filter { !Self.own.contains($0.name.lowercased()) }.compactMap(CurlCommand.header)
      let masked = SecretText.masked(json, names: SecretText.names(in: rpc.requestType))
      parts.append("-d \(String(decoding: masked.jsonUTF8, as: UTF8.self).shellQuoted)")
      // One server is enough to repeat a call.
      parts.append("\(origin.host):\(origin.port)".shellQuoted)
      parts.append(String(rpc.grpcPath.dropFirst()).shellQuoted)
      text = parts.joined(separator: " ")
    }

    /// Headers that grpcurl sends itself.
    private static let own: Set = ["content-type", "te", "user-agent"]
  }
#endif
