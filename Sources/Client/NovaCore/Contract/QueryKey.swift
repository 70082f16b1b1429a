/// The name of a parameter, taken apart: `filter.labels[color]` is `filter`, `labels`, and the key `color`.
struct QueryKey {
  let path: [String]
  /// The key of a map's entry; nil without brackets.
  let mapKey: String?

  init(_ name: String) {
    guard name.hasSuffix("]"), let start = name.lastIndex(of: "[") else {
      self.init(path: name.parts(between: ".", keepsEmpty: true), mapKey: nil)
      return
    }
    let field = String(name[..<start])
    let key = String(name[name.index(after: start)...].dropLast())
    self.init(path: field.parts(between: ".", keepsEmpty: true), mapKey: key)
  }

  private init(path: [String], mapKey: String?) {
    self.path = path
    self.mapKey = mapKey
  }

  /// The name inside the message of the first field.
  var inner: QueryKey { QueryKey(path: Array(path.dropFirst()), mapKey: mapKey) }

  /// The name as it was.
  var text: String { path.joined(separator: ".") + (mapKey.map { "[\($0)]" } ?? "") }
}
