import NovaSDK

/// The settings and their sources.
struct SettingsChecks {
  let connection: ConnectionOptions
  /// Whether `--offline` is given.
  let isOffline: Bool

  /// - Returns: the configuration; nil if it cannot be used.
  func run(_ report: inout DoctorReport) -> APIConfiguration? {
    do {
      let configuration = try connection.configuration(isOffline: isOffline ? true : nil)
      add(configuration, to: &report)
      return configuration
    } catch let error as ConfigurationError {
      let failure = Failure(error)
      report.fail("settings", failure.message, hint: failure.hint, status: failure.status)
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
    addFiles(to: &report)
    addApproval(configuration, to: &report)
  }

  /// Whether the files of the user can be read. Most commands need neither, and do not report it.
  private func addFiles(to report: inout DoctorReport) {
    // Without the directory, there is nothing to read, which its own check reports.
    guard UserDirectories.configuration != nil else { return }
    do { _ = try ContextStore.ofUser().read() } catch { Self.warn(about: "contexts", error, in: &report) }
    do { _ = try AliasStore.ofUser().read() } catch { Self.warn(about: "aliases", error, in: &report) }
  }

  private static func warn(about name: String, _ error: any Error, in report: inout DoctorReport) {
    let failure = error as? Failure
    report.warn(name, failure?.message ?? "\(error)", hint: failure?.hint)
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
