-- What the server's role may: it owns nothing, cannot bypass row-level security, and may only add to the logs. Who it is stands in
-- server/launch/roles.ts; tables that are declared later are secured by secure_tables, which runs after the migrations.
DO $$ BEGIN
  -- An owner who is no superuser may become the role too: without that it could not be told what the role sees.
  EXECUTE format('GRANT bursar_app TO %I', current_user);
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
--> statement-breakpoint
GRANT USAGE ON SCHEMA public, drizzle TO bursar_app;
--> statement-breakpoint
GRANT SELECT ON ALL TABLES IN SCHEMA drizzle TO bursar_app;
--> statement-breakpoint
-- The organisation of the transaction; '*' is the platform itself: sign-in, the administrator area and the sweep of the workers.
CREATE FUNCTION current_organisation() RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN current_setting('app.organisation_id', true) ~ '^\d+$' THEN current_setting('app.organisation_id', true)::integer END
$$;
--> statement-breakpoint
CREATE FUNCTION is_platform() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(current_setting('app.organisation_id', true), '') = '*'
$$;
--> statement-breakpoint
-- Puts every table that has no row-level security yet under it, so that a new entity is secured by being declared. Run after each migration.
-- Tables with an organisation belong to it; those named as national are read by all and written by the platform; any other is the platform's alone.
CREATE FUNCTION secure_tables(shared_tables text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE t record;
BEGIN
  FOR t IN
    SELECT c.relname AS name, a.attname IS NOT NULL AS owned, NOT coalesce(a.attnotnull, true) AS shared
    FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
    LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'organisation_id' AND NOT a.attisdropped
    WHERE c.relkind = 'r' AND NOT c.relrowsecurity
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t.name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t.name);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO bursar_app', t.name);
    IF t.owned AND t.shared THEN
      EXECUTE format('CREATE POLICY own_and_global_read ON %I FOR SELECT USING (organisation_id IS NULL OR organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()))', t.name);
      EXECUTE format('CREATE POLICY own_insert ON %I FOR INSERT WITH CHECK (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()))', t.name);
      EXECUTE format('CREATE POLICY own_update ON %I FOR UPDATE USING (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()))', t.name);
      EXECUTE format('CREATE POLICY own_delete ON %I FOR DELETE USING (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()))', t.name);
    ELSIF t.owned THEN
      EXECUTE format('CREATE POLICY own ON %I USING (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform())) WITH CHECK (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()))', t.name);
    ELSIF t.name = ANY (shared_tables) THEN
      EXECUTE format('CREATE POLICY everyone_reads ON %I FOR SELECT USING (true)', t.name);
      EXECUTE format('CREATE POLICY platform_writes ON %I USING ((SELECT is_platform())) WITH CHECK ((SELECT is_platform()))', t.name);
    ELSE
      EXECUTE format('CREATE POLICY platform_only ON %I USING ((SELECT is_platform())) WITH CHECK ((SELECT is_platform()))', t.name);
    END IF;
  END LOOP;
  GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO bursar_app;
END $$;
--> statement-breakpoint
-- An organisation sees and changes itself.
ALTER TABLE organisations ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE organisations FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY own_read ON organisations FOR SELECT USING (id = (SELECT current_organisation()) OR (SELECT is_platform()));
--> statement-breakpoint
CREATE POLICY own_update ON organisations FOR UPDATE USING (id = (SELECT current_organisation()) OR (SELECT is_platform()));
--> statement-breakpoint
CREATE POLICY platform_insert ON organisations FOR INSERT WITH CHECK ((SELECT is_platform()));
--> statement-breakpoint
CREATE POLICY platform_delete ON organisations FOR DELETE USING ((SELECT is_platform()));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON organisations TO bursar_app;
--> statement-breakpoint
-- What user groups may is the platform's alone to read, though they are declared as national.
DO $$ BEGIN
  ALTER TABLE user_groups ENABLE ROW LEVEL SECURITY;
  ALTER TABLE user_groups FORCE ROW LEVEL SECURITY;
  CREATE POLICY platform_only ON user_groups USING ((SELECT is_platform())) WITH CHECK ((SELECT is_platform()));
  GRANT SELECT, INSERT, UPDATE, DELETE ON user_groups TO bursar_app;
