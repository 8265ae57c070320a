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
