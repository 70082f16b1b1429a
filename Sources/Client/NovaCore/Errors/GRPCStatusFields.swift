// Envoy's transcoder, by default, reports a failure as an empty body with `grpc-status`, `grpc-message`, and
// `grpc-status-details-bin` in the header fields. Everything that reads failures reads bodies, so the fields become one.
extension HTTPResponse {
  /// The response with the gRPC status of its header fields as grpc-gateway's body: `{"code":5,"message":"…","details":[…]}`.
  /// The same response if the fields have no failure, or the body describes one itself.
  var withGRPCStatusInBody: HTTPResponse {
    guard let code = headers.failedGRPCStatus else { return self }
    // An HTTP failure is more specific than an unreadable gRPC status.
    guard (200..<300).contains(self.status) || headers.namesFailedGRPCStatus else { return self }
    let body = body.inMemory
    let own = try? JSONValue(jsonUTF8: body)
    if own?.namesCode == true || own?["error"]?.namesCode == true { return self }
    let status = headers.values(for: "grpc-status-details-bin").last.flatMap { Base64.decode($0) }.map {
      WireMessage(readable: $0)
    }
    var message = headers.values(for: "grpc-message").last.map(Self.percentDecoded) ?? ""
    if message.isEmpty { message = status?.text(2) ?? "" }
    // If the status has no message, the body's text is the message: Envoy's own replies have one or the other.
    if message.isEmpty, own == nil, !isHTML { message = String(decoding: body.prefix(1000), as: UTF8.self) }
    var response = self
    response.headers["Content-Type"] = "application/json"
    response.body = .bytes(
      JSONValue.object([
        .init(name: "code", value: .number("\(code)")), .init(name: "message", value: .string(message)),
        .init(name: "details", value: .array(status?.messages(3).map(ErrorDetails.json) ?? [])),
      ]).jsonUTF8)
    return response
  }

  /// As gRPC requires, invalid escapes stay as they are.
  private static func percentDecoded(_ text: String) -> String {
    PercentEncoding.decode(text.utf8Bytes, keepsBroken: true).map { String(decoding: $0, as: UTF8.self) } ?? text
  }
}

extension JSONValue {
  /// Whether this is a failure with a code, as text or as gRPC's number.
  fileprivate var namesCode: Bool {
    self["code"]?.stringValue?.isEmpty == false || GRPCStatus(describedIn: self) != nil
  }
}

/// The details of a `google.rpc.Status`, as proto3 JSON has them.
private enum ErrorDetails {
  private indirect enum Form {
    case text, duration, texts
    case messages([Int: (name: String, form: Form)])
  }

  private static let violation: [Int: (name: String, form: Form)] = [
    1: ("field", .text), 2: ("description", .text), 3: ("reason", .text),
  ]

  // The types that servers send; others stay as bytes.
  private static let types: [String: [Int: (name: String, form: Form)]] = [
    "google.rpc.ErrorInfo": [1: ("reason", .text), 2: ("domain", .text), 3: ("metadata", .texts)],
    "google.rpc.RetryInfo": [1: ("retryDelay", .duration)],
    "google.rpc.BadRequest": [1: ("fieldViolations", .messages(violation))],
    "google.rpc.QuotaFailure": [1: ("violations", .messages([1: ("subject", .text), 2: ("description", .text)]))],
    "google.rpc.PreconditionFailure": [
      1: ("violations", .messages([1: ("type", .text), 2: ("subject", .text), 3: ("description", .text)]))
    ],
    "google.rpc.RequestInfo": [1: ("requestId", .text), 2: ("servingData", .text)],
    "google.rpc.LocalizedMessage": [1: ("locale", .text), 2: ("message", .text)],
  ]

  /// A `google.protobuf.Any`.
  static func json(_ any: WireMessage) -> JSONValue {
    let url = any.text(1) ?? ""
    let value = Array(any.bytes(2).last ?? [])
    let type = JSONValue.Member(name: "@type", value: .string(url))
    let name = url.lastIndex(of: "/").map { String(url[url.index(after: $0)...]) } ?? url
    guard let fields = types[name] else {
      let text = String(decoding: Base64.encode(value), as: UTF8.self)
      return .object([type, .init(name: "value", value: .string(text))])
    }
    return .object([type] + members(of: WireMessage(readable: value), fields))
  }

  private static func members(
    of message: WireMessage, _ fields: [Int: (name: String, form: Form)]
  ) -> [JSONValue.Member] {
    fields.keys.sorted().compactMap { number in
      guard let (name, form) = fields[number], let value = value(number, of: message, form) else { return nil }
      return JSONValue.Member(name: name, value: value)
    }
  }

  private static func value(_ number: Int, of message: WireMessage, _ form: Form) -> JSONValue? {
    switch form {
    case .text: return message.text(number).map { .string($0) }
    case .duration:
      guard let duration = message.messages(number).last else { return nil }
      let time = Duration(
        secondsComponent: Int64(bitPattern: duration.integer(1) ?? 0),
        attosecondsComponent: min(max(Int64(bitPattern: duration.integer(2) ?? 0), -999_999_999), 999_999_999)
          * 1_000_000_000)
      return time.protoJSON.map { .string($0) }
    case .texts:
      var members: [JSONValue.Member] = []
      for entry in message.messages(number) {
        let name = entry.text(1) ?? ""
        members.removeAll { $0.name == name }
        members.append(.init(name: name, value: .string(entry.text(2) ?? "")))
      }
      return members.isEmpty ? nil : .object(members)
    case .messages(let fields):
      let values = message.messages(number).map { JSONValue.object(members(of: $0, fields)) }
      return values.isEmpty ? nil : .array(values)
    }
  }
}
