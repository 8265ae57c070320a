-- The server's role: it owns nothing, cannot bypass row-level security, and may only add to the logs.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'bursar_app') THEN
    CREATE ROLE bursar_app NOLOGIN NOBYPASSRLS;
  END IF;
  EXECUTE format('GRANT bursar_app TO %I', current_user);
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;
--> statement-breakpoint
GRANT USAGE ON SCHEMA public TO bursar_app;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO bursar_app;
--> statement-breakpoint
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO bursar_app;
--> statement-breakpoint
REVOKE UPDATE, DELETE ON budget_events, reference_changes, calculation_inputs, chain_anchors FROM bursar_app;
--> statement-breakpoint
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append only', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
DO $$ DECLARE log text; BEGIN
  FOREACH log IN ARRAY ARRAY['budget_events', 'reference_changes', 'calculation_inputs', 'chain_anchors'] LOOP
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION refuse_change()', log);
    EXECUTE format('CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', log);
  END LOOP;
END $$;
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
DO $$ DECLARE t record; BEGIN
  -- Tenant tables: only the organisation's own rows; rows of nobody (national data) are read by all and written by the platform alone.
  FOR t IN SELECT table_name, is_nullable FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'organisation_id' LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t.table_name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t.table_name);
    IF t.is_nullable = 'YES' THEN
      EXECUTE format('CREATE POLICY own_and_global_read ON %I FOR SELECT USING (organisation_id IS NULL OR organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()))', t.table_name);
      EXECUTE format('CREATE POLICY own_insert ON %I FOR INSERT WITH CHECK (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()))', t.table_name);
      EXECUTE format('CREATE POLICY own_update ON %I FOR UPDATE USING (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()))', t.table_name);
      EXECUTE format('CREATE POLICY own_delete ON %I FOR DELETE USING (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()))', t.table_name);
    ELSE
      EXECUTE format('CREATE POLICY own ON %I USING (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform())) WITH CHECK (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()))', t.table_name);
    END IF;
  END LOOP;
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
DO $$ DECLARE t text; BEGIN
  -- National reference data: one version for all, written by the platform alone.
  FOREACH t IN ARRAY ARRAY['admin_tables', 'bfr_codes', 'benchmarking_groups', 'local_authorities', 'national_insurances', 'extended_leave_types'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY everyone_reads ON %I FOR SELECT USING (true)', t);
    EXECUTE format('CREATE POLICY platform_writes ON %I USING ((SELECT is_platform())) WITH CHECK ((SELECT is_platform()))', t);
  END LOOP;
  -- Users, their groups and what the sign-in keeps: the platform alone.
  FOREACH t IN ARRAY ARRAY['users', 'user_groups', 'oidc_payloads', 'signing_keys'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY platform_only ON %I USING ((SELECT is_platform())) WITH CHECK ((SELECT is_platform()))', t);
  END LOOP;
END $$;
--> statement-breakpoint
-- What lists search by "contains" is indexed for it where the extension can be had.
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX budget_codes_search ON budget_codes USING gin (code gin_trgm_ops, description gin_trgm_ops);
EXCEPTION WHEN OTHERS THEN RAISE NOTICE 'pg_trgm is not available: searches read the whole list';
END $$;
--> statement-breakpoint
GRANT USAGE ON SCHEMA drizzle TO bursar_app;
--> statement-breakpoint
GRANT SELECT ON ALL TABLES IN SCHEMA drizzle TO bursar_app;
