extension FleetOutboxSchema {
  /// One step from each version to the next; the first creates the tables. A released step never changes. `@schema` and
  /// `@channel` stand for the names.
  static let steps: [[String]] = [tables + functions + triggers + statements]

  private static let tables = [
    "CREATE TABLE @schema.outbox_version (version integer PRIMARY KEY)",
    """
    -- The calls that can wait, and the fields of their requests.
    CREATE TABLE @schema.outbox_rpcs (
      rpc text PRIMARY KEY,
      fields text[] NOT NULL
    )
    """,
    """
    CREATE TABLE @schema.outbox_entries (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      -- Whose write it is: 'user:<ID> at <base URL of the gateway>'.
      subject text NOT NULL,
      rpc text NOT NULL,
      request jsonb NOT NULL,
      -- Sent as Idempotency-Key with every attempt.
      key text NOT NULL DEFAULT gen_random_uuid()::text,
      -- The temporary ID of what the write creates, which later requests may name.
      new_id text,
      state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'dead', 'delivered')),
      attempts integer NOT NULL DEFAULT 0,
      created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      first_attempt_at timestamptz,
      last_attempt_at timestamptz,
      next_attempt_at timestamptz,
      ended_at timestamptz,
      failure_code text,
      failure_message text,
      CONSTRAINT outbox_entries_key UNIQUE (subject, rpc, key)
    ) WITH (fillfactor = 75, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.5)
    """,
    "CREATE INDEX outbox_entries_waiting ON @schema.outbox_entries (subject, id) WHERE state = 'waiting'",
    """
    CREATE UNIQUE INDEX outbox_entries_new_id ON @schema.outbox_entries (subject, new_id)
    WHERE new_id IS NOT NULL AND state <> 'delivered'
    """,
    "CREATE INDEX outbox_entries_dead ON @schema.outbox_entries (subject, id) WHERE state = 'dead'",
    "CREATE INDEX outbox_entries_ended ON @schema.outbox_entries (ended_at) WHERE state <> 'waiting'",
    """
    -- The subjects with writes that wait. A replica leases one, and delivers its writes in order.
    CREATE TABLE @schema.outbox_subjects (
      subject text PRIMARY KEY,
      -- Another number for each lease: a replica that slept past its lease changes nothing.
      generation bigint NOT NULL DEFAULT 0,
      owner text,
      -- When to look at it: when a write is due, or when the lease ends. Null: not until something arrives.
      wake_at timestamptz,
      -- Until when the gateway asked to wait.
      rest_until timestamptz,
      -- Whether something has arrived since the lease began.
      has_news boolean NOT NULL DEFAULT false
    ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02)
    """,
    "CREATE INDEX outbox_subjects_wake ON @schema.outbox_subjects (wake_at)",
    "CREATE SEQUENCE @schema.outbox_generations CACHE 50",
    """
    -- Subjects with new writes. Only appended to by transactions that queue writes, so that they never wait for another
    -- transaction.
    CREATE TABLE @schema.outbox_arrivals (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      subject text NOT NULL
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)
    """,
    """
    -- The IDs that the gateway has given to what writes created. Null: unknown.
    CREATE TABLE @schema.outbox_ids (
      subject text NOT NULL,
      temporary text NOT NULL,
      real text,
      -- The key of the write.
      key text NOT NULL,
      at timestamptz NOT NULL DEFAULT clock_timestamp(),
      PRIMARY KEY (subject, temporary)
    )
    """,
    "CREATE INDEX outbox_ids_at ON @schema.outbox_ids (at)",
  ]