END $$;
--> statement-breakpoint
-- Counters are worth nothing after a crash, so they are not logged.
ALTER TABLE rate_limits SET UNLOGGED;
--> statement-breakpoint
ALTER TABLE rate_limits ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE rate_limits FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
-- Digests of who did what how often belong to no organisation.
CREATE POLICY everybodys ON rate_limits USING (true) WITH CHECK (true);
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON rate_limits TO bursar_app;
--> statement-breakpoint
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
-- Logs can be added to and nothing else, by whoever it is; links, anchors and the days of a budget are written by functions of the owner alone.
DO $$ DECLARE log record; BEGIN
  FOR log IN SELECT * FROM (VALUES
    ('budget_events', 'SELECT, INSERT', true), ('monitoring_events', 'SELECT, INSERT', true), ('payroll_events', 'SELECT, INSERT', true),
    ('calculation_inputs', 'SELECT, INSERT', true), ('pack_papers', 'SELECT, INSERT', false), ('monitoring_logs', 'SELECT, INSERT, UPDATE', false),
    ('payroll_logs', 'SELECT, INSERT, UPDATE', false), ('chain_anchors', 'SELECT', true), ('log_chain', 'SELECT', true), ('budget_days', 'SELECT', false)
  ) AS logs (name, rights, append_only) LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', log.name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', log.name);
    EXECUTE format('CREATE POLICY own ON %I USING (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform())) WITH CHECK (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()))', log.name);
    EXECUTE format('GRANT %s ON %I TO bursar_app', log.rights, log.name);
    CONTINUE WHEN NOT log.append_only;
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION refuse_change()', log.name);
    EXECUTE format('CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', log.name);
  END LOOP;
END $$;
--> statement-breakpoint
-- Changes of national reference data belong to nobody and are read by all.
DO $$ BEGIN
  ALTER TABLE reference_changes ENABLE ROW LEVEL SECURITY;
  ALTER TABLE reference_changes FORCE ROW LEVEL SECURITY;
  CREATE POLICY own_and_global_read ON reference_changes FOR SELECT USING (organisation_id IS NULL OR organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()));
  CREATE POLICY own_insert ON reference_changes FOR INSERT WITH CHECK (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()));
  CREATE POLICY own_update ON reference_changes FOR UPDATE USING (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()));
  CREATE POLICY own_delete ON reference_changes FOR DELETE USING (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()));
  GRANT SELECT, INSERT ON reference_changes TO bursar_app;
  CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON reference_changes FOR EACH ROW EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON reference_changes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
END $$;
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
-- The end of each log, of a budget, of a location's monitoring and of its payroll, is a link of the organisation's chain, as each change of reference data is.
CREATE FUNCTION chain_commit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER chain_commit AFTER INSERT ON reference_changes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION chain_commit();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER chain_commit AFTER INSERT OR UPDATE OF last_hash ON budgets DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION chain_commit();
--> statement-breakpoint
-- A deleted budget has no row any more that could say where its log ended.
CREATE CONSTRAINT TRIGGER chain_commit AFTER INSERT ON budget_events DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.type = 'BudgetDeleted') EXECUTE FUNCTION chain_commit();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER chain_commit AFTER INSERT OR UPDATE OF last_hash ON monitoring_logs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.version > 0) EXECUTE FUNCTION chain_commit();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER chain_commit AFTER INSERT OR UPDATE OF last_hash ON payroll_logs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.version > 0) EXECUTE FUNCTION chain_commit();
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
-- Counts once for each transaction, when it commits: two that change the same organisation wait for each other no longer than that.
-- Which members of the staff changed at which count: whoever has people in memory reads those alone. Deleting somebody's key changes them too; a
-- key is made before the person whose it is.
CREATE FUNCTION count_data_version() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE changed record; owner integer; place text; person integer;
BEGIN
  IF TG_OP = 'DELETE' THEN changed := OLD; ELSE changed := NEW; END IF;
  IF TG_ARGV[1] = 'organisation' THEN owner := changed.id; ELSIF TG_ARGV[1] = 'own' THEN owner := changed.organisation_id; END IF;
  place := format('app.counted_%s_%s', TG_ARGV[0], coalesce(owner::text, 'national'));
  IF coalesce(current_setting(place, true), '') = '' THEN
    INSERT INTO data_versions (organisation_id, subject, version) VALUES (owner, TG_ARGV[0], 1)
      ON CONFLICT ON CONSTRAINT data_versions_subject DO UPDATE SET version = data_versions.version + 1;
    PERFORM set_config(place, '1', true);
  END IF;
  IF TG_TABLE_NAME = 'staff_members' THEN person := changed.id;
  ELSIF TG_TABLE_NAME = 'vault_keys' AND TG_OP <> 'INSERT' THEN SELECT id INTO person FROM staff_members WHERE subject = changed.subject;
  END IF;
  IF person IS NOT NULL THEN
    INSERT INTO staff_changes AS known (organisation_id, staff_id, version)
    SELECT owner, person, version FROM data_versions WHERE organisation_id = owner AND subject = TG_ARGV[0]
    ON CONFLICT (organisation_id, staff_id) DO UPDATE SET version = excluded.version WHERE known.version < excluded.version;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Until then only the transaction itself sees its change, and is told not to trust what is in memory. A migration counts at once: it could not
-- alter a table whose changes wait to be counted.
CREATE FUNCTION mark_data_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF coalesce(current_setting('app.migrating', true), '') = '' THEN SET CONSTRAINTS data_version DEFERRED; END IF;
  PERFORM set_config(format('app.changed_%s', TG_ARGV[0]), '1', true);
  RETURN NULL;
