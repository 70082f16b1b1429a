import NovaCore
import NovaFixtures

/// A value of the manifest, and where it stands.
struct ManifestReader {
  let file: String
  let path: String
  let value: JSONValue?

  subscript(name: String) -> ManifestReader {
    ManifestReader(file: file, path: path.isEmpty ? name : "\(path).\(name)", value: value?[name])
  }

  func text<T>(_ expected: String, _ parse: (String) -> T?) throws(FixtureError) -> T {
    guard let text = value?.stringValue, let result = parse(text) else { throw failure(expected) }
    return result
  }

  func seed() throws(FixtureError) -> Seed {
    let text = try text("a seed such as nova1:42") { $0 }
    do { return try Seed(parsing: text) } catch { throw .unreadable("\(file): \(path): \(error)") }
  }

  func number() throws(FixtureError) -> Int {
    guard let number = value?.integerValue, number >= 0 else { throw failure("a number from 0") }
    return number
  }

  func list<T>(_ read: (ManifestReader) throws(FixtureError) -> T) throws(FixtureError) -> [T] {
    guard case .array(let values) = value else { throw failure("a list") }
    var results: [T] = []
    for (place, value) in values.enumerated() {
      results.append(try read(ManifestReader(file: file, path: "\(path)[\(place)]", value: value)))
    }
    return results
  }

  func entity() throws(FixtureError) -> FixtureEntity { try text("an entity") { FixtureEntity(rawValue: $0) } }

  private func failure(_ expected: String) -> FixtureError {
    .unreadable(
      "\(file) is no manifest of nova fixtures: \(path) is \(value?.kindDescription ?? "missing"); expected \(expected)"
    )
  }
}
