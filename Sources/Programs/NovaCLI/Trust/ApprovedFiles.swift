import NovaCrypto
import NovaSDK

/// The configuration files that the user approved to decide where tokens are sent. Each approval covers a path and its
/// content, so that a changed file must be approved again.
///
/// Each approval is a separate small file, named after both, in a directory that only the user can change: two programs
/// that approve files at the same time do not conflict.
struct ApprovedFiles {
  /// The approval status of a file.
  enum State { case approved, changed, unknown }

  /// An approval.
  struct Approval: Hashable {
    let path: String
    let digest: String

    init(_ file: FoundConfigurationFile) throws {
      do {
        path = try System.canonicalPath(file.path)
        digest = Hexadecimal.encode(try Self.digest(of: file))
      } catch let error as SystemError {
        throw Failure("cannot find \(file.path): \(error.reason)", .failed)
      } catch {
        throw Failure("cannot check whether \(file.path) is approved: \(error)", .failed)
      }
    }

    /// Nil for an invalid approval.
    init?(_ bytes: [UInt8]) {
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      guard lines.count == 3, lines[2].isEmpty, lines[0].count == 64 else { return nil }
      (digest, path) = (String(lines[0]), String(lines[1]))
    }

    var bytes: [UInt8] { Array("\(digest)\n\(path)\n".utf8) }

    /// The name of the file that stores it.
    func fileName() throws -> String { Hexadecimal.encode(try SHA256.digest(of: bytes)) }

    /// The content of the file, and of the certificates that it names.
    private static func digest(of file: FoundConfigurationFile) throws -> [UInt8] {
      var hash = try SHA256()
      for bytes in [file.bytes] + file.certificateFiles.map({ (try? SystemIO.readFile($0, limit: 1 << 20)) ?? [] }) {
        hash.update("\(bytes.count) ".utf8)
        hash.update(bytes)
      }
      return try hash.finalize()
    }
  }

  /// The directory with the approvals.
  let directory: String
  private let files = PrivateFiles()

  /// The approvals of this user.
  static func ofUser() throws -> ApprovedFiles {
    ApprovedFiles(directory: "\(try UserDirectory.path(for: "approvals"))/approved")
  }

  /// Whether a file is approved as it is.
  func state(of approval: Approval) -> State {
    let known = all()
    if known.contains(approval) { return .approved }
    return known.contains { $0.path == approval.path } ? .changed : .unknown
  }

  /// Every approval, by path. Approvals that other users could have written are ignored.
  func all() -> [Approval] {
    SystemIO.fileNames(in: directory).compactMap { name in
      guard let bytes = try? files.read("\(directory)/\(name)", limit: 8192), let approval = Approval(bytes),
        (try? approval.fileName()) == name
      else { return nil }
      return approval
    }.sorted { ($0.path, $0.digest) < ($1.path, $1.digest) }
  }

  /// Approves the current content of a file, and replaces an earlier approval.
  func approve(_ approval: Approval) throws {
    guard !approval.path.contains("\n") else { throw Failure("the file's path has a line break in it", .badData) }
    let name = try approval.fileName()
    try Failure.explaining("cannot keep the approval") {
      try files.replace("\(directory)/\(name)", with: approval.bytes)
    }
    _ = try revoke(approval.path, but: approval)
  }

  /// Revokes every approval of a path.
  ///
  /// - Returns: whether there was one.
  func revoke(_ path: String, but kept: Approval? = nil) throws -> Bool {
    try Failure.explaining("cannot revoke the approval") {
      _ = try TrustedDirectory.check(directory)
      let revoked = all().filter { $0.path == path && $0 != kept }
      for approval in revoked { try files.remove("\(directory)/\(try approval.fileName())") }
      return !revoked.isEmpty
    }
  }
}
