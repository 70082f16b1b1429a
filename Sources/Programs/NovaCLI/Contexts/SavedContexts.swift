import NovaCore

/// The contexts of a user, and which of them is current.
struct SavedContexts: Equatable {
  /// The name of the current context.
  private(set) var current: String?
  /// The contexts by name.
  private(set) var all: [ConfigurationContext] = []

  var names: [String] { all.map(\.name) }

  subscript(name: String) -> ConfigurationContext? { all.first { $0.name == name } }

  /// Whether a name can be given to a context. It is also the name of a directory.
  static func isName(_ name: String) -> Bool {
    name.consists(of: .contextName, count: 1...64) && name.first.map { $0.isLetter || $0.isNumber } == true
  }

  /// What names can be, for messages.
  static let nameExpectation = "1 to 64 letters, digits, hyphens, underscores and periods, with a letter or digit first"

  /// The name of another context that differs from `name` only in case: both would have one directory on a file system
  /// that ignores case.
  func name(like name: String) -> String? { names.first { $0 != name && $0.lowercased() == name.lowercased() } }

  // MARK: Changes

  /// Adds a context, or replaces that with the same name.
  mutating func set(_ context: ConfigurationContext) {
    all = (all.filter { $0.name != context.name } + [context]).sorted { $0.name < $1.name }
  }

  mutating func remove(_ name: String) {
    all.removeAll { $0.name == name }
    if current == name { current = nil }
  }

  /// Makes a context the current one; nil for none.
  mutating func use(_ name: String?) { current = name }
}

// MARK: As JSON

/// Why the file with the contexts cannot be used.
struct DamagedContexts: Error {
  let reason: String
}

extension SavedContexts {
  private static let version = "1"

  var json: JSONValue {
    .members(
      ("version", .number(Self.version)), ("current", current.map(JSONValue.string)),
      (
        "contexts",
        .object(all.map { context in JSONValue.Member(name: context.name, value: context.json) })
      ))
  }

  /// Reads the content of a file.
  ///
  /// - Throws: ``DamagedContexts`` for anything that was not written by ``json``.
  init(jsonUTF8 bytes: [UInt8]) throws(DamagedContexts) {
    let json: JSONValue
    do throws(ProtoJSONError) {
      json = try JSONValue(jsonUTF8: bytes)
    } catch {
      throw DamagedContexts(
        reason: "line \(error.line), column \(error.column): expected \(error.expected), found \(error.found)")
    }
    guard let members = json.memberList else { throw DamagedContexts(reason: "expected an object") }
    guard json["version"] == .number(Self.version) else {
      throw DamagedContexts(reason: "expected version \(Self.version); a later version of nova may have written it")
    }
    for member in members where !["version", "current", "contexts"].contains(member.name) {
      throw DamagedContexts(reason: "\(member.name.printable(to: 80)): not a key")
    }
    guard let contexts = json["contexts"]?.memberList else {
      throw DamagedContexts(reason: "contexts: expected an object")
    }
    for member in contexts {
      guard Self.isName(member.name) else {
        throw DamagedContexts(reason: "contexts: invalid context name \"\(member.name.printable(to: 80))\"")
      }
      set(try ConfigurationContext(named: member.name, json: member.value))
    }
    guard let name = json["current"] else { return }
    guard case .string(let name) = name, self[name] != nil else {
      throw DamagedContexts(reason: "current: expected the name of one of the contexts")
    }
    use(name)
  }
}

extension ConfigurationContext {
  private static let fileKey = "config"

  /// The settings by key.
  var json: JSONValue {
    let file = configurationFile.map { [JSONValue.Member(name: Self.fileKey, value: .string($0))] } ?? []
    return .object(settings.map { JSONValue.Member(name: $0.key, value: $0.value) } + file)
  }

  fileprivate init(named name: String, json: JSONValue) throws(DamagedContexts) {
    guard let members = json.memberList else {
      throw DamagedContexts(reason: "contexts.\(name): expected an object")
    }
    var (settings, file) = ([Setting](), String?.none)
    for member in members {
      let place = "contexts.\(name).\(member.name.printable(to: 80))"
      if member.name == Self.fileKey {
        guard let path = member.value.stringValue, path.hasPrefix("/") else {
          throw DamagedContexts(reason: "\(place): expected the absolute path of a file")
        }
        file = path
        continue
      }
      guard Self.keys.contains(member.name) else { throw DamagedContexts(reason: "\(place): not a setting") }
      guard Self.isValid(member.value, for: member.name) else {
        throw DamagedContexts(reason: "\(place): not a valid value")
      }
      settings.append(Setting(member.name, member.value))
    }
    self.init(name: name, settings: settings, configurationFile: file)
  }

  /// The settings on one line: `base_url http://localhost:8080, ca_file /etc/ca.pem`.
  var summary: String {
    (json.memberList ?? []).map {
      "\($0.name) \($0.value.stringValue ?? String(decoding: $0.value.jsonUTF8, as: UTF8.self))"
    }
    .joined(separator: ", ")
  }
}

extension ASCIISet {
  fileprivate static let contextName = alphanumerics + ASCIISet("-_.")
}
