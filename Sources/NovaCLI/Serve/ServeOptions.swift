import ArgumentParser

/// The options of `nova serve`.
struct ServeOptions: ParsableArguments {
  @Option(help: "The port; 0 takes a free one.")
  var port: UInt16 = 8080

  @Option(help: "The address to listen on: an IPv4 or IPv6 address, or localhost.")
  var host = "127.0.0.1"

  @Option(help: "Decides what is random in the data.")
  var seed: UInt64 = 1

  @Flag(help: "Write a line about each request to standard error.")
  var log = false

  func validate() throws {
    guard ListeningAddress(host: host) != nil else {
      throw ValidationError("--host is \"\(host)\"; expected an IPv4 or IPv6 address, or localhost")
    }
  }

  /// The same as a command line.
  var arguments: [String] {
    ["--port", String(port), "--host", host, "--seed", String(seed)] + (log ? ["--log"] : [])
  }
}
