extension FleetOutboxSchema {
  /// The most frequent statements of replicas, as functions, because planning them takes longer than running them: a
  /// connection plans each function once. Prepared statements do not work through a pooler in transaction mode.
  ///
  /// A plan is kept while tables grow. So that it is good for large tables even if it was made for empty ones, rows are
  /// found by arrays of keys and nothing else: `NOT IN ('dead', 'delivered')` is `= 'waiting'`, for which there is a
  /// partial index that would be read from end to end.
  static let statements = [absorb, release, advance]

  private static let planning = "SET plan_cache_mode = force_generic_plan SET enable_seqscan = off"

  private static let absorb = """
    -- Notes which subjects have new writes, at most 1000 at a time. Returns how many arrivals it has read.
    CREATE FUNCTION @schema.outbox_absorb() RETURNS bigint LANGUAGE plpgsql \(planning) AS $$
    DECLARE
      arrivals bigint;
    BEGIN
      WITH taken AS (
        DELETE FROM @schema.outbox_arrivals WHERE id = ANY (ARRAY(
          SELECT id FROM @schema.outbox_arrivals ORDER BY id LIMIT 1000 FOR UPDATE SKIP LOCKED))
        RETURNING subject
      ), noted AS (
        INSERT INTO @schema.outbox_subjects AS s (subject, wake_at, has_news)
          SELECT subject, statement_timestamp(), true FROM (SELECT DISTINCT subject FROM taken) t ORDER BY subject
        ON CONFLICT (subject) DO UPDATE SET has_news = true,
          wake_at = CASE WHEN s.owner IS NULL
            THEN greatest(s.rest_until, least(s.wake_at, statement_timestamp())) ELSE s.wake_at END
        WHERE NOT s.has_news OR s.owner IS NULL
      )
      SELECT count(*) INTO arrivals FROM taken;
      RETURN arrivals;
    END $$
    """

  private static let release = """
    -- Gives leases back. Subjects without writes, whose `due_in` is negative, are forgotten.
    CREATE FUNCTION @schema.outbox_release(
      subjects text[], generations bigint[], due_in float8[], rest float8[]
    ) RETURNS void LANGUAGE plpgsql \(planning) AS $$
    #variable_conflict use_column
    BEGIN
      WITH held AS MATERIALIZED (
        SELECT s.subject, s.has_news, g.due_in, g.rest FROM (
          SELECT * FROM unnest($1, $2, $3, $4) AS u (subject, generation, due_in, rest) ORDER BY subject
        ) g CROSS JOIN LATERAL (
          SELECT subject, has_news FROM @schema.outbox_subjects t
          WHERE t.subject = g.subject AND t.generation = g.generation FOR UPDATE
        ) s
      ), forgotten AS (
        DELETE FROM @schema.outbox_subjects s USING held h
        WHERE s.subject = ANY ($1) AND s.subject = h.subject AND NOT h.has_news AND h.due_in < 0
      )
      UPDATE @schema.outbox_subjects s SET owner = NULL,
        rest_until = CASE WHEN h.rest > 0 THEN statement_timestamp() + h.rest * interval '1 second' END,
        wake_at = statement_timestamp() + interval '1 second'
          * CASE WHEN h.has_news THEN greatest(h.rest, 0) ELSE greatest(h.due_in, h.rest) END
      FROM held h WHERE s.subject = ANY ($1) AND s.subject = h.subject AND (h.has_news OR h.due_in >= 0);
    END $$
    """

  private static let advance = """
    -- The next step of each subject that is still leased: removes a write that took effect, and notes that another one
    -- is about to be sent; either can be null. Delivered writes are kept if `keeps`. Returns the writes for which this was
    -- done, with the attempt of those that are about to be sent. The rows of subjects stay locked until the transaction
    -- ends, so that nobody else can lease the subjects before that.
    CREATE FUNCTION @schema.outbox_advance(
      subjects text[], generations bigint[], done bigint[], done_keys text[], reals text[], "next" bigint[],
      next_keys text[], keeps boolean
    ) RETURNS TABLE (id bigint, attempts integer, first float8, last float8) LANGUAGE plpgsql \(planning) AS $$
    #variable_conflict use_column
    BEGIN
      RETURN QUERY WITH held AS MATERIALIZED (
        SELECT g.* FROM (
          SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7)
            AS u (subject, generation, done, done_key, real, next, next_key) ORDER BY subject
        ) g CROSS JOIN LATERAL (
          SELECT FROM @schema.outbox_subjects s
          WHERE s.subject = g.subject AND s.generation = g.generation FOR SHARE
        ) s
      ), kept AS (
        UPDATE @schema.outbox_entries e SET state = 'delivered', ended_at = statement_timestamp(),
          next_attempt_at = NULL, failure_code = NULL, failure_message = NULL
        FROM held h WHERE keeps AND e.id = ANY ($3) AND e.id = h.done AND e.key = h.done_key
          AND e.state NOT IN ('dead', 'delivered')
        RETURNING e.id, e.subject, e.new_id, h.real, e.key
      ), removed AS (
        DELETE FROM @schema.outbox_entries e USING held h
        WHERE NOT keeps AND e.id = ANY ($3) AND e.id = h.done AND e.key = h.done_key
          AND e.state NOT IN ('dead', 'delivered')
        RETURNING e.id, e.subject, e.new_id, h.real, e.key
      ), ended AS (
        SELECT * FROM kept UNION ALL SELECT * FROM removed
      ), noted AS (
        INSERT INTO @schema.outbox_ids (subject, temporary, real, key)
          SELECT subject, new_id, nullif(real, ''), key FROM ended WHERE new_id IS NOT NULL
        ON CONFLICT (subject, temporary) DO UPDATE SET real = coalesce(excluded.real, outbox_ids.real)
      ), tried AS (
        UPDATE @schema.outbox_entries e SET attempts = e.attempts + 1,
          first_attempt_at = coalesce(e.first_attempt_at, statement_timestamp()),
          last_attempt_at = statement_timestamp()
        FROM held h WHERE e.id = ANY ($6) AND e.id = h.next AND e.key = h.next_key
          AND e.state NOT IN ('dead', 'delivered')
        RETURNING e.id, e.attempts, extract(epoch FROM e.first_attempt_at)::float8,
          extract(epoch FROM e.last_attempt_at)::float8
      )
      SELECT * FROM tried UNION ALL SELECT ended.id, NULL, NULL, NULL FROM ended;
    END $$
    """
}
