import Foundation
import NovaTestSupport

#if os(Linux)
  /// A machine of a walk: a network namespace with an address of its own, which reaches this computer through a pair of
  /// virtual Ethernet devices. It is gone when the value is, or this process.
  final class WalkMachine: @unchecked Sendable {
    // Sendable, because nothing changes after it was made.
    /// The address of this computer, as the machine sees it.
    let address: String
    private let holder: Process
    /// The holder ends when it is closed.
    private let input: Pipe

    /// - Throws: where the test may not make one, or a tool is missing.
    init() throws {
      let number = try Self.freeNumber()
      let base = "198.\(18 + number >> 14).\(number >> 6 & 255)"
      let (own, others) = ("\(base).\((number & 63) * 4 + 1)", "\(base).\((number & 63) * 4 + 2)")
      (address, holder, input) = (own, Process(), Pipe())
      holder.executableURL = URL(filePath: "/usr/bin/env")
      holder.arguments = ["unshare", "--net", "cat"]
      (holder.standardInput, holder.standardOutput, holder.standardError) = (
        input, FileHandle.nullDevice, FileHandle.nullDevice
      )
      try holder.run()
      do {
        try waitForNamespace()
        let device = "nvw\(String(UInt32.random(in: .min ... .max), radix: 16))"
        let process = "\(holder.processIdentifier)"
        try Self.run("ip", "link", "add", device, "type", "veth", "peer", "name", "eth0", "netns", process)
        try Self.run("ip", "address", "add", "\(own)/30", "dev", device)
        try Self.run("ip", "link", "set", device, "up")
        for line in [
          "link set lo up", "address add \(others)/30 dev eth0", "link set eth0 up", "route add default via \(own)",
        ] {
          try Self.run("nsenter", ["--target", process, "--net", "ip"] + line.split(separator: " ").map(String.init))
        }
      } catch {
        end()
        throw error
      }
    }

    deinit { end() }

    /// The devices go with the namespace, which goes with its last process.
    private func end() {
      try? input.fileHandleForWriting.close()
      holder.terminate()
      holder.waitUntilExit()
    }

    /// The file of its network.
    var namespace: String { "/proc/\(holder.processIdentifier)/ns/net" }

    /// Starts a program on the machine. Its process is the program's, which has this process as its parent.
    func start(_ program: URL, _ arguments: [String]) throws -> ProgramRun {
      let place = ["nsenter", "--target", "\(holder.processIdentifier)", "--net", program.path]
      return try ProgramRun(place + arguments, executable: URL(filePath: "/usr/bin/env"))
    }

    // MARK: Making

    private struct Failure: Error, CustomStringConvertible { let description: String }

    /// One of the 32,768 networks of four addresses of 198.18.0.0/15, which is for tests. None of its addresses is in use.
    private static func freeNumber() throws -> Int {
      let known = try run("ip", "-4", "address") + run("ip", "-4", "route")
      for _ in 0..<100 {
        let number = Int.random(in: 0..<32_768)
        if !known.contains("198.\(18 + number >> 14).\(number >> 6 & 255).") { return number }
      }
      throw Failure(description: "no free network in 198.18.0.0/15")
    }

    private func waitForNamespace() throws {
      let files = FileManager.default
      let own = try files.destinationOfSymbolicLink(atPath: "/proc/self/ns/net")
      for _ in 0..<1000 where holder.isRunning {
        if let found = try? files.destinationOfSymbolicLink(atPath: namespace), found != own { return }
        Thread.sleep(forTimeInterval: 0.01)
      }
      throw Failure(description: "unshare --net failed")
    }

    @discardableResult private static func run(_ arguments: String...) throws -> String {
      try run(arguments[0], Array(arguments.dropFirst()))
    }

    @discardableResult private static func run(_ tool: String, _ arguments: [String]) throws -> String {
      let (process, output) = (Process(), Pipe())
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = [tool] + arguments
      process.environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
      (process.standardOutput, process.standardError, process.standardInput) = (output, output, FileHandle.nullDevice)
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      guard process.terminationStatus == 0 else {
        throw Failure(description: "\(tool) \(arguments.joined(separator: " ")) failed: \(text)")
      }
      return text
    }
  }
#endif
