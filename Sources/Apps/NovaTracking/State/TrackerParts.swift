import NovaCore

/// What the parts of a tracker share.
struct TrackerParts: Sendable {
  let directory: TrackingDirectory
  let options: TrackingOptions
  let clock: any CallClock
  /// Returns a number in 0..<1, for the jitter of waits.
  let random: @Sendable () -> Double
  let state: Locked<TrackerState>
  /// The only way to the disk.
  let writer: AnalyticsWriter
  /// Wakes the task that sends.
  let wakeSignal = WakeSignal()

  init(
    _ directory: TrackingDirectory, options: TrackingOptions, clock: any CallClock,
    random: @escaping @Sendable () -> Double
  ) {
    (self.directory, self.options, self.clock, self.random) = (directory, options, clock, random)
    state = Locked(TrackerState(options: options, isOptedOut: directory.isOptedOut))
    writer = AnalyticsWriter(directory, options: options, clock: clock)
  }
}
