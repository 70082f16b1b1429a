import ArgumentParser
import NovaCore

struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run the mock backend as an HTTP server.",
    discussion: """
      It holds real state in memory: what is followed stays followed until it stops, and longer with --state. The same \
      seed gives the same data and the same faults; --fixtures gives what a folder of fixtures was made of. /_nova/ shows what it holds and what it was asked. \
      One line with the address goes to standard output once it listens; Ctrl-C stops it.
      """)

  /// The server is a program of its own, beside this one, so that `nova` is built without the server's libraries.
  static let program = "nova-serve"

  @OptionGroup var options: ServeOptions

  func run() throws {
    let path = System.siblingPath(Self.program)
    let error = System.replaceProcess(with: path, options.arguments)
    throw Failure(
      "cannot run \(path): \(error.reason)", hint: "It is built and installed beside nova: make release.",
      .failed)
  }
}
