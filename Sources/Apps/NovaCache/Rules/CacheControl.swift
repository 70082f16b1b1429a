import NovaCore

/// The directives of `Cache-Control` in a request or a response (RFC 9111, 5.2).
///
/// If a header is malformed or contradicts itself, the interpretation that reuses less applies.
struct CacheControl: Sendable {
  /// Longer than any lifetime, and the largest number that RFC 9111 requires caches to represent.
  static let longest = 1 << 31

  private var directives: [String: [String?]] = [:]
  private let isMalformed: Bool

  init(_ headers: HTTPHeaders) {
    let values = headers.values(for: "Cache-Control")
    isMalformed = !values.allSatisfy(FieldList.isBalanced)
    for element in FieldList.elements(values) {
      let parts = element.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count > 1 ? String(parts[1]) : nil
      directives[parts[0].lowercased(), default: []].append(value)
    }
  }

  func contains(_ name: String) -> Bool { directives[name] != nil }

  /// The seconds of a directive: the smallest if there are several, and 0 if invalid; nil if absent.
  func seconds(_ name: String) -> Int? { directives[name]?.map(Self.seconds).min() }

  /// The seconds of a directive: the largest if there are several, and 0 if invalid; nil if absent.
  func largestSeconds(_ name: String) -> Int? { directives[name]?.map(Self.seconds).max() }

  /// Whether the directive is present without a value.
  func containsWithoutValue(_ name: String) -> Bool { directives[name]?.contains(nil) ?? false }

  /// Whether each use requires a validation.
  var requiresValidation: Bool { isMalformed || containsWithoutValue("no-cache") }

  /// The fields that must not be reused without validation, in lower case: those listed by `no-cache`.
  var fieldsRequiringValidation: Set<String> {
    let lists = (directives["no-cache"] ?? []).compactMap { $0?.unquoted }
    return Set(FieldList.elements(lists).map { $0.lowercased() })
  }

  private static func seconds(_ value: String?) -> Int {
    guard let value = value?.unquoted, !value.isEmpty, value.consists(of: .digits) else { return 0 }
    return min(Int(digits: value[...]) ?? longest, longest)
  }
}
