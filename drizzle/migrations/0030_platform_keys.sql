CREATE TABLE "platform_keys" (
	"digest" "bytea" PRIMARY KEY NOT NULL,
	"required_from" timestamp with time zone NOT NULL
);
--> statement-breakpoint
-- Everybody may read digests, whoever signs in as the server may change none.
ALTER TABLE platform_keys ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE platform_keys FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY everyone_reads ON platform_keys FOR SELECT USING (true);
--> statement-breakpoint
CREATE POLICY owner_writes ON platform_keys USING (session_user <> 'bursar_app') WITH CHECK (session_user <> 'bursar_app');
--> statement-breakpoint
GRANT SELECT ON platform_keys TO bursar_app;
--> statement-breakpoint
-- Before, '*' was enough for anybody. Now the server's role must name what only servers with the DATA_KEY know; the owner of the tables, who may
-- do everything anyway, need not.
CREATE OR REPLACE FUNCTION is_platform() RETURNS boolean LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT CASE
    WHEN coalesce(left(current_setting('app.organisation_id', true), 1), '') <> '*' THEN false
    WHEN session_user <> 'bursar_app' THEN true
    ELSE EXISTS (SELECT FROM public.platform_keys WHERE digest = sha256(convert_to(current_setting('app.organisation_id', true), 'UTF8')))
      OR NOT EXISTS (SELECT FROM public.platform_keys WHERE required_from <= now())
  END
$$;
