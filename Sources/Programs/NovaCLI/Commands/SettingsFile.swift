import NovaCore

/// A configuration file that is changed.
struct SettingsFile {
  let path: String
  /// Whether nova finds it in the current directory, so that it needs an approval to decide where tokens are sent.
  let isFound: Bool

  private static let limit = 1 << 20

  /// Changes the content. The file is replaced as a whole, if the result is a valid configuration.
  ///
  /// - Throws: ``Failure``; ConfigurationError for an invalid result.
  func change(_ body: (inout SettingsDocument) throws -> Void) throws {
    let wasApproved = try isApprovedOrNew()
    var document = try read()
    try body(&document)
    try Failure.writing(path) { try System.replaceFile(path, with: document.bytes) }
    if wasApproved { try approve() }
  }

  private func read() throws -> SettingsDocument {
    guard System.fileExists(path) else { return SettingsDocument() }
    let bytes = try Failure.explaining("cannot read \(path.displayed)", as: .badData) {
      try SystemIO.readFile(path, limit: Self.limit)
    }
    guard let bytes else { throw Failure("cannot read \(path.displayed): larger than 1 MiB", .badData) }
    let json: JSONValue
    do throws(ProtoJSONError) { json = try JSONValue(jsonUTF8: Array(ByteOrderMark.removed(from: bytes))) } catch {
      throw Failure(error, in: path.displayed)
    }
    guard json.memberList != nil else {
      throw Failure("cannot change \(path.displayed): expected an object, found \(json.kindDescription)", .badData)
    }
    return SettingsDocument(json)
  }

  // MARK: Approval

  private var foundFile: FoundConfigurationFile? {
    guard isFound else { return nil }
    return try? APIConfiguration.load(
      file: .standard, environment: [:], overrides: ConfigurationOverrides(), context: nil
    ).foundFile
  }

  /// Whether the user has decided what is in the file: with an approval, or because it is made now.
  private func isApprovedOrNew() throws -> Bool {
    guard isFound else { return false }
    guard System.fileExists(path) else { return true }
    guard let file = foundFile, !file.decisions.isEmpty else { return foundFile != nil }
    return try ApprovedFiles.ofUser().state(of: ApprovedFiles.Approval(file)) == .approved
  }

  private func approve() throws {
    guard let file = foundFile, !file.decisions.isEmpty else { return }
    try ApprovedFiles.ofUser().approve(ApprovedFiles.Approval(file))
  }
}

/// The content of a configuration file.
struct SettingsDocument {
  private(set) var json: JSONValue

  init(_ json: JSONValue = .object([])) { self.json = json }

  var bytes: [UInt8] { PrettyJSON.spread(json) + [UInt8(ascii: "\n")] }

  /// Sets a value, in the form that the setting takes.
  ///
  /// - Throws: ConfigurationError if it takes none of them.
  mutating func set(_ key: String, to text: String, in file: SettingsFile) throws {
    let before = json
    var problem: (any Error)?
    for value in SettingText(text).candidates {
      json = Self.setting(value, at: Self.names(key)[...], in: before)
      do { return try check(in: file) } catch { problem = problem ?? error }
    }
    json = before
    if let problem { throw problem }
  }

  mutating func remove(_ key: String, from file: SettingsFile) throws {
    guard let rest = Self.removing(Self.names(key)[...], from: json) else {
      throw Failure("not found: \(key.printable(to: 80)) in \(file.path.displayed)", .notFound)
    }
    json = rest
    try check(in: file)
  }

  /// Makes sure that it is a valid configuration, as far as values say.
  private func check(in file: SettingsFile) throws {
    try APIConfiguration.check(file: json.jsonUTF8, named: file.path)
  }

  private static func names(_ key: String) -> [String] {
    key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  private static func setting(_ value: JSONValue, at names: ArraySlice<String>, in json: JSONValue) -> JSONValue {
    guard let name = names.first else { return value }
    var members = json.memberList ?? []
    if let index = members.firstIndex(where: { $0.name.hasSameBytes(as: name) }) {
      members[index].value = setting(value, at: names.dropFirst(), in: members[index].value)
    } else {
      members.append(.init(name: name, value: setting(value, at: names.dropFirst(), in: .object([]))))
    }
    return .object(members)
  }

  /// The JSON without a value, and without objects that have become empty; nil if it has no such value.
  private static func removing(_ names: ArraySlice<String>, from json: JSONValue) -> JSONValue? {
    guard let name = names.first, var members = json.memberList,
      let index = members.firstIndex(where: { $0.name.hasSameBytes(as: name) })
    else { return nil }
    if names.count == 1 {
      members.remove(at: index)
    } else {
      guard let rest = removing(names.dropFirst(), from: members[index].value) else { return nil }
      if rest.memberList?.isEmpty == true { members.remove(at: index) } else { members[index].value = rest }
    }
    return .object(members)
  }
}

/// The value of a setting as it is typed.
struct SettingText {
  private let text: String

  init(_ text: String) { self.text = text }

  /// What it can be in JSON, the most likely first: a text, a number or a flag, a list with commas.
  var candidates: [JSONValue] {
    var candidates: [JSONValue] = [.string(text)]
    if let literal = try? JSONValue(jsonUTF8: Array(text.utf8)), literal.stringValue == nil, literal.memberList == nil {
      candidates.insert(literal, at: 0)
    }
    let parts = text.split(separator: ",").map { String($0).trimmed() }
    return candidates + [.array(parts.map(JSONValue.string))]
  }
}
