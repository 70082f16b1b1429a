/// The name of a media type, as rules about bodies compare it: without parameters and white space, in lower case.
///
/// Fields that a proxy joined with a comma, or a server sent twice, count by their first value.
package enum ContentTypeName {
  /// The name in a `Content-Type`; empty if the value has none, such as `;charset=utf-8`.
  package static func of(_ value: String) -> String {
    // Most values are this one already.
    if value == "application/json" { return value }
    var (name, isAfterSpace) = ("", false)
    for scalar in value.unicodeScalars {
      switch scalar {
      case ";", ",": return name
      case " ", "\t": isAfterSpace = true
      // Some servers write parameters without a semicolon.
      case _ where isAfterSpace && !name.isEmpty && scalar != "/" && name.last != "/": return name
      default:
        name += scalar.properties.lowercaseMapping
        isAfterSpace = false
      }
    }
    return name
  }

  /// Whether a name is that of a JSON document, and not of several in a row.
  package static func isJSON(_ name: String) -> Bool { name == "application/json" || name.hasSuffix("+json") }

  /// Whether a name is that of a web page.
  package static func isPage(_ name: String) -> Bool { name == "text/html" || name == "application/xhtml+xml" }
}

extension HTTPHeaders {
  /// The name of the body's media type; empty if it is not stated. See ``ContentTypeName``.
  package var contentTypeName: String { self["Content-Type"].map(ContentTypeName.of) ?? "" }
}
