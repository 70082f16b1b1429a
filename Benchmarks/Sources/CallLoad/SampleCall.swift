/// The call that all clients make: GetFollowers with 20 ids in the response.
public enum SampleCall {
  /// The user whose followers are requested.
  public static let userId = "9f8b6c1e-4d2a-4b7e-8c3d-100000000000"
  /// The number of ids in a request, and in its response.
  public static let count = 20
  /// An access token as long as signed tokens are.
  public static let token = String(repeating: "abcdefghijklmnopqrstuvwxyz012345", count: 12) + ".x.y"

  /// Thrown by clients that get another number of ids, or another status.
  public struct UnexpectedResponse: Error {
    private let status: Int
    private let ids: Int

    /// Creates the error of a response with this status and number of ids.
    public init(status: Int, ids: Int) {
      self.status = status
      self.ids = ids
    }
  }

  /// Throws unless a response is the expected one.
  public static func check(status: Int = 200, ids: Int) throws {
    guard status == 200, ids == count else { throw UnexpectedResponse(status: status, ids: ids) }
  }
}
