import ArgumentParser
import NovaCore
import NovaMock

/// The options of `nova serve`.
struct ServeOptions: ParsableArguments {
  @Option(help: "The port; 0 takes a free one.")
  var port: UInt16 = 8080

  @Option(help: "The address to listen on: an IPv4 or IPv6 address, or localhost.")
  var host = "127.0.0.1"

  @Option(help: "Decides what is random in the data and in the faults. Default: 1.")
  var seed: UInt64?

  @Option(
    help: ArgumentHelp(
      "Hold what this folder holds, which `nova fixtures generate` has written: the manifest's world.",
      valueName: "folder"))
  var fixtures: String?

  @Option(
    name: .customLong("fault"),
    help: ArgumentHelp(
      "What goes wrong, for example social.CreateLike=503x2; may be given more than once. See docs/faults.md.",
      valueName: "rule"))
  var faults: [String] = []

  @Option(help: ArgumentHelp("Answer later: 50ms, or 50ms±20, or 50ms~20 (normally distributed).", valueName: "time"))
  var latency: String?

  @Option(help: ArgumentHelp("Keep the state in this file, across restarts and crashes.", valueName: "file"))
  var state: String?

  @Flag(
    inversion: .prefixedNo,
    help: "Offer the inspector and the admin API under /_nova/. Default: only where this machine alone can reach it.")
  var admin: Bool?

  @Option(
    name: .customLong("allowed-host"),
    help: ArgumentHelp(
      "Allow this name in the Host header, besides localhost and IP addresses. Can be repeated. Default: none, or any name if other machines can reach the server.",
      valueName: "name"))
  var allowedHosts: [String] = []

  @Flag(help: "Require an access token where the contract does: calls without one fail. Default: no token needed.")
  var requireTokens = false

  @Flag(help: "Write a line about each request to standard error.")
  var log = false

  func validate() throws {
    guard ListeningAddress(host: host) != nil else {
      throw ValidationError("--host is \"\(host)\"; expected an IPv4 or IPv6 address, or localhost")
    }
    do throws(FaultRuleError) {
      _ = try activeFaults
    } catch {
      throw ValidationError("\(error)")
    }
    if fixtures?.isEmpty == true { throw ValidationError("--fixtures is empty; expected the path of a folder") }
    if fixtures != nil, seed != nil {
      throw ValidationError("--fixtures and --seed contradict each other: the folder's manifest has the seed")
    }
    for name in allowedHosts where !name.isHostName {
      throw ValidationError(
        "--allowed-host is \"\(name)\"; expected a name without a scheme and a port, like nova.test")
    }
    if state?.isEmpty == true { throw ValidationError("--state is empty; expected the path of a file") }
  }

  /// What goes wrong.
  var activeFaults: Faults {
    get throws(FaultRuleError) { try Faults((latency.map { ["latency=\($0)"] } ?? []) + faults, seed: actualSeed) }
  }

  /// The backend's seed. A world has one of its own.
  var actualSeed: UInt64 { seed ?? 1 }

  /// The same as a command line.
  var arguments: [String] {
    var arguments = ["--port", String(port), "--host", host]
    if let seed { arguments += ["--seed", String(seed)] }
    if let fixtures { arguments.append("--fixtures=\(fixtures)") }
    for fault in faults { arguments.append("--fault=\(fault)") }
    if let latency { arguments.append("--latency=\(latency)") }
    if let state { arguments.append("--state=\(state)") }
    if let admin { arguments.append(admin ? "--admin" : "--no-admin") }
    for name in allowedHosts { arguments.append("--allowed-host=\(name)") }
    if requireTokens { arguments.append("--require-tokens") }
    if log { arguments.append("--log") }
    return arguments
  }
}

extension String {
  /// Whether this is a valid host name in a `Host` header: nonempty labels, and perhaps a dot at the end.
  fileprivate var isHostName: Bool {
    let labels = split(separator: ".", omittingEmptySubsequences: false)
    guard let first = labels.first, !first.isEmpty, labels.dropLast().allSatisfy({ !$0.isEmpty }) else { return false }
    return utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-._".utf8.contains($0) }
  }
}
