/// The call that all clients make: GetFollowers with 20 ids in the response.
public enum SampleCall {
  /// The user whose followers are requested.
  public static let userId = "9f8b6c1e-4d2a-4b7e-8c3d-100000000000"
  /// The number of ids in a request, and in its response.
  public static let count = 20
  /// The length of a response's body, in bytes.
  public static let responseBytes = 829
  /// An access token as long as signed tokens are.
  public static let token = String(repeating: "abcdefghijklmnopqrstuvwxyz012345", count: 12) + ".x.y"

  /// Thrown by clients that get another response than the server's.
  public struct UnexpectedResponse: Error {
    let status: Int
    let size: Int
  }

  /// Throws unless a response has the expected status and number of ids.
  public static func check(status: Int = 200, ids: Int) throws {
    guard status == 200, ids == count else { throw UnexpectedResponse(status: status, size: ids) }
  }

  /// Throws unless a response that was not decoded has the expected status and length.
  public static func check(status: Int, bytes: Int) throws {
    guard status == 200, bytes == responseBytes else { throw UnexpectedResponse(status: status, size: bytes) }
  }
}
