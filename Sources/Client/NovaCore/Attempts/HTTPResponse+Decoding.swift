extension HTTPResponse {
  /// Reads the body with `decode`.
  ///
  /// - Parameter isBinary: whether the body is a message in protobuf's binary format, and not JSON.
  /// - Throws: an error that reports what was expected.
  func decoded(
    by decode: CallRunner.Decoder, of rpc: RPCDescriptor, isBinary: Bool
  ) throws(APIError) -> EchoFindings? {
    do {
      return try decode(body.inMemory)
    } catch {
      if let cleaned = withoutErrorThatIsOK(of: rpc) {
        do { return try decode(cleaned.body.inMemory) } catch {}
      }
      if let message = error.messageWithoutField {
        throw APIError(foreign: body.inMemory, inPlaceOf: message, httpStatus: status)
      }
      let type = headers["Content-Type"] ?? "no content type"
      let isJSON = headers.contentTypeName.contains("json")
      let isReadable = isJSON || isBinary
      var failure = APIError(
        isReadable ? .decodingError : .invalidResponse,
        isReadable
          ? "the response does not match the contract" : "expected a JSON response, got \(type.shortened(to: 60))",
        reason: isReadable ? error.description : nil, httpStatus: status, decoding: error)
      failure.isFromAnotherServer = !isReadable
      throw failure
    }
  }
}
