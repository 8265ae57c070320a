CREATE TABLE "log_chain" (
	"organisation_id" integer NOT NULL,
	"sequence" bigint NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"version" integer,
	"content" char(64) NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"previous_hash" char(64) NOT NULL,
	"hash" char(64) NOT NULL,
	CONSTRAINT "log_chain_organisation_id_sequence_pk" PRIMARY KEY("organisation_id","sequence")
);
--> statement-breakpoint
ALTER TABLE "budget_lines" drop column "total";--> statement-breakpoint
ALTER TABLE "budget_lines" ADD COLUMN "total" bigint GENERATED ALWAYS AS (coalesce(amounts[1], 0) + coalesce(amounts[2], 0) + coalesce(amounts[3], 0) + coalesce(amounts[4], 0) + coalesce(amounts[5], 0) + coalesce(amounts[6], 0) + coalesce(amounts[7], 0) + coalesce(amounts[8], 0) + coalesce(amounts[9], 0) + coalesce(amounts[10], 0) + coalesce(amounts[11], 0) + coalesce(amounts[12], 0)) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "budget_lines" drop column "missing";--> statement-breakpoint
ALTER TABLE "budget_lines" ADD COLUMN "missing" smallint GENERATED ALWAYS AS (num_nulls(amounts[1], amounts[2], amounts[3], amounts[4], amounts[5], amounts[6], amounts[7], amounts[8], amounts[9], amounts[10], amounts[11], amounts[12])::smallint) STORED NOT NULL;
--> statement-breakpoint
ALTER TABLE log_chain ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE log_chain FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY own ON log_chain USING (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform())) WITH CHECK (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()));
--> statement-breakpoint
GRANT SELECT ON log_chain TO bursar_app;
--> statement-breakpoint
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON log_chain FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON log_chain FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- What a change of a reference record says, as the text that its hash is taken of.
CREATE FUNCTION reference_change_text(change reference_changes) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_array(change.id, change.organisation_id, change.resource, change.record_id, change.version, change.action, change.before,
    change.after, change.actor_id, change.request_id, to_char(change.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))::text
