/// Which configuration file is read.
public struct ConfigurationFile: Sendable {
  private enum Kind {
    case standard(directory: String)
    case path(String, source: ConfigurationSource)
    case none
  }

  private let kind: Kind

  /// The file `NOVA_CONFIG` names; without that `APIConfig.json` in the current directory, if there is one.
  public static let standard = standard(in: "")

  /// Like ``standard``, with another directory in the place of the current one.
  public static func standard(in directory: String) -> ConfigurationFile {
    ConfigurationFile(kind: .standard(directory: directory))
  }

  /// No file; `NOVA_CONFIG` is ignored.
  public static let none = ConfigurationFile(kind: .none)

  /// This file, which must exist; `NOVA_CONFIG` is ignored.
  public static func path(_ path: String) -> ConfigurationFile { ConfigurationFile(kind: .path(path, source: .code)) }

  /// This file, which must exist, and which is named by `source`; `NOVA_CONFIG` is ignored.
  package static func path(_ path: String, from source: ConfigurationSource) -> ConfigurationFile {
    ConfigurationFile(kind: .path(path, source: source))
  }

  /// The largest file that is read, in bytes.
  static let limit = 1_048_576

  /// The file's path and contents, and whether it was named explicitly; nil if there is no file.
  func read(
    _ variables: [String: String]
  ) throws(ConfigurationError) -> (path: String, bytes: [UInt8], isNamed: Bool)? {
    switch kind {
    case .none: return nil
    case .path(let path, let source): return try Self.read(path, named: "configuration file", from: source)
    case .standard(let directory):
      if let path = variables[ConfigurationVariable.config], !path.isEmpty {
        let source = ConfigurationSource.environmentVariable(ConfigurationVariable.config)
        return try Self.read(path, named: ConfigurationVariable.config, from: source)
      }
      let path = directory.isEmpty || directory.hasSuffix("/") ? directory : "\(directory)/"
      let file = "\(path)APIConfig.json"
      guard SystemIO.exists(file) else { return nil }
      let found = try Self.read(file, named: "configuration file", from: .file(file))
      return (found.path, found.bytes, isNamed: false)
    }
  }

  private static func read(
    _ path: String, named name: String, from source: ConfigurationSource
  ) throws(ConfigurationError) -> (path: String, bytes: [UInt8], isNamed: Bool) {
    (path, try FileContents.read(path, limit: limit, named: name, from: source), isNamed: true)
  }
}

extension ConfigurationSource {
  /// What a path may lead to that this source names: a file that was only found may be anybody's, and a pipe in its place
  /// would make every program wait for ever. Whoever names a pipe, such as `<(…)`, means it.
  var kindOfFiles: SystemIO.FileKind {
    switch self {
    case .file, .builtIn: .regular
    case .code, .environmentVariable, .named: .any
    }
  }

  /// The same for files that a library reads, whenever it likes, and without the SDK's time limits.
  var kindOfLibraryFiles: SystemIO.FileKind { kindOfFiles == .any ? .ending : kindOfFiles }
}

/// Small files, read whole.
enum FileContents {
  /// The file's bytes.
  ///
  /// - Parameters:
  ///   - limit: The most bytes the file may have.
  ///   - name: Who named the file, for the error.
  static func read(
    _ path: String, limit: Int, named name: String, from source: ConfigurationSource
  ) throws(ConfigurationError) -> [UInt8] {
    func refusal(_ expected: String) -> ConfigurationError {
      ConfigurationError(key: name, value: path.quoted, source: source, expected: expected)
    }
    guard !path.utf8.contains(0) else { throw refusal(SettingKind.path.expectation) }
    do throws(SystemError) {
      if let bytes = try SystemIO.readFile(path, limit: limit, source.kindOfFiles) { return bytes }
    } catch {
      throw refusal("a file that can be read (\(error.reason))")
    }
    throw refusal("a file of at most \(limit) bytes")
  }
}
