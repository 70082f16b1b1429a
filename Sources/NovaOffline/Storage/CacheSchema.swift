/// The tables of `cache.db`.
///
/// Bodies stand apart from the index of their keys: rows are appended, and only the small index is written in scattered
/// places. With the bodies in the index, scattered keys are stored ten times as slowly.
enum CacheSchema {
  /// Raised with each change. An older cache is recreated: all of it can be read again from the gateway.
  static let version = 1

  static let tables = ["partitions", "records", "numbers", "lists", "items", "responses"]

  static let statements = """
    CREATE TABLE partitions (
      id INTEGER PRIMARY KEY, gateway TEXT NOT NULL, account TEXT NOT NULL,
      writes INTEGER NOT NULL DEFAULT 0, -- how many writes were confirmed
      UNIQUE (gateway, account));

    -- Messages with an identity. Without a body, the record is gone.
    CREATE TABLE records (
      number INTEGER PRIMARY KEY, partition INTEGER NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL,
      body BLOB, is_whole INTEGER NOT NULL, sequence INTEGER NOT NULL, stored_at INTEGER NOT NULL, used_at INTEGER NOT NULL);
    CREATE UNIQUE INDEX records_key ON records (partition, kind, id);
    CREATE INDEX records_used ON records (used_at);

    -- Counts for the key `a`, and relations of `a` to `b` (0 or 1).
    CREATE TABLE numbers (
      partition INTEGER NOT NULL, kind TEXT NOT NULL, a TEXT NOT NULL, b TEXT NOT NULL,
      value INTEGER NOT NULL, sequence INTEGER NOT NULL, stored_at INTEGER NOT NULL,
      PRIMARY KEY (partition, kind, a, b)) WITHOUT ROWID;

    -- An item's place in its list is its rank minus `first_rank`, so that an insertion at the front moves no other item.
    -- Without a length, the end of the list is not known.
    CREATE TABLE lists (
      number INTEGER PRIMARY KEY, partition INTEGER NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL,
      first_rank INTEGER NOT NULL DEFAULT 0, length INTEGER, sequence INTEGER NOT NULL DEFAULT 0, stored_at INTEGER NOT NULL,
      used_at INTEGER NOT NULL);
    CREATE UNIQUE INDEX lists_key ON lists (partition, kind, key);
    CREATE INDEX lists_used ON lists (used_at);
    CREATE TABLE items (
      list INTEGER NOT NULL REFERENCES lists ON DELETE CASCADE, rank INTEGER NOT NULL, id TEXT NOT NULL,
      stored_at INTEGER NOT NULL, PRIMARY KEY (list, rank)) WITHOUT ROWID;
    CREATE UNIQUE INDEX items_id ON items (list, id);

    -- Answers that cannot be composed of facts.
    CREATE TABLE responses (
      number INTEGER PRIMARY KEY, partition INTEGER NOT NULL, rpc TEXT NOT NULL, request TEXT NOT NULL,
      body BLOB NOT NULL, sequence INTEGER NOT NULL, stored_at INTEGER NOT NULL, used_at INTEGER NOT NULL);
    CREATE UNIQUE INDEX responses_key ON responses (partition, rpc, request);
    CREATE INDEX responses_used ON responses (used_at);
    """
}
