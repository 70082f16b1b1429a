import NovaCore

extension FixtureExchange {
  /// `{"name":…,"request":{"method":…,"path":…,"headers":[…],"body":…},"response":{"status":…,"headers":[…],"body":…}}`
  var json: JSONValue {
    let (asked, answered) = (Body(request.body.inMemory), Body(response.body.inMemory))
    return .members(
      ("name", .string(name)),
      (
        "request",
        .members(
          ("method", .string(request.method.rawValue)), ("path", .string(target)),
          ("headers", Self.value(request.headers)), ("body", asked.json), ("body_base64", asked.base64))
      ),
      (
        "response",
        .members(
          ("status", .number(String(response.status))), ("headers", Self.value(response.headers)),
          ("body", answered.json), ("body_base64", answered.base64))
      ))
  }

  private static func value(_ headers: HTTPHeaders) -> JSONValue {
    .array(headers.map { .members(("name", .string($0.name)), ("value", .string($0.value))) })
  }
}

/// JSON as it is; what is none, such as broken JSON and bytes of files, in Base64.
private struct Body {
  let json: JSONValue?
  let base64: JSONValue?

  init(_ bytes: [UInt8]) {
    json = bytes.isEmpty ? nil : try? JSONValue(jsonUTF8: bytes)
    let isOther = !bytes.isEmpty && json == nil
    base64 = isOther ? .string(String(decoding: Base64.encode(bytes), as: UTF8.self)) : nil
  }
}
