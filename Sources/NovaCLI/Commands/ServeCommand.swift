import ArgumentParser
import NovaSDK

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run the mock backend as an HTTP server.",
    discussion: """
      It holds real state in memory: what is followed stays followed until it stops. The same seed gives the same data. \
      One line with the address goes to standard output once it listens; Ctrl-C stops it.
      """)

  @Option(help: "The port; 0 takes a free one.")
  var port: UInt16 = 8080

  @Option(help: "The address to listen on: an IPv4 or IPv6 address, or localhost.")
  var host = "127.0.0.1"

  @Option(help: "Decides what is random in the data.")
  var seed: UInt64 = 1

  @Flag(help: "Write a line about each request to standard error.")
  var log = false

  func run() async throws {
    guard let address = ListeningAddress(host: host, port: port) else {
      throw ValidationError("--host is \"\(host)\"; expected an IPv4 or IPv6 address, or localhost")
    }
    if !address.isLoopback {
      Diagnostics.warning("\(host) is not only this machine: everyone who can reach it can use the mock backend")
    }
    let server = try await MockServer(address: address, backend: MockBackend(seed: seed), logsRequests: log)
    Interruption.begin([SIGINT, SIGTERM])
    try announce(server.url)
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
    await Task.detached { await server.stop() }.value
  }

  private func announce(_ url: String) throws {
    let output = StandardOutput()
    do {
      try output.writeLine("nova serve: listening on \(url) (seed \(seed))")
      try output.flush()
    } catch is OutputClosed {
      // A server is of use without anyone reading the line.
    }
    guard System.isTerminal(System.standardError) else { return }
    Diagnostics.note(
      "Try `nova followers mock-user-id --base-url \(url)` in another terminal; Ctrl-C stops the server.")
  }
}
