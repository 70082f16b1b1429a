#if Server
  import NIOHPACK
  import NovaCore

  /// The head of a request over HTTP/2.
  struct HTTP2RequestHead: Sendable {
    let method: HTTPMethod
    /// The path with its query.
    let path: String
    /// With the authority as `Host`.
    let headers: HTTPHeaders

    init(_ headers: HPACKHeaders) {
      method = HTTPMethod(rawValue: headers.first(name: ":method") ?? "")
      path = headers.first(name: ":path") ?? ""
      var fields: [HTTPHeaders.Field] = []
      // A `Host` that differs is refused, because there are two then.
      if let authority = headers.first(name: ":authority"), headers.first(name: "host") != authority {
        fields.append(.init(name: "host", value: authority))
      }
      for (name, value, _) in headers where !name.hasPrefix(":") { fields.append(.init(name: name, value: value)) }
      self.headers = HTTPHeaders(fields)
    }

    /// The request for the application, without its body.
    func received(announcesBody: Bool) -> ReceivedRequest {
      ReceivedRequest(
        method: method, target: RequestTarget.normalized(path), headers: headers, announcesBody: announcesBody)
    }
  }
#endif
