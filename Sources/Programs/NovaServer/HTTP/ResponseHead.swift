#if Server
  import NIOHTTP1
  import NovaCore
  import NovaMock

  extension HTTPResponseHead {
    /// - Parameters:
    ///   - isChunked: whether chunks show where the body ends.
    ///   - version: that of the request.
    init(_ response: NovaCore.HTTPResponse, isChunked: Bool, keepsAlive: Bool, version: HTTPVersion) {
      let status = HTTPResponseStatus(statusCode: response.status)
      var headers = NIOHTTP1.HTTPHeaders(response.headers.map { ($0.name, $0.value) })
      headers.remove(name: "Transfer-Encoding")
      if !status.mayHaveResponseBody {
        headers.remove(name: "Content-Length")
      } else if headers.contains(name: "Content-Length") {
        // The response describes a body that it need not have.
      } else if let length = response.bodyLength {
        headers.add(name: "Content-Length", value: String(length))
      } else if isChunked {
        headers.add(name: "Transfer-Encoding", value: "chunked")
      }
      if !keepsAlive {
        headers.add(name: "Connection", value: "close")
      } else if version == .http1_0 {
        headers.add(name: "Connection", value: "keep-alive")
      }
      self.init(version: .http1_1, status: status, headers: headers)
    }
  }

  extension NovaCore.HTTPResponse {
    /// Nil if the body continues until one side ends it.
    var bodyLength: Int? { Self.hasBody(status: status) ? body.length : 0 }
  }
#endif
