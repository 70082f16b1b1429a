/// The version of this SDK, in its `User-Agent` and in `nova --version`.
public enum NovaSDKVersion {
  /// By semantic versioning.
  public static let current = "0.1.0"
}
