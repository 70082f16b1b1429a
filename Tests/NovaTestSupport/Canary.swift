/// The secret that the tests sign in with: it may be sent, and may show nowhere.
///
/// What the tests capture is kept and searched for it, and `Tools/run-tests` searches everything that a run wrote.
public enum Canary {
  /// Stands in this file and nowhere else; `Tools/run-tests` reads it here.
  public static let secret = "canary-q7Zt3Xw9"

  /// An access token, one of many.
  public static func access(_ number: Int) -> String { "\(secret)-access-\(number)" }

  /// A refresh token, one of many.
  public static func refresh(_ number: Int) -> String { "\(secret)-refresh-\(number)" }
}
