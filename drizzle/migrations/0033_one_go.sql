-- What stands already was linked long ago and needs no transaction; the table is not written anew for it.
ALTER TABLE "reference_changes" ADD COLUMN "transaction" bigint;--> statement-breakpoint
ALTER TABLE "reference_changes" ALTER COLUMN "transaction" SET DEFAULT txid_current();--> statement-breakpoint
ALTER TABLE "budget_items" ADD COLUMN "amount" bigint GENERATED ALWAYS AS (amounts[(item ->> 'firstYear')::integer + 1]) STORED;--> statement-breakpoint
CREATE INDEX "budget_items_amounts" ON "budget_items" USING btree ("organisation_id","budget_id","kind","amount","created","id");--> statement-breakpoint
-- Links all changes of reference data that the transaction wrote since some id: the same links as one by one (add_link), but what was written is
-- read and hashed once for all of it, and written by one statement for each organisation. The lock is taken when all of that is ready.
CREATE FUNCTION link_reference_changes(first_change bigint) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  own record;
  last record;
  -- Variables of their own: an element of one is read at once, where of an array within a record all before it would be gone through.
  subjects text[];
  contents text[];
  hashes text[];
  before text;
  now_at timestamptz;
  said_at text;
BEGIN
  FOR own IN
    SELECT coalesce(change.organisation_id, 0) AS owner, array_agg(change.id::text ORDER BY change.id) AS subjects,
      array_agg(encode(sha256(convert_to(reference_change_text(change), 'UTF8')), 'hex') ORDER BY change.id) AS contents, max(change.id) AS latest
    FROM reference_changes change WHERE change.id >= first_change AND change.transaction = txid_current() GROUP BY 1 ORDER BY 1
  LOOP
    PERFORM pg_advisory_xact_lock(7342020, own.owner);
    SELECT sequence, hash INTO last FROM log_chain WHERE organisation_id = own.owner ORDER BY sequence DESC LIMIT 1;
    before := coalesce(last.hash, repeat('0', 64));
    now_at := clock_timestamp();
    said_at := to_char(now_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
    subjects := own.subjects;
    contents := own.contents;
    hashes := ARRAY[before];
    FOR place IN 1 .. cardinality(subjects) LOOP
      before := encode(sha256(convert_to(concat_ws('|', before, own.owner, coalesce(last.sequence, 0) + place, 'reference', subjects[place],
        contents[place], said_at), 'UTF8')), 'hex');
      hashes[place + 1] := before;
    END LOOP;
    INSERT INTO log_chain (organisation_id, sequence, kind, subject, version, content, at, previous_hash, hash)
    SELECT own.owner, coalesce(last.sequence, 0) + link.place, 'reference', link.subject, NULL, link.content, now_at, link.previous, link.hash
    FROM unnest(subjects, contents, hashes[:cardinality(subjects)], hashes[2:]) WITH ORDINALITY AS link(subject, content, previous, hash, place);
    PERFORM set_config('app.linked_reference', greatest(own.latest, coalesce(nullif(current_setting('app.linked_reference', true), ''), '0')::bigint)::text, true);
  END LOOP;
END $$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION link_reference_changes(bigint) FROM PUBLIC;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION chain_commit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  -- What else waits for the end of the transaction may wait for somebody: it goes first, so that the lock of the chain is the last one.
  IF coalesce(current_setting('app.chaining', true), '') = '' THEN
    SET CONSTRAINTS data_version IMMEDIATE;
    PERFORM set_config('app.chaining', '1', true);
  END IF;
  IF TG_TABLE_NAME = 'reference_changes' THEN
    -- The first of them links all of them.
    IF NEW.id > coalesce(nullif(current_setting('app.linked_reference', true), ''), '0')::bigint THEN
      PERFORM link_reference_changes(NEW.id);
    END IF;
  ELSIF TG_TABLE_NAME = 'budgets' THEN
    PERFORM add_link(NEW.organisation_id, 'budget', NEW.id, NEW.version, NEW.last_hash);
  ELSIF TG_TABLE_NAME = 'monitoring_logs' THEN
    PERFORM add_link(NEW.organisation_id, 'monitoring', NEW.location_id::text, NEW.version, NEW.last_hash);
  ELSIF TG_TABLE_NAME = 'payroll_logs' THEN
    PERFORM add_link(NEW.organisation_id, 'payroll', NEW.location_id::text, NEW.version, NEW.last_hash);
  ELSE
    PERFORM add_link(NEW.organisation_id, 'budget', NEW.budget_id, NEW.version, NEW.hash);
  END IF;
  RETURN NULL;
END $$;
