// Decoding and encoding with the SDK's codec and with what else reads this JSON, side by side in one run.
//
//   CodecBenchmark [--repeat 41]
//
// Prints a line of JSON per candidate, with the median CPU time of one decoding or encoding in µs. Before anything
// is timed, every candidate must have read the same values, and what it wrote must be read as the original.

import Foundation

@main
enum CodecBenchmark {
  static func main() throws {
    let arguments = CommandLine.arguments
    let index = arguments.firstIndex(of: "--repeat").map { $0 + 1 }
    let count = index.flatMap { $0 < arguments.count ? Int(arguments[$0]) : nil } ?? 41
    try run(PostCase(count: 20), repeating: count * 20)
    try run(FollowerCase(count: 1000), repeating: count * 5)
    try run(PostCase(count: 1000), repeating: count)
    try run(PostCase(count: 1000, escapes: false), repeating: count)
    try run(BinaryPostCase("binary-posts-20", .sample(count: 20)), repeating: count * 20)
    try run(BinaryFollowerCase("binary-ids-1000", .sample(count: 1000)), repeating: count * 5)
    try run(BinaryPostCase("binary-posts-1000", .sample(count: 1000)), repeating: count)
  }

  private static func run(_ sample: some CodecCase, repeating count: Int) throws {
    let decoders = try sample.decoders()
    try report(sample, operation: "decode", medians(of: decoders, rounds: count))
    let encoders = try sample.encoders()
    try report(sample, operation: "encode", medians(of: encoders, rounds: count))
  }

  private static func report(_ sample: some CodecCase, operation: String, _ results: [(String, Double)]) {
    for (name, microseconds) in results {
      let time = String(format: "%.3f", microseconds)
      print(
        #"{"case": "\#(sample.name)", "bytes": \#(sample.input.count), "operation": "\#(operation)", "#
          + #""candidate": "\#(name)", "us": \#(time)}"#)
    }
  }
}

/// A message, its bytes as JSON or in protobuf's binary format, and everything that reads and writes it.
protocol CodecCase {
  var name: String { get }
  var input: [UInt8] { get }

  /// What decodes the bytes; all have been checked to read the same.
  func decoders() throws -> [Candidate]
  /// What encodes the message; what all write has been checked to be the message.
  func encoders() throws -> [Candidate]
}

/// Something that can be timed.
struct Candidate {
  let name: String
  let run: () throws -> Void

  init(_ name: String, _ run: @escaping () throws -> Void) {
    self.name = name
    self.run = run
  }
}

/// Ends the program unless a candidate has read or written the same as the others.
func require(_ isSame: Bool, _ candidate: String) {
  guard isSame else { fatalError("\(candidate) reads or writes something else") }
}
