import NovaSDK

/// The settings and their sources.
struct SettingsChecks {
  let connection: ConnectionOptions

  /// - Returns: the configuration; nil if it cannot be used.
  func run(_ report: inout DoctorReport) -> APIConfiguration? {
    do {
      let configuration = try connection.configuration()
      add(configuration, to: &report)
      return configuration
    } catch let error as ConfigurationError {
      report.fail(
        "settings", "\(error)", hint: "See `nova config show --help` for the sources of settings.", status: .badData)
    } catch let failure as Failure {
      report.fail("settings", failure.message, hint: failure.hint, status: failure.status)
    } catch {
      report.fail("settings", "\(error)", status: .badData)
    }
    return nil
  }

  private func add(_ configuration: APIConfiguration, to report: inout DoctorReport) {
    let changed = configuration.entries.filter { $0.source != .builtIn && $0.value != nil }
    let shown = changed.map { "\($0.key) \($0.value ?? "") (\(Self.source($0)))" }
    report.ok("settings", shown.isEmpty ? "all built in" : shown.joined(separator: ", "))
    report.ok("gateway in use", configuration.place + (configuration.context.map { " (context \($0))" } ?? ""))
    for warning in configuration.warnings { report.warn("settings", warning, hint: "See `nova help environment`.") }
    addApproval(configuration, to: &report)
  }

  private static func source(_ entry: ConfigurationEntry) -> String {
    (entry.source == .code ? ConnectionOptions.flag(of: entry.key) : nil) ?? "\(entry.source)"
  }

  /// Whether a found file that decides where tokens are sent is approved.
  private func addApproval(_ configuration: APIConfiguration, to report: inout DoctorReport) {
    guard let file = configuration.foundFile, !configuration.credentialSettings().isEmpty else { return }
    do {
      switch try ApprovedFiles.ofUser().state(of: ApprovedFiles.Approval(file)) {
      case .approved: report.ok("approval", "\(file.path) is approved to decide where tokens are sent")
      case .changed, .unknown:
        report.warn(
          "approval", "\(file.path) decides where tokens are sent, and is not approved as it is",
          hint: "Look at the file, then approve it with `nova config trust`.")
      }
    } catch {
      report.warn("approval", (error as? Failure)?.message ?? "\(error)")
    }
  }
}
