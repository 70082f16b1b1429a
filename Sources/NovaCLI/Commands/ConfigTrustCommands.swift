import ArgumentParser
import NovaCore

struct ConfigTrust: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trust",
    abstract: "Approve the APIConfig.json of a directory, so that tokens are sent where it specifies.",
    discussion: """
      A file that is only found in the current directory may be anybody's. Until you approve it, no token, password, \
      session or client certificate is sent where it says, unless you named that gateway yourself (--base-url, \
      NOVA_BASE_URL) or are signed in there. A file that changes must be approved again. Approvals are kept in \
      ~/.config/nova/approved.
      """)

  @Argument(help: ArgumentHelp("The directory with the file. Default: this one.", valueName: "directory"))
  var directory = "."
  @Flag(help: "List the approved files instead.") var list = false

  func run() throws {
    let approved = try ApprovedFiles.ofUser()
    if list { return try Self.list(approved) }
    let configuration = try FoundFile.load(in: directory)
    guard let file = configuration.foundFile else { throw FoundFile.missing(in: directory) }
    let settings = configuration.credentialSettings()
    guard !settings.isEmpty else {
      return Diagnostics.note("\(file.path) does not decide where tokens go; there is nothing to approve")
    }
    let approval = try ApprovedFiles.Approval(file)
    try approved.approve(approval)
    Diagnostics.note("approved \(approval.path): \(CredentialGuard.list(settings))")
  }

  private static func list(_ approved: ApprovedFiles) throws {
    let output = StandardOutput()
    for path in Set(approved.all().map(\.path)).sorted() { try output.writeLine(path.displayed) }
    try output.flush()
  }
}

struct ConfigUntrust: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "untrust", abstract: "Revoke the approval of a directory's APIConfig.json.",
    discussion: "The file need not exist any more.")

  @Argument(help: ArgumentHelp("The directory with the file. Default: this one.", valueName: "directory"))
  var directory = "."

  func run() throws {
    let path: String
    do throws(SystemError) {
      path = try System.canonicalPath(FoundFile.path(in: directory))
    } catch {
      throw Failure("cannot find \(directory): \(error.reason)", .failed)
    }
    let wasApproved = try ApprovedFiles.ofUser().revoke(path)
    Diagnostics.note(wasApproved ? "\(path) is no longer approved" : "\(path) was not approved")
  }
}

/// The configuration file that commands find in a directory.
private enum FoundFile {
  static func path(in directory: String) -> String {
    "\(directory)\(directory.hasSuffix("/") ? "" : "/")APIConfig.json"
  }

  /// Loads the file alone: variables and options are not part of the approval.
  static func load(in directory: String) throws(ConfigurationError) -> APIConfiguration {
    try APIConfiguration.load(file: .standard(in: directory), environment: [:])
  }

  static func missing(in directory: String) -> Failure {
    Failure(
      "not found: \(path(in: directory))", hint: "Files that you name, with --config, need no approval.", .notFound)
  }
}
