import NovaSDK
import NovaSQLite

/// The versions of nova and of what it uses.
struct MachineChecks {
  func run(_ report: inout DoctorReport) {
    report.ok("nova", "\(NovaCommand.version)\(features.isEmpty ? "" : ", with \(features.joined(separator: ", "))")")
    do { report.ok("libcurl", try CurlLibrary.version()) } catch { report.fail("libcurl", error.message) }
    do { report.ok("SQLite", try SQLiteLibrary.version()) } catch {
      report.warn("SQLite", error.description, hint: "Without it, --offline, --cache, and the outbox do not work.")
    }
    if let jq = System.searchPath(for: "jq").first(where: System.isProgram) {
      report.ok("jq", jq.displayed)
    } else {
      report.skip("jq", "not installed; only --jq needs it, --template does not")
    }
    let server = System.siblingPath("nova-serve")
    if System.isProgram(server) {
      report.ok("nova-serve", server.displayed)
    } else {
      report.skip("nova-serve", "not beside nova; only `nova serve` needs it")
    }
  }

  /// The package traits of this build that change what nova can do.
  private var features: [String] {
    var features: [String] = []
    #if GRPC
      features.append("gRPC")
    #endif
    #if WebSocket
      features.append("WebSocket")
    #endif
    #if DEBUG
      features.append("a debug build")
    #endif
    return features
  }
}

/// The directories that nova writes to.
struct DirectoryChecks {
  let configuration: APIConfiguration

  func run(_ report: inout DoctorReport) {
    let settings = UserDirectories.configuration.map { "\($0)/nova" }
    check(settings, as: "settings directory", variable: "XDG_CONFIG_HOME", &report)
    let state = configuration.stateDirectory ?? UserDirectories.state.map { "\($0)/nova" }
    check(state, as: "state directory", variable: "XDG_STATE_HOME", &report)
    if let session = System.variable(ConfigurationVariable.sessionFile) {
      check(session.parentPath, as: "session file", variable: ConfigurationVariable.sessionFile, &report)
    }
  }

  private func check(_ path: String?, as name: String, variable: String, _ report: inout DoctorReport) {
    guard let path else {
      return report.fail(name, UserDirectories.problem(variable), hint: "Set HOME, or \(variable).")
    }
    let shown = path.displayed
    guard System.fileExists(path) else {
      let parent = Self.existing(above: path)
      return System.isDirectory(parent) && System.isWritable(parent)
        ? report.ok(name, "\(shown) is created when it is needed")
        : report.fail(name, "\(shown) does not exist, and \(parent.displayed) cannot be written")
    }
    guard System.isDirectory(path) else { return report.fail(name, "\(shown) is not a directory") }
    guard System.isWritable(path) else { return report.fail(name, "\(shown) cannot be written") }
    do {
      // What others can write is not trusted.
      _ = try TrustedDirectory.check(path)
      report.ok(name, shown)
    } catch {
      report.fail(name, "\(error)", hint: "Make it yours alone: chmod 700 \(path.shellWord)")
    }
  }

  private static func existing(above path: String) -> String {
    var path = path
    while path != "/", !System.fileExists(path) { path = path.parentPath }
    return path
  }
}
