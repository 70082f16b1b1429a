import Foundation

/// A process that reports with lines, and gets lines as commands.
final class Helper {
  private let process = Process()
  private let (input, output) = (Pipe(), Pipe())
  private var received: [UInt8] = []

  init(_ program: String, _ arguments: [String]) throws {
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  var identifier: Int32 { process.processIdentifier }

  func line() throws -> String {
    while true {
      if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
        defer { received.removeFirst(end + 1) }
        return String(decoding: received[..<end], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { throw Unusable(description: "a process of the benchmark ended early") }
      received += more
    }
  }

  func report() throws -> Report {
    let line = try line()
    guard let report = Report(line: line) else { throw Unusable(description: "unexpected: \(line)") }
    return report
  }

  func ask(_ command: String) throws -> Report {
    input.fileHandleForWriting.write(Data("\(command)\n".utf8))
    return try report()
  }

  func stop() {
    kill(identifier, SIGKILL)
    process.waitUntilExit()
  }
}

/// `nova-serve` as a process of its own.
final class Server {
  struct Usage {
    let residentMegabytes: Int
    let threads: Int
    /// In microseconds.
    let processorTime: Int
  }

  let port: UInt16
  private let process: Helper

  init(_ program: String, _ arguments: [String] = []) throws {
    process = try Helper(program, ["--port", "0"] + arguments)
    let line = try process.line()
    guard let digits = line.split(separator: "http://127.0.0.1:").last?.prefix(while: \.isNumber),
      let port = UInt16(digits)
    else { throw Unusable(description: "not a server: \(line)") }
    self.port = port
  }

  var usage: Usage {
    func number(_ name: String) -> Int {
      let status = (try? String(contentsOfFile: "/proc/\(process.identifier)/status", encoding: .utf8)) ?? ""
      let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
      return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } ?? 0
    }
    let stat = (try? String(contentsOfFile: "/proc/\(process.identifier)/stat", encoding: .utf8)) ?? ""
    // The fields behind the name, which is in parentheses; user and system time are the 14th and 15th of all.
    let fields = stat.split(separator: ")").last?.split(separator: " ").compactMap { Int($0) } ?? []
    let ticks = fields.count > 11 ? fields[10] + fields[11] : 0
    return Usage(
      residentMegabytes: number("VmRSS") / 1024, threads: number("Threads"),
      processorTime: ticks * 1_000_000 / sysconf(Int32(_SC_CLK_TCK)))
  }

  func stop() { process.stop() }
}
