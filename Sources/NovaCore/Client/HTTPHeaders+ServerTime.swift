extension HTTPHeaders {
  /// The time of the server's clock when it responded, in Unix seconds, from `Date`; nil if the response comes from a cache,
  /// where `Date` is the time at which it was stored.
  package var serverTime: Int64? { self["Age"] == nil ? self["Date"].flatMap(HTTPDate.seconds) : nil }
}
