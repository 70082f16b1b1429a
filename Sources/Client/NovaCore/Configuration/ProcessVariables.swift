// `environ` is a C global that Swift 6 cannot see is only read here.
@preconcurrency import NovaLibc

extension APIConfiguration {
  /// A copy of the process's environment variables as they are now.
  public static func processVariables() -> [String: String] {
    #if canImport(Darwin)
      let list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = _NSGetEnviron().pointee
    #else
      let list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
    #endif
    guard let list else { return [:] }
    var variables: [String: String] = [:]
    var index = 0
    while let entry = list[index] {
      index += 1
      // Some are paths, which need not be UTF-8.
      let text = String(path: entry)
      guard let equals = text.firstIndex(of: "=") else { continue }
      // The first of two with one name is what `getenv` finds.
      variables.add(String(text[text.index(after: equals)...]), named: String(text[..<equals]))
    }
    return variables
  }
}