  private static let triggers = [
    """
    CREATE FUNCTION @schema.outbox_check() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
      known text[];
      wrong text;
    BEGIN
      IF NEW.subject !~ '^(user|token):.+ at [^ ]+$' THEN
        RAISE EXCEPTION 'invalid argument: the subject must be user:<ID> at <base URL of the gateway>, got %',
          left(NEW.subject, 80) USING ERRCODE = 'invalid_parameter_value';
      END IF;
      -- What no replica has as its base URL would wait forever. A backend in memory is named mock:.
      IF NEW.subject !~ ' at ((http|grpc)s?://[^/ ][^ ]*|mock:)$' THEN
        RAISE EXCEPTION 'invalid argument: the gateway must begin with http:// or https://, got %',
          left(substring(NEW.subject FROM ' at ([^ ]+)$'), 80) USING ERRCODE = 'invalid_parameter_value',
          HINT = 'Name the base URL of the replicas exactly.';
      END IF;
      -- As clients name gateways: an origin without a path ends with a slash.
      IF NEW.subject ~ ' at [a-z]+://[^/ ]+$' THEN NEW.subject := NEW.subject || '/'; END IF;
      SELECT fields INTO known FROM @schema.outbox_rpcs r WHERE r.rpc = NEW.rpc;
      IF known IS NULL THEN
        RAISE EXCEPTION 'invalid argument: no call that can wait is named %', left(NEW.rpc, 80)
          USING ERRCODE = 'invalid_parameter_value', HINT = 'SELECT rpc FROM @schema.outbox_rpcs lists them.';
      END IF;
      IF jsonb_typeof(NEW.request) <> 'object' THEN
        RAISE EXCEPTION 'invalid argument: the request of % must be a JSON object, got %', NEW.rpc,
          jsonb_typeof(NEW.request) USING ERRCODE = 'invalid_parameter_value';
      END IF;
      SELECT name INTO wrong FROM jsonb_object_keys(NEW.request) AS name WHERE name <> ALL (known) LIMIT 1;
      IF wrong IS NOT NULL THEN
        RAISE EXCEPTION 'invalid argument: the request of % has no field %', NEW.rpc, left(wrong, 80)
          USING ERRCODE = 'invalid_parameter_value', HINT = 'Its fields are ' || array_to_string(known, ', ') || '.';
      END IF;
      IF NEW.key = '' OR length(NEW.key) > 255 THEN
        RAISE EXCEPTION 'invalid argument: the key must have 1…255 characters'
          USING ERRCODE = 'invalid_parameter_value';
      END IF;
      IF TG_OP = 'INSERT' AND NEW.new_id IS NOT NULL AND EXISTS (
        SELECT FROM @schema.outbox_ids i
        WHERE i.subject = NEW.subject AND i.temporary = NEW.new_id AND i.key <> NEW.key
      ) THEN
        RAISE EXCEPTION 'invalid argument: the temporary ID % was used for another record', left(NEW.new_id, 80)
          USING ERRCODE = 'invalid_parameter_value', HINT = 'Use a new one for each record.';
      END IF;
      RETURN NEW;
    END $$
    """,
    """
    CREATE FUNCTION @schema.outbox_arrive() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $$
    BEGIN
      -- Transactions that notify commit one after the other. While replicas have arrivals to read, they need no wake-up.
      -- At a stricter level, the arrivals may be read by now, and looking at them would make transactions conflict.
      IF current_setting('transaction_isolation') <> 'read committed' THEN
        PERFORM pg_notify('@channel', '');
      ELSIF NOT EXISTS (SELECT FROM @schema.outbox_arrivals LIMIT 1) THEN
        PERFORM pg_notify('@channel', '');
      END IF;
      INSERT INTO @schema.outbox_arrivals (subject) SELECT DISTINCT subject FROM added WHERE state = 'waiting';
      RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER outbox_check BEFORE INSERT OR UPDATE OF subject, rpc, request ON @schema.outbox_entries
    FOR EACH ROW EXECUTE FUNCTION @schema.outbox_check()
    """,
    """
    CREATE TRIGGER outbox_arrive AFTER INSERT ON @schema.outbox_entries
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION @schema.outbox_arrive()
    """,
  ]

