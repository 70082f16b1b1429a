package import NovaCore

extension Cassette {
  /// The cassette as an HTTP Archive (HAR 1.2), which browsers' developer tools and many other tools can open.
  ///
  /// Unknown values use HAR's defaults: -1 for sizes of headers, 0 for times of single steps. A request without a
  /// response has the status 0, and the reason in `_error`.
  public var har: [UInt8] {
    let creator: JSONValue = ["name": "NovaSDK", "version": .string(NovaSDKVersion.current)]
    let log: JSONValue = ["version": "1.2", "creator": creator, "entries": .array(interactions.map(\.harEntry))]
    let archive: JSONValue = ["log": log]
    return archive.jsonUTF8
  }
}

extension Cassette.Interaction {
  fileprivate var harEntry: JSONValue {
    let time = JSONValue.number("\(duration.milliseconds)")
    let response = outcome.response ?? HTTPResponse(status: 0)
    return [
      "startedDateTime": .string(startTime), "time": time, "request": request.har, "response": response.har,
      "cache": [:], "timings": ["send": 0, "wait": time, "receive": 0], "comment": rpc.map(JSONValue.string),
      "_error": (outcome.failure ?? bodyFailure).map { .string("\($0)") },
    ]
  }

  private var startTime: String {
    let startedAt =
      startedAt.isNaN ? 0 : min(max(startedAt, Timestamp.validTimes.lowerBound), Timestamp.validTimes.upperBound)
    let milliseconds = Int64((startedAt * 1000).rounded(.down))
    let seconds = Int64(startedAt.rounded(.down))
    return Timestamp(seconds: seconds, nanoseconds: Int32(milliseconds - seconds * 1000) * 1_000_000).description
  }
}

extension Cassette.Request {
  fileprivate var har: JSONValue {
    // Tools that open archives know only HTTP, which is the form of calls over gRPC, too.
    let base =
      origin.isEmpty
      ? "http://localhost" : origin.hasPrefix("grpc") ? "http" + origin.dropFirst(4) : origin
    let pairs: [JSONValue] = PercentEncoding.pairs(query).map {
      ["name": .string($0.name), "value": .string($0.value)]
    }
    let text = content.harText
    let postData: JSONValue = [
      "mimeType": .string(headers["Content-Type"] ?? ""), "text": .string(text.value),
      // HAR has no field for binary request bodies; this is Chromium's extension.
      "_encoding": text.isBase64 ? .string("base64") : nil,
    ]
    return [
      "method": .string(method.rawValue), "url": .string(base + path + (query.isEmpty ? "" : "?\(query)")),
      "httpVersion": "HTTP/1.1", "cookies": [], "headers": headers.json(), "queryString": .array(pairs),
      "postData": content == .none ? nil : postData, "headersSize": -1, "bodySize": .number(body.count),
    ]
  }
}

extension HTTPResponse {
  fileprivate var har: JSONValue {
    let text = RecordedBody(body.inMemory).harText
    let content: JSONValue = [
      "size": .number(body.inMemory.count), "mimeType": .string(headers["Content-Type"] ?? ""),
      "text": body.isEmpty ? nil : .string(text.value), "encoding": text.isBase64 ? .string("base64") : nil,
    ]
    return [
      "status": .number(status), "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [], "headers": headers.json(),
      "content": content, "redirectURL": .string(headers["Location"] ?? ""), "headersSize": -1,
      "bodySize": .number(status == 0 ? -1 : body.inMemory.count),
    ]
  }
}

extension RecordedBody {
  fileprivate var harText: (value: String, isBase64: Bool) {
    switch self {
    case .bytes(let bytes): (String(decoding: Base64.encode(bytes), as: UTF8.self), true)
    case .omitted(let count): ("(\(count) bytes that are not recorded)", false)
    default: (String(decoding: bytes, as: UTF8.self), false)
    }
  }
}

extension HTTPHeaders {
  /// The headers as objects with a name, or a key, and a value.
  package func json(_ name: String = "name") -> JSONValue {
    .array(map { [name: .string($0.name), "value": .string($0.value)] })
  }
}
