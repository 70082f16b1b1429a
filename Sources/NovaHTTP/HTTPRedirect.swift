import NovaSupport

/// A redirect that the transport followed on the way to a response: what a cache must know of it, because it decides
/// for how long the response is also that of the URL that redirected.
package struct HTTPRedirect: Sendable, Hashable {
  /// The status code: 301, 302, 303, 307, or 308.
  package let status: Int
  /// The header fields that concern caches, and no others.
  package let headers: HTTPHeaders
  /// Where it led; nil if that is unknown, because the response was stored.
  package let target: HTTPURL?

  private static let fields = ["Cache-Control", "Age", "Date", "Expires", "Last-Modified", "Vary"]

  /// Creates a redirect. Of the header fields, those that concern caches are kept.
  package init(status: Int, headers: HTTPHeaders, target: HTTPURL?) {
    self.status = status
    self.headers = HTTPHeaders(
      headers.filter { field in Self.fields.contains { field.name.equalsIgnoringASCIICase($0) } })
    self.target = target
  }
}

extension HTTPRedirect: CustomStringConvertible, CustomReflectable {
  /// Without the target, whose path or query can be a secret.
  package var description: String { "\(status) to \(target?.origin.place ?? "a place that was stored")" }
  package var customMirror: Mirror { Mirror(self, children: ["status": status], displayStyle: .struct) }
}