$$;
--> statement-breakpoint
-- Adds a link to the chain of an organisation. `position` and the identity of reference changes have honest gaps, those of transactions that
-- were rolled back; numbers that are given here have none. The lock makes the commits of one organisation stand in line, and it is taken by a
-- deferred trigger, as the last thing of a transaction: it lasts for the writing of the commit, not for the work before it, and whoever holds
-- it waits for nothing else, so that it cannot close a circle of waiting. Anchors over all heads, written each minute or day, would need no
-- lock, but what came and went between two of them would leave no trace.
CREATE FUNCTION add_link(owner integer, link_kind text, link_subject text, link_version integer, link_content text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  last record;
  next bigint;
  before text;
  now_at timestamptz := clock_timestamp();
BEGIN
  PERFORM pg_advisory_xact_lock(7342020, owner);
  SELECT sequence, hash INTO last FROM log_chain WHERE organisation_id = owner ORDER BY sequence DESC LIMIT 1;
  next := coalesce(last.sequence, 0) + 1;
  before := coalesce(last.hash, repeat('0', 64));
  INSERT INTO log_chain (organisation_id, sequence, kind, subject, version, content, at, previous_hash, hash)
  VALUES (owner, next, link_kind, link_subject, link_version, link_content, now_at, before,
    encode(sha256(convert_to(concat_ws('|', before, owner, next, link_kind, link_subject, link_version, link_content,
      to_char(now_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')), 'UTF8')), 'hex'));
END $$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION add_link(integer, text, text, integer, text) FROM PUBLIC;
--> statement-breakpoint
CREATE FUNCTION chain_commit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  -- What else waits for the end of the transaction may wait for somebody: it goes first, so that the lock of the chain is the last one.
  IF coalesce(current_setting('app.chaining', true), '') = '' THEN
    SET CONSTRAINTS data_version IMMEDIATE;
    PERFORM set_config('app.chaining', '1', true);
  END IF;
  IF TG_TABLE_NAME = 'reference_changes' THEN
    PERFORM add_link(coalesce(NEW.organisation_id, 0), 'reference', NEW.id::text, NULL, encode(sha256(convert_to(reference_change_text(NEW), 'UTF8')), 'hex'));
  ELSIF TG_TABLE_NAME = 'budgets' THEN
    PERFORM add_link(NEW.organisation_id, 'budget', NEW.id, NEW.version, NEW.last_hash);
  ELSE
    PERFORM add_link(NEW.organisation_id, 'budget', NEW.budget_id, NEW.version, NEW.hash);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- User groups and users that an installation began with were not logged: from here on they are known as they stand.
DO $$ BEGIN
  PERFORM set_config('app.organisation_id', '*', true);
  INSERT INTO reference_changes (organisation_id, resource, record_id, version, action, before, after, actor_id, request_id)
  SELECT NULL, 'userGroup', id::text, version, 'imported', NULL,
    jsonb_build_object('id', id, 'name', name, 'version', version, 'created', created, 'organisationId', NULL), NULL, 'baseline'
  FROM user_groups WHERE NOT EXISTS (SELECT FROM reference_changes WHERE resource = 'userGroup' AND record_id = user_groups.id::text);
  INSERT INTO reference_changes (organisation_id, resource, record_id, version, action, before, after, actor_id, request_id)
  SELECT NULL, 'user', id::text, version, 'imported', NULL,
    jsonb_build_object('id', id, 'email', email, 'forename', forename, 'surname', surname, 'position', position, 'isAdministrator', is_administrator,
      'active', active, 'version', version, 'created', created, 'organisationId', NULL,
      'memberships', (SELECT coalesce(jsonb_agg(jsonb_build_object('organisationId', organisation_id, 'locationIds', location_ids, 'userGroupIds', user_group_ids) ORDER BY organisation_id), '[]')
        FROM memberships WHERE user_id = users.id)), NULL, 'baseline'
  FROM users WHERE NOT EXISTS (SELECT FROM reference_changes WHERE resource = 'user' AND record_id = users.id::text);
END $$;
--> statement-breakpoint
-- What stands already is linked as it stands: what happened to it before cannot be proved by the chain.
DO $$ DECLARE link record; BEGIN
  PERFORM set_config('app.organisation_id', '*', true);
  FOR link IN SELECT DISTINCT ON (organisation_id, budget_id) organisation_id, budget_id, version, hash FROM budget_events ORDER BY organisation_id, budget_id, version DESC LOOP
    PERFORM add_link(link.organisation_id, 'budget', link.budget_id, link.version, link.hash);
  END LOOP;
  FOR link IN SELECT coalesce(change.organisation_id, 0) AS organisation_id, change.id::text AS id, reference_change_text(change) AS said FROM reference_changes change ORDER BY change.id LOOP
    PERFORM add_link(link.organisation_id, 'reference', link.id, NULL, encode(sha256(convert_to(link.said, 'UTF8')), 'hex'));
  END LOOP;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER chain_commit AFTER INSERT ON reference_changes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION chain_commit();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER chain_commit AFTER INSERT OR UPDATE OF last_hash ON budgets DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION chain_commit();
--> statement-breakpoint
-- A deleted budget has no row any more that could say where its log ended.
CREATE CONSTRAINT TRIGGER chain_commit AFTER INSERT ON budget_events DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.type = 'BudgetDeleted') EXECUTE FUNCTION chain_commit();
--> statement-breakpoint
-- Anchors are written by this function alone: the server's role can neither change one nor write one that does not hold.
CREATE FUNCTION anchor_chains() RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO chain_anchors (organisation_id, budget_id, day, version, hash)
  SELECT organisation_id, id, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD'), version, last_hash FROM budgets
  ON CONFLICT DO NOTHING
$$;
--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION anchor_chains() FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION anchor_chains() TO bursar_app;
--> statement-breakpoint
REVOKE INSERT ON chain_anchors FROM bursar_app;
