import NovaSupport

/// One place where two JSON values differ.
package struct JSONDifference: Sendable {
  /// The path of the place.
  package let path: JSONPath
  /// The value on the left; nil if absent.
  package let left: JSONValue?
  /// The value on the right; nil if absent.
  package let right: JSONValue?
}

/// A place in a JSON value.
package struct JSONPath: Sendable, CustomStringConvertible {
  /// A step into an object or a list.
  package enum Component: Sendable, Equatable {
    case member(String)
    case element(Int)
  }

  package var components: [Component] = []

  package init() {}

  /// `likes[2].user_id`; empty for the whole value.
  package var description: String { appended(to: "") }

  /// The path, appended to the path of the value around it: `$.likes[2].user_id`.
  package func appended(to root: String) -> String {
    components.reduce(into: root) { text, component in
      switch component {
      case .member(let name): text += text.isEmpty ? name : ".\(name)"
      case .element(let index): text += "[\(index)]"
      }
    }
  }

  /// The names of the members on the path.
  package var names: [String] {
    components.compactMap { if case .member(let name) = $0 { name } else { nil } }
  }

  fileprivate func appending(_ component: Component) -> JSONPath {
    var path = self
    path.components.append(component)
    return path
  }
}

extension JSONValue {
  /// Lists where another value differs. The order of members does not matter, and 1 is equal to 1.0.
  ///
  /// - Parameters:
  ///   - other: the value on the right.
  ///   - areEqual: decides whether two values at the same place count as equal; nil to compare them.
  package func differences(
    from other: JSONValue, areEqual: (JSONPath, JSONValue, JSONValue) -> Bool? = { _, _, _ in nil }
  ) -> [JSONDifference] {
    var differences: [JSONDifference] = []
    func compare(_ left: JSONValue?, _ right: JSONValue?, at path: JSONPath) {
      func check(_ isEqual: Bool) {
        if !isEqual { differences.append(JSONDifference(path: path, left: left, right: right)) }
      }
      guard let left, let right else { return check(false) }
      if let isEqual = areEqual(path, left, right) { return check(isEqual) }
      switch (left, right) {
      case (.object(let lefts), .object(let rights)):
        for member in lefts {
          compare(left[member.name], right[member.name], at: path.appending(.member(member.name)))
        }
        for member in rights where left[member.name] == nil {
          compare(nil, right[member.name], at: path.appending(.member(member.name)))
        }
      case (.array(let lefts), .array(let rights)):
        for index in 0..<max(lefts.count, rights.count) {
          compare(
            index < lefts.count ? lefts[index] : nil, index < rights.count ? rights[index] : nil,
            at: path.appending(.element(index)))
        }
      default:
        check(left.isEqualScalar(right))
      }
    }
    compare(self, other, at: JSONPath())
    return differences
  }

  private func isEqualScalar(_ other: JSONValue) -> Bool {
    guard case (.number(let left), .number(let right)) = (self, other), left != right else { return self == other }
    // Compare integers exactly: a `Double` cannot represent every 64-bit integer.
    if let left = integerValue, let right = other.integerValue { return left == right }
    return integerValue == nil && other.integerValue == nil && Double(left) == Double(right)
  }
}
