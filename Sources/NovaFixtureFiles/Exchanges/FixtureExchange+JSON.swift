import NovaCore

extension FixtureExchange {
  /// `{"name":…,"request":{"method":…,"path":…,"headers":[…],"body":…},"response":{"status":…,"headers":[…],"body":…}}`
  var json: JSONValue {
    let path = request.url.hasPrefix(Self.baseURL) ? String(request.url.dropFirst(Self.baseURL.count)) : request.url
    return .object([
      .init(name: "name", value: .string(name)),
      .init(
        name: "request",
        value: .object(
          [
            .init(name: "method", value: .string(request.method.rawValue)), .init(name: "path", value: .string(path)),
            .init(name: "headers", value: Self.value(request.headers)),
          ] + Self.body(request.body))),
      .init(
        name: "response",
        value: .object(
          [
            .init(name: "status", value: .number(String(response.status))),
            .init(name: "headers", value: Self.value(response.headers)),
          ] + Self.body(response.body))),
    ])
  }

  private static func value(_ headers: HTTPHeaders) -> JSONValue {
    .array(
      headers.map { field in
        .object([.init(name: "name", value: .string(field.name)), .init(name: "value", value: .string(field.value))])
      })
  }

  /// JSON as it is; what is none, such as broken JSON and bytes of files, in Base64.
  private static func body(_ bytes: [UInt8]) -> [JSONValue.Member] {
    if bytes.isEmpty { return [] }
    if let json = try? JSONValue(jsonUTF8: bytes) { return [.init(name: "body", value: json)] }
    return [.init(name: "body_base64", value: .string(String(decoding: Base64.encode(bytes), as: UTF8.self)))]
  }
}
