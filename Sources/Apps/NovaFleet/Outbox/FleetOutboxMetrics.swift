import CoreMetrics

/// The outbox's metrics in whatever system the program has set up; docs/fleet-outbox.md lists them.
struct FleetOutboxMetrics: Sendable {
  let delivered = Counter(label: "nova_outbox_delivered")
  let refused = Counter(label: "nova_outbox_refused")
  let retried = Counter(label: "nova_outbox_retried")
  let takenOver = Counter(label: "nova_outbox_leases_taken_over")
  let lost = Counter(label: "nova_outbox_leases_lost")
  let failures = Counter(label: "nova_outbox_database_failures")
  let lag = Timer(label: "nova_outbox_delivery_lag")
  let waiting = Gauge(label: "nova_outbox_waiting")
  let dead = Gauge(label: "nova_outbox_dead")
  let oldest = Gauge(label: "nova_outbox_oldest_seconds")
  let subjects = Gauge(label: "nova_outbox_subjects_leased")
}
