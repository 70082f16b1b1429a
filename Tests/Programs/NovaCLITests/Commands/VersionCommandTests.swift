import NovaCore
import NovaTestSupport
import Testing

@testable import NovaCLI

@Suite struct VersionCommandTests {
  private func json(_ arguments: String...) async throws -> JSONValue {
    let run = try await ProgramRun(["version"] + arguments).result()
    #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
    return try JSONValue(jsonUTF8: Array(run.output.utf8))
  }

  @Test(arguments: [["--json"], ["-o", "json"], ["-o", "ndjson"]])
  func jsonHasWhatAReportNeeds(_ arguments: [String]) async throws {
    let run = try await ProgramRun(["version"] + arguments).result()
    let version = try JSONValue(jsonUTF8: Array(run.output.utf8))
    #expect(run.status == 0 && version["version"]?.stringValue == NovaSDKVersion.current, "\(run)")
    // Builds of tests have no commit.
    #expect(version["commit"] == .null && version["modified"] == .bool(false))
    let traits = version["traits"]?.elements?.compactMap(\.stringValue) ?? []
    #expect(Set(["GRPC", "Mock", "Server"]).isSubset(of: traits) && traits == traits.sorted())
    #expect(version["swift"]?.stringValue?.hasPrefix("6.") == true)
    #if canImport(Glibc)
      #expect(version["platform"]?.stringValue?.hasPrefix("Linux ") == true)
      #expect(version["c_library"]?.stringValue?.hasPrefix("glibc 2.") == true)
    #endif
  }

  @Test func everyLibraryHasAVersionOrAReason() async throws {
    let libraries = try await json("--json")["libraries"]?.elements ?? []
    #expect(
      libraries.compactMap { $0["name"]?.stringValue } == ["libcurl", "OpenSSL", "SQLite", "libpq", "nghttp2", "zlib"])
    for library in libraries {
      let (version, problem) = (library["version"]?.stringValue, library["problem"]?.stringValue)
      #expect((version == nil) == (problem != nil), "\(library)")
      #expect(version?.first?.isNumber ?? true, "\(library)")
      #expect(library["needed_for"]?.stringValue?.isEmpty == false)
    }
  }

  @Test func tablesHaveALineForEach() async throws {
    let run = try await nova("version")
    #expect(run.lines.first?.hasPrefix("NOVA") == true && run.lines.first?.hasSuffix(NovaSDKVersion.current) == true)
    for label in ["COMMIT", "TRAITS", "SWIFT", "PLATFORM", "libcurl", "OpenSSL", "SQLite", "libpq", "nghttp2", "zlib"] {
      #expect(run.lines.count { $0.hasPrefix("\(label) ") } == 1, "\(label): \(run.output)")
    }
    #expect(try await nova("version", "--template", "{{version}}").output == "\(NovaSDKVersion.current)\n")
  }

  @Test func jsonExcludesOtherFormats() async throws {
    for option in [["-o", "table"], ["--template", "{{version}}"]] {
      #expect(try await ProgramRun(["version", "--json"] + option).result().status == 64)
    }
  }

  @Test(
    arguments: [
      ("libcurl/8.14.1 OpenSSL/3.5.4 zlib/1.3.1", "8.14.1", "OpenSSL/3.5.4"),
      ("libcurl/7.88.1 (SecureTransport) LibreSSL/3.3.6 zlib/1.2.12", "7.88.1", "LibreSSL/3.3.6"),
      ("libcurl/8.5.0 GnuTLS/3.8.3 zlib/1.3", "8.5.0", "GnuTLS/3.8.3"), ("libcurl/8.0.0 zlib/1.3", "8.0.0", nil),
    ] as [(String, String, String?)])
  func descriptionsOfLibcurlAreRead(_ text: String, _ version: String, _ tls: String?) {
    #expect(LoadedLibrary.number(in: text) == version && LoadedLibrary.tlsBackend(in: text) == tls)
  }

  @Test func openSSLNamesItsVersionSecond() {
    #expect(LoadedLibrary.number(in: "OpenSSL 3.0.17 1 Jul 2025") == "3.0.17")
  }

  @Test func aMissingLibraryIsExplained() {
    let library = LoadedLibrary(
      name: "SQLite", problem: "SQLite could not be loaded; install it (apt-get install libsqlite3-0)",
      purpose: "the outbox")
    #expect(library.text.contains("missing: SQLite could not be loaded; install it"))
    #expect(library.text.hasSuffix("needed for the outbox"))
    #expect(library.json["version"] == .null && library.json["problem"] != nil)
  }

  @Test func commitsAreReadAsTheReleaseBuildWritesThem() throws {
    let id = String(repeating: "7061fdcb", count: 5)
    let commit = try #require(BuildCommit(parsing: "\(id) 2026-11-30"))
    #expect(commit.description == "\(id) of 2026-11-30" && !commit.isModified)
    #expect(BuildCommit(parsing: "\(id) 2026-11-30 modified")?.description.hasSuffix("with changes") == true)
    for text in ["unknown", "", "7061fdcb 2026-11-30", "\(id)", "\(id) 2026-11-30 other"] {
      #expect(BuildCommit(parsing: text) == nil)
    }
  }
}
