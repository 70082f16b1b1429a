import NovaCore
import NovaLibc

/// The file of `--ready-file`: a program that waits for it learns that the server listens, and where. It is complete when
/// it has its name, and is removed when the server ends.
///
/// It is locked as long as the server runs, so that no other server takes its place, and so that the file of a server
/// that was killed is recognized.
final class ReadyFile {
  /// Ready files are smaller.
  private static let limit = 4096

  private let path: String
  private let file: AtomicFile

  /// Checks the place of a ready file before the server starts, and removes the file that a killed server has left there: a
  /// program must not take it for that of this server.
  ///
  /// - Throws: ``Failure`` if the file cannot be written there, or is anything else than a ready file.
  static func makeRoom(at path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return try requireNothing(at: path) }
    defer { close(descriptor) }
    let bytes: [UInt8]?
    do throws(SystemError) {
      try SystemIO.requireRegular(descriptor)
      bytes = try SystemIO.readAll(descriptor, limit: limit)
    } catch {
      throw Failure(writing: path, error)
    }
    // Programs that choose names for temporary files create them, empty.
    guard let bytes, bytes.isEmpty || ServerFacts(jsonUTF8: bytes) != nil else {
      throw Failure(
        "cannot write \(path.printable(to: 200)): the file exists and is not a ready file", hint: "Name another place.",
        .failed)
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let pid = ServerFacts(jsonUTF8: bytes).map { " (pid \($0.processID))" } ?? ""
      throw Failure(
        "cannot write \(path.printable(to: 200)): it is the ready file of a running server\(pid)",
        hint: "Give each server a file of its own.", .failed)
    }
    guard unlink(path) == 0 else { throw Failure(writing: path, .last) }
  }

  /// A file that is missing can be written if its directory can.
  private static func requireNothing(at path: String) throws {
    let error = SystemError.last
    // A link is an error of its own.
    guard error.isMissingFile else { throw Failure(writing: path, error) }
    guard access(path.parentPath, W_OK | X_OK) == 0 else { throw Failure(writing: path, .last) }
  }

  /// Writes the file.
  ///
  /// - Throws: ``Failure`` if it cannot be written.
  init(_ facts: ServerFacts, at path: String) throws {
    self.path = path
    do throws(SystemError) {
      var file = try AtomicFile(for: path)
      guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .last }
      try file.write(facts.readyJSON.jsonUTF8 + Array("\n".utf8))
      try file.publish(isDurable: false)
      self.file = file
    } catch {
      throw Failure(writing: path, error)
    }
  }

  /// Removes the file, unless another one has its name by now.
  func remove() {
    var (own, named) = (stat(), stat())
    guard fstat(file.descriptor, &own) == 0, lstat(path, &named) == 0, own.st_dev == named.st_dev,
      own.st_ino == named.st_ino
    else { return }
    unlink(path)
  }
}

extension ServerFacts {
  /// The facts with the ports by themselves, which programs would have to take out of the URLs.
  fileprivate var readyJSON: JSONValue {
    guard case .object(let members) = json else { return json }
    return .object(
      members.flatMap { member -> [JSONValue.Member] in
        guard let name = ["url": "port", "grpc_url": "grpc_port"][member.name],
          let port = member.value.stringValue.flatMap({ $0.split(separator: ":").last }).flatMap({ Int($0) })
        else { return [member] }
        return [member, .init(name: name, value: .integer(port))]
      })
  }
}
