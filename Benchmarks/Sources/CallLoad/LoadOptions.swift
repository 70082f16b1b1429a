#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The command line that all clients share.
public struct LoadOptions: Sendable {
  /// Scheme, host, and port of the server.
  public private(set) var url = ""
  /// The number of workers; each makes one call at a time.
  public private(set) var inFlight = 1
  /// The number of measured calls of all workers together.
  public private(set) var calls = 10_000
  /// A PEM file of certificates to trust instead of the system's.
  public private(set) var caFile: String?
  /// Whether the client may use HTTP/2. Over TLS, the server chooses among what the client offers.
  public private(set) var allowsHTTP2 = true
  /// Options without a value that only one client supports, such as `--transport-only`.
  public private(set) var switches: Set<String> = []

  /// The address of the measured RPC.
  public var callURL: String { url + "/api/v1/graph/followers" }

  /// Reads the options, and exits with code 64 if they are invalid.
  public static func parse(switches allowed: Set<String> = []) -> LoadOptions {
    var options = LoadOptions()
    var arguments = CommandLine.arguments.dropFirst()
    while let name = arguments.popFirst() {
      if allowed.contains(name) {
        options.switches.insert(name)
      } else if let value = arguments.popFirst(), options.set(name, to: value) {
        continue
      } else {
        fail("invalid argument: \(name)")
      }
    }
    if options.url.isEmpty { fail("missing argument: --url") }
    return options
  }

  private mutating func set(_ name: String, to value: String) -> Bool {
    switch name {
    case "--url": url = value
    case "--ca-file": caFile = value
    case "--in-flight": inFlight = Int(value) ?? 0
    case "--calls": calls = Int(value) ?? 0
    case "--http-version": allowsHTTP2 = value == "2"
    default: return false
    }
    return inFlight > 0 && calls >= inFlight
  }

  private static func fail(_ reason: String) -> Never {
    let usage = "--url URL --in-flight N --calls K [--ca-file FILE] [--http-version 1.1|2]"
    let text = "\(reason); use \(usage), with K at least N\n"
    _ = write(STDERR_FILENO, text, text.utf8.count)
    exit(64)
  }
}
