/// Why a text is not YAML that ``YAMLReader`` reads.
package struct YAMLError: Error, Hashable, CustomStringConvertible {
  /// The line, from 1.
  package let line: Int
  /// What was expected there, or is not supported.
  package let problem: String

  package var description: String { "line \(line): \(problem)" }
}
