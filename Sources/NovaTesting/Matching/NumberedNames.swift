/// Tells apart what has the same name: `a`, `a (2)`, `a (3)`.
package struct NumberedNames {
  private var uses: [String: Int] = [:]

  package init() {}

  /// The name, with a number from the second time on.
  package mutating func next(_ name: String) -> String {
    let number = uses[name, default: 0] + 1
    uses[name] = number
    return number == 1 ? name : "\(name) (\(number))"
  }
}
