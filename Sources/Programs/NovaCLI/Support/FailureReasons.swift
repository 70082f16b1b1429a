import NovaSDK

extension Failure {
  /// Runs `body`, and reports an error of the system or of a private file with what failed: `cannot run jq: <why>`.
  ///
  /// - Parameter what: what failed, for the message.
  /// - Throws: ``Failure``; other errors of `body` as they are.
  static func explaining<Result>(
    _ what: @autoclosure () -> String, as status: ExitStatus = .failed, _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch let error as SystemError {
      throw Failure("\(what()): \(error.reason)", status)
    } catch let error as SessionStoreError {
      throw Failure("\(what()): \(error)", status)
    }
  }

  /// Runs `body`, which writes a file, and reports why that failed.
  static func writing<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as SystemError { throw Failure(writing: path, error) }
  }

  /// Returns the record that a call has found.
  ///
  /// - Throws: ``Failure`` without a record: `not found: post "post-1"`.
  static func required<Record>(_ record: Record?, _ what: String, id: EntityID) throws -> Record {
    if let record { return record }
    throw Failure("not found: \(what) \"\(id.text.printable(to: 100))\"", .notFound)
  }
}
