import NovaSDK
import NovaTesting

/// What a collector has received, as its parts.
struct Received {
  var requests: [HTTPRequest]

  init(_ collector: FaultServer) { requests = collector.requests }

  /// The messages that were sent to a path.
  func messages(_ path: String) throws -> [JSONValue] {
    try requests.filter { $0.url.path == path }.map { try JSONValue(jsonUTF8: $0.body.bytes ?? []) }
  }

  /// All spans.
  var spans: [JSONValue] {
    get throws {
      try messages("/v1/traces").flatMap { $0.items("resourceSpans") }.flatMap { $0.items("scopeSpans") }
        .flatMap { $0.items("spans") }
    }
  }

  /// The metrics of the last export: they are cumulative.
  var metrics: [JSONValue] {
    get throws {
      let last = try messages("/v1/metrics").last
      return last?.items("resourceMetrics").flatMap { $0.items("scopeMetrics") }.flatMap { $0.items("metrics") } ?? []
    }
  }
}

extension JSONValue {
  /// The elements of a list in a message.
  func items(_ name: String) -> [JSONValue] {
    if case .array(let items)? = self[name] { items } else { [] }
  }

  func text(_ name: String) -> String? { self[name]?.stringValue }

  /// The attributes by name, each as text.
  var attributes: [String: String] {
    Dictionary(
      items("attributes").map { pair in
        let value = pair["value"]
        let text = value?.text("stringValue") ?? value?.text("intValue")
        return (pair.text("key") ?? "", text ?? "")
      }
    ) { $1 }
  }
}
