extension SecretRedactor {
  /// The error of a response that could not be read, without the secrets.
  ///
  /// Such an error quotes the start of the value that it found, which may be a part of a secret. So if the response has
  /// secrets, the error is created again from the masked response.
  func masked(
    _ error: APIError, in response: HTTPResponse, of context: CallContext, decode: CallRunner.Decoder
  ) -> APIError {
    if isEmpty { return error }
    guard response.body.inMemory.count <= Self.largestFailure else {
      var error = error
      if let decoding = error.decoding {
        error.decoding = decoding.hidingValue()
        if error.code == .decodingError { error.reason = decoding.hidingValue().description }
      }
      return masked(error)
    }
    let clean = masked(response)
    guard clean != response else { return masked(error) }
    do throws(APIError) {
      _ = try clean.decoded(by: decode, of: context.rpc, isBinary: context.usesGRPC)
    } catch {
      var error = masked(error)
      error.decoding = error.decoding?.hidingValue()
      return error
    }
    // The invalid value was the secret itself.
    var error = error
    error.restate("the response does not match the contract where it repeats a secret of the request")
    error.decoding = nil
    return error
  }
}