END $$;
--> statement-breakpoint
-- Lets the changes of some tables be counted, those that are not yet. Run after each migration, so that a new entity is counted by being declared.
CREATE FUNCTION count_changes(subject text, tables text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE name text; owned text;
BEGIN
  FOREACH name IN ARRAY tables LOOP
    CONTINUE WHEN EXISTS (SELECT FROM pg_trigger WHERE tgrelid = name::regclass AND tgname = 'data_version');
    owned := CASE WHEN name = 'organisations' THEN 'organisation'
      WHEN EXISTS (SELECT FROM pg_attribute WHERE attrelid = name::regclass AND attname = 'organisation_id' AND NOT attisdropped) THEN 'own'
      ELSE 'national' END;
    EXECUTE format('CREATE CONSTRAINT TRIGGER data_version AFTER INSERT OR UPDATE OR DELETE ON %I DEFERRABLE INITIALLY IMMEDIATE FOR EACH ROW EXECUTE FUNCTION count_data_version(%L, %L)', name, subject, owned);
    EXECUTE format('CREATE TRIGGER data_changed BEFORE INSERT OR UPDATE OR DELETE ON %I FOR EACH STATEMENT EXECUTE FUNCTION mark_data_changed(%L)', name, subject);
  END LOOP;
END $$;
--> statement-breakpoint
CREATE FUNCTION count_budget_days() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO budget_days AS known (organisation_id, budget_id, day, actor_id, changes, version, at)
  SELECT organisation_id, budget_id, (occurred_at AT TIME ZONE 'UTC')::date, actor_id, count(*), max(version), (array_agg(occurred_at ORDER BY version DESC))[1]
  FROM added GROUP BY 1, 2, 3, 4
  ON CONFLICT ON CONSTRAINT budget_days_person DO UPDATE SET changes = known.changes + excluded.changes,
    at = CASE WHEN excluded.version > known.version THEN excluded.at ELSE known.at END, version = greatest(known.version, excluded.version);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER budget_days AFTER INSERT ON budget_events REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_budget_days();
--> statement-breakpoint
-- A mapping to a record that is gone is gone too: its text is asked for again.
ALTER TABLE "ledger_texts"
  ADD CONSTRAINT "ledger_texts_budget_code_fk" FOREIGN KEY ("organisation_id","budget_code_id") REFERENCES "budget_codes"("organisation_id","id") ON DELETE CASCADE,
  ADD CONSTRAINT "ledger_texts_cost_centre_fk" FOREIGN KEY ("organisation_id","cost_centre_id") REFERENCES "cost_centres"("organisation_id","id") ON DELETE CASCADE,
  ADD CONSTRAINT "ledger_texts_fund_code_fk" FOREIGN KEY ("fund_code_id") REFERENCES "fund_codes"("id") ON DELETE CASCADE,
  ADD CONSTRAINT "ledger_texts_analysis_tag_fk" FOREIGN KEY ("analysis_tag_id") REFERENCES "analysis_tags"("id") ON DELETE CASCADE,
  ADD CONSTRAINT "ledger_texts_location_fk" FOREIGN KEY ("organisation_id","location_id") REFERENCES "locations"("organisation_id","id") ON DELETE CASCADE;
--> statement-breakpoint
ALTER TABLE "ledgers" ADD CONSTRAINT "ledgers_cost_centre_fk" FOREIGN KEY ("cost_centre_id") REFERENCES "cost_centres"("id") ON DELETE SET NULL;
--> statement-breakpoint
DO $$ DECLARE c text; BEGIN
  FOREACH c IN ARRAY ARRAY['budget_code_id', 'cost_centre_id', 'fund_code_id', 'analysis_tag_id', 'location_id'] LOOP
    EXECUTE format('CREATE INDEX %I ON ledger_texts (organisation_id, %I)', 'ledger_texts_' || c, c);
  END LOOP;
END $$;
--> statement-breakpoint
ALTER TABLE "payroll_lines" ADD CONSTRAINT "payroll_lines_location_fk" FOREIGN KEY ("organisation_id","location_id") REFERENCES "locations"("organisation_id","id");
--> statement-breakpoint
ALTER TABLE "payroll_provider_texts" ADD CONSTRAINT "payroll_provider_texts_location_fk" FOREIGN KEY ("organisation_id","location_id") REFERENCES "locations"("organisation_id","id") ON DELETE CASCADE;
--> statement-breakpoint
-- What lists search by "contains" is indexed for it where the extension can be had.
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX budget_codes_search ON budget_codes USING gin (code gin_trgm_ops, description gin_trgm_ops);
EXCEPTION WHEN OTHERS THEN RAISE NOTICE 'pg_trgm is not available: searches read the whole list';
END $$;
