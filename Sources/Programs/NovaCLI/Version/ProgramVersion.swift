internal import CNovaProgram
import NovaCore
import NovaLibc

/// What a report of a fault must name: the versions of the program, of its libraries, and of the system.
struct ProgramVersion {
  let version = NovaSDKVersion.current
  let commit = BuildCommit.current
  let libraries = LoadedLibrary.all()

  /// The version of Swift that compiled the program. The compiler's own versions are not known before they exist.
  static let swift: String = {
    #if compiler(>=6.5)
      "6.5 or later"
    #elseif compiler(>=6.4)
      "6.4"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }()

  /// The package traits that were compiled in.
  static let traits: [String] = {
    var traits: [String] = []
    #if GRPC
      traits.append("GRPC")
    #endif
    #if Mock
      traits.append("Mock")
    #endif
    #if Server
      traits.append("Server")
    #endif
    #if ServiceLifecycle
      traits.append("ServiceLifecycle")
    #endif
    #if WebSocket
      traits.append("WebSocket")
    #endif
    return traits
  }()

  /// Whether the program was compiled for debugging.
  static let isDebugBuild: Bool = {
    #if DEBUG
      true
    #else
      false
    #endif
  }()

  /// `Linux x86_64`
  static let platform: String = {
    var name = utsname()
    guard uname(&name) == 0 else { return "unknown" }
    return "\(text(of: name.sysname)) \(text(of: name.machine))"
  }()

  /// The C library at run time: `glibc 2.36`; nil where it has no version of its own.
  static let cLibrary: String? = {
    if let version = nova_glibc_version() { return "glibc \(String(cString: version))" }
    #if canImport(Musl)
      return "musl"
    #else
      return nil
    #endif
  }()

  /// The text in an array of characters that C has as a tuple.
  private static func text<Characters>(of characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

extension ProgramVersion {
  private var curl: LoadedLibrary? { libraries.first { $0.name == "libcurl" } }
  /// The TLS library of libcurl.
  private var tls: String? { (curl?.details).flatMap(LoadedLibrary.tlsBackend) }

  var json: JSONValue {
    .members(
      ("version", .string(version)), ("commit", commit.map { .string($0.id) } ?? .null),
      ("commit_date", commit.map { .string($0.date) } ?? .null), ("modified", .bool(commit?.isModified ?? false)),
      ("debug", .bool(Self.isDebugBuild)), ("traits", .strings(Self.traits)), ("swift", .string(Self.swift)),
      ("platform", .string(Self.platform)), ("c_library", Self.cLibrary.map(JSONValue.string) ?? .null),
      ("tls", tls.map(JSONValue.string) ?? .null), ("libraries", .array(libraries.map(\.json))))
  }

  /// Labels and texts. On a terminal, a missing library's line also explains what it is for.
  var rows: [(label: String, text: String)] {
    var rows = [
      ("NOVA", version), ("COMMIT", commit?.description ?? "unknown"),
      ("TRAITS", Self.traits.joined(separator: ", ") + (Self.isDebugBuild ? " (debug build)" : "")),
      ("SWIFT", Self.swift), ("PLATFORM", Self.platform + (Self.cLibrary.map { ", \($0)" } ?? "")),
    ]
    for library in libraries { rows.append((library.name, library.text)) }
    if let tls { rows.insert(("TLS", "\(tls), by libcurl"), at: rows.count - libraries.count + 1) }
    return rows
  }
}

extension LoadedLibrary {
  var json: JSONValue {
    .members(
      ("name", .string(name)), ("version", version.map(JSONValue.string) ?? .null),
      ("details", details.map(JSONValue.string)), ("needed_for", .string(purpose)),
      ("problem", problem.map(JSONValue.string)))
  }

  /// `8.14.1 (libcurl/8.14.1 OpenSSL/3.5.4 …)`, or why there is none.
  var text: String {
    guard let version else { return "missing: \(problem ?? "unknown reason"); needed for \(purpose)" }
    return details.map { "\(version) (\($0))" } ?? version
  }
}