  private static let functions = [
    """
    -- Queues a write of a user, within the caller's transaction. Returns its ID. The same key a second time is the same
    -- write: nothing is added, and a refused one is tried again.
    CREATE FUNCTION @schema.enqueue(
      user_id text, gateway text, rpc text, request jsonb, key text DEFAULT NULL, new_id text DEFAULT NULL
    ) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
    #variable_conflict use_column
    DECLARE
      identity text;
      name text := coalesce($5, gen_random_uuid()::text);
      entry @schema.outbox_entries;
    BEGIN
      IF coalesce($1, '') = '' OR coalesce($2, '') = '' THEN
        RAISE EXCEPTION 'invalid argument: user_id and gateway must not be empty'
          USING ERRCODE = 'invalid_parameter_value';
      END IF;
      identity := 'user:' || $1 || ' at ' || $2;
      IF $2 ~ '^[a-z]+://[^/ ]+$' THEN identity := identity || '/'; END IF;
      INSERT INTO @schema.outbox_entries (subject, rpc, request, key, new_id) VALUES (identity, $3, $4, name, $6)
        ON CONFLICT DO NOTHING RETURNING * INTO entry;
      IF entry.id IS NOT NULL THEN RETURN entry.id; END IF;
      SELECT * INTO entry FROM @schema.outbox_entries e WHERE e.subject = identity AND e.rpc = $3 AND e.key = name;
      IF entry.id IS NULL AND EXISTS (
        SELECT FROM @schema.outbox_entries e WHERE e.subject = identity AND e.new_id = $6 AND e.state <> 'delivered'
      ) THEN
        RAISE EXCEPTION 'invalid argument: the temporary ID % was used for another record', left($6, 80)
          USING ERRCODE = 'invalid_parameter_value', HINT = 'Use a new one for each record.';
      END IF;
      IF entry.id IS NULL THEN
        RAISE EXCEPTION 'the write with this key was queued by a concurrent transaction; repeat the transaction'
          USING ERRCODE = 'serialization_failure';
      END IF;
      IF entry.request <> $4 THEN
        RAISE EXCEPTION 'invalid argument: another write in the outbox has this idempotency key'
          USING ERRCODE = 'invalid_parameter_value', HINT = 'Use a new key for each new call.';
      END IF;
      IF entry.state = 'dead' THEN PERFORM @schema.outbox_requeue(ARRAY[entry.id]); END IF;
      RETURN entry.id;
    END $$
    """,
    """
    -- Lets refused writes be sent again, or waiting ones at once. Returns how many. A key that the gateway has forgotten
    -- is replaced.
    CREATE FUNCTION @schema.outbox_requeue(ids bigint[]) RETURNS bigint LANGUAGE sql AS $$
      WITH changed AS (
        UPDATE @schema.outbox_entries SET
          state = 'waiting', ended_at = NULL, next_attempt_at = NULL, attempts = 0,
          key = CASE WHEN state = 'dead' AND first_attempt_at < now() - interval '23 hours'
            THEN gen_random_uuid()::text ELSE key END,
          first_attempt_at = CASE WHEN state = 'dead' AND first_attempt_at < now() - interval '23 hours'
            THEN NULL ELSE first_attempt_at END
        WHERE id = ANY (ids) AND state <> 'delivered' RETURNING subject
      ), woken AS (
        INSERT INTO @schema.outbox_arrivals (subject) SELECT DISTINCT subject FROM changed
      )
      SELECT count(*) FROM changed
    $$
    """,
    """
    -- Lets replicas look at a subject at once, for example after its user has signed in again.
    CREATE FUNCTION @schema.outbox_wake(subject text) RETURNS void LANGUAGE sql AS $$
      INSERT INTO @schema.outbox_arrivals (subject) VALUES ($1);
      SELECT pg_notify('@channel', '')
    $$
    """,
    "REVOKE EXECUTE ON FUNCTION @schema.enqueue(text, text, text, jsonb, text, text) FROM PUBLIC",
  ]
}
