import NovaCore
import NovaTesting

#if os(Linux)
  /// A request to the gateway of a walk, with what its process has added.
  struct WalkRequest: Sendable {
    let http: HTTPRequest
    /// The name of the process.
    let process: String
    /// When the limit let it pass, in microseconds; nil for requests without a limit.
    let time: Int?
    let key: String
    let token: String

    var path: String { http.url.path }
    var body: String { String(decoding: http.body.inMemory, as: UTF8.self) }

    init(_ raw: RawRequest) {
      let words = raw.requestLine.split(separator: " ").map(String.init)
      var headers = HTTPHeaders()
      for line in raw.headerLines {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 { headers.append(name: String(parts[0]), value: String(parts[1].drop { $0 == " " })) }
      }
      process = headers["X-Walk-Process"] ?? "of the test"
      time = headers["X-Walk-Time"].flatMap { Int($0) }
      key = headers["Idempotency-Key"] ?? ""
      token = String((headers["Authorization"] ?? "").dropFirst("Bearer ".count))
      http = HTTPRequest(
        method: HTTPMethod(rawValue: words.first ?? ""), url: HTTPURL(received: words.dropFirst().first ?? "/"),
        headers: headers, body: raw.body)
    }
  }

  extension WalkGateway.Trap {
    func matches(_ request: WalkRequest) -> Bool {
      switch self {
      case .refresh: request.path == "/api/v1/auth/refresh"
      case .delivery: request.key.hasPrefix("walk-")
      case .write: request.key.hasPrefix("share-")
      case .read: request.time != nil && request.key.isEmpty
      }
    }
  }

  extension WalkGateway.State {
    /// Records what a request has changed.
    mutating func note(_ request: WalkRequest, by user: String, _ response: HTTPResponse) {
      guard !request.key.isEmpty else { return }
      if response.headers["Idempotency-Replayed"] != nil {
        traffic.repetitions += 1
      } else if response.isSuccess {
        traffic.effects.append(.init(user: user, key: request.key, body: request.body, process: request.process))
      } else {
        traffic.problems.append(
          "process \(request.process): \(request.path) of \(user) under \(request.key) got \(response.status)")
      }
    }
  }

  extension HTTPResponse {
    /// A JSON answer with new tokens.
    static func walk(_ status: Int, _ json: JSONValue, grant: WalkTokens.Grant? = nil) -> HTTPResponse {
      var members = json.memberList ?? []
      if let grant {
        members += [
          .init(name: "token", value: .string(grant.access)),
          .init(name: "refresh_token", value: .string(grant.refresh)),
          .init(name: "expires_in", value: .number(WalkTokens.lifetime)),
        ]
      }
      var headers: HTTPHeaders = ["Content-Type": "application/json"]
      if grant?.isRepeated == true { headers["Idempotency-Replayed"] = "true" }
      return HTTPResponse(status: status, headers: headers, body: JSONValue.object(members).jsonUTF8)
    }

    /// An image that only one user may see, and caches of that user may keep for a second.
    static func walkImage(_ mark: String) -> HTTPResponse {
      HTTPResponse(
        status: 200, headers: ["Content-Type": "image/png", "Cache-Control": "private, max-age=1"],
        body: Array("image of \(mark)".utf8))
    }

    /// As it is sent.
    var bytes: [UInt8] {
      let date = HTTPHeaders.Field(name: "Date", value: HTTPDate.text(Int64(ContinuousClock().unixTime)))
      let length = HTTPHeaders.Field(name: "Content-Length", value: "\(body.inMemory.count)")
      let lines = (headers.fields + [date, length]).map { "\($0.name): \($0.value)" }
      let head = ["HTTP/1.1 \(status) Status"] + lines
      return Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body.inMemory
    }
  }
#endif
