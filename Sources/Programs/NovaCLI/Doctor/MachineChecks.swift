import NovaSDK

/// The versions of nova and of what it uses.
struct MachineChecks {
  func run(_ report: inout DoctorReport) {
    report.ok("nova", program)
    for library in LoadedLibrary.all() {
      if let version = library.version {
        report.ok(library.name, library.details ?? version)
      } else if library.name == "libcurl" {
        report.fail(library.name, library.problem ?? "")
      } else {
        report.warn(library.name, library.problem ?? "", hint: "Without it, these do not work: \(library.purpose).")
      }
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

  /// The version of this build, its commit, and its traits.
  private var program: String {
    let commit = BuildCommit.current.map { [$0.description] } ?? []
    let build = ProgramVersion.isDebugBuild ? ["a debug build"] : []
    return ([NovaCommand.version] + commit + ["with \(ProgramVersion.traits.joined(separator: ", "))"] + build)
      .joined(separator: ", ")
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
