import NovaSupport

/// A redirect that the transport followed. A cache needs it, because it determines how long the response is also valid
/// for the URL that redirected.
package struct HTTPRedirect: Sendable, Hashable {
  /// The status code: 301, 302, 303, 307, or 308.
  package let status: Int
  /// The header fields that concern caches.
  package let headers: HTTPHeaders
  /// The target; nil if unknown, because the response was stored.
  package let target: HTTPURL?

  private static let fields = ["Cache-Control", "Age", "Date", "Expires", "Last-Modified", "Vary"]

  /// Creates a redirect. It keeps only the header fields that concern caches.
  package init(status: Int, headers: HTTPHeaders, target: HTTPURL?) {
    self.status = status
    self.headers = HTTPHeaders(
      headers.filter { field in Self.fields.contains { field.name.equalsIgnoringASCIICase($0) } })
    self.target = target
  }
}

extension HTTPRedirect: CustomStringConvertible, CustomReflectable {
  /// Does not contain the target, whose path or query can be secret.
  package var description: String { "\(status) to \(target?.origin.place ?? "a place that was stored")" }
  package var customMirror: Mirror { Mirror(self, children: ["status": status], displayStyle: .struct) }
}
