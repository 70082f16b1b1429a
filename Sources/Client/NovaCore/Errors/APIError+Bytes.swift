extension HTTPRequest {
  /// Whether a response with this status has what the request asks for, by its own headers.
  func asksFor(status: Int) -> Bool {
    switch status {
    case 200..<300: true
    case 304: headers["If-None-Match"] != nil || headers["If-Modified-Since"] != nil
    case 412: headers["If-Match"] != nil || headers["If-Unmodified-Since"] != nil
    case 416: headers["Range"] != nil
    default: false
    }
  }
}

extension APIError {
  /// The error of a response that has another status than one with bytes. Only the gateway's own body is read: a storage
  /// may respond with anything.
  init(insteadOfBytes response: HTTPResponse, isFromGateway: Bool) {
    var response = response
    if !isFromGateway {
      // Without its type and body, no page of a storage is mistaken for a gateway's.
      response.headers = response.headers.pause
      response.body = .empty
    }
    // File servers have forms of their own.
    self.init(response, hasServiceForms: false)
    if code == .invalidResponse || isFromAnotherServer { restate("expected bytes, got status \(response.status)") }
    isFromAnotherServer = false
  }
}

extension HTTPHeaders {
  /// Only the field that says when to try again.
  fileprivate var pause: HTTPHeaders { HTTPHeaders(fields.filter { $0.name.equalsIgnoringASCIICase("Retry-After") }) }
}

/// The size in a server's response to the bytes of an upload, `{"upload":{"uploaded_size":…}}`.
package enum UploadedSize {
  /// The reported size; nil for other responses, such as those of a separate storage server.
  package static func inAnswer(_ body: [UInt8]) -> Int64? {
    // An upload has a dozen short fields.
    guard body.count <= 64 << 10, let upload = (try? JSONValue(jsonUTF8: body))?["upload"],
      let size = upload["uploaded_size"] ?? upload["uploadedSize"]
    else { return nil }
    return size.integerValue.map { Int64($0) } ?? size.stringValue.flatMap { Int64(decimal: $0) }
  }
}
