CREATE TABLE "payroll_events" (
	"organisation_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"version" integer NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "payroll_events_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"data" jsonb NOT NULL,
	"actor_id" integer,
	"request_id" text NOT NULL,
	"occurred_at" timestamp with time zone NOT NULL,
	"previous_hash" char(64) NOT NULL,
	"hash" char(64) NOT NULL,
	CONSTRAINT "payroll_events_organisation_id_location_id_version_pk" PRIMARY KEY("organisation_id","location_id","version")
);
--> statement-breakpoint
CREATE TABLE "payroll_items" (
	"organisation_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"key" text NOT NULL,
	"version" integer NOT NULL,
	"saved_at" timestamp with time zone NOT NULL,
	"item" jsonb NOT NULL,
	"kind" text GENERATED ALWAYS AS (item ->> 'kind') STORED NOT NULL,
	"year" smallint GENERATED ALWAYS AS ((item ->> 'year')::smallint) STORED,
	"month" smallint GENERATED ALWAYS AS ((item ->> 'month')::smallint) STORED,
	"group_id" text GENERATED ALWAYS AS (item ->> 'groupId') STORED,
	CONSTRAINT "payroll_items_organisation_id_location_id_key_pk" PRIMARY KEY("organisation_id","location_id","key")
);
--> statement-breakpoint
CREATE TABLE "payroll_lines" (
	"organisation_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"year" smallint NOT NULL,
	"month" smallint NOT NULL,
	"employee" text NOT NULL,
	"payroll_code_id" integer NOT NULL,
	"sealed_number" text,
	"value" bigint NOT NULL,
	"version" integer NOT NULL,
	CONSTRAINT "payroll_lines_pk" PRIMARY KEY("organisation_id","location_id","year","month","employee","payroll_code_id")
);
--> statement-breakpoint
CREATE TABLE "payroll_logs" (
	"organisation_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"version" integer NOT NULL,
	"last_hash" char(64) NOT NULL,
	"saved_at" timestamp with time zone NOT NULL,
	CONSTRAINT "payroll_logs_organisation_id_location_id_pk" PRIMARY KEY("organisation_id","location_id")
);
--> statement-breakpoint
ALTER TABLE "payroll_lines" ADD CONSTRAINT "payroll_lines_code_fk" FOREIGN KEY ("payroll_code_id") REFERENCES "public"."payroll_codes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "payroll_events_position" ON "payroll_events" USING btree ("position");--> statement-breakpoint
CREATE INDEX "payroll_events_actor" ON "payroll_events" USING btree ("actor_id");--> statement-breakpoint
CREATE INDEX "payroll_items_month" ON "payroll_items" USING btree ("organisation_id","kind","year","month");--> statement-breakpoint
CREATE INDEX "payroll_lines_month" ON "payroll_lines" USING btree ("organisation_id","year","month");--> statement-breakpoint
CREATE INDEX "payroll_lines_code" ON "payroll_lines" USING btree ("organisation_id","payroll_code_id");
--> statement-breakpoint
ALTER TABLE "payroll_lines" ADD CONSTRAINT "payroll_lines_location_fk" FOREIGN KEY ("organisation_id","location_id") REFERENCES "locations"("organisation_id","id");
--> statement-breakpoint
DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY ARRAY['payroll_events', 'payroll_logs', 'payroll_items', 'payroll_lines'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY own ON %I USING (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform())) WITH CHECK (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()))', t);
  END LOOP;
END $$;
--> statement-breakpoint
GRANT SELECT, INSERT ON payroll_events TO bursar_app;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE ON payroll_logs TO bursar_app;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON payroll_items, payroll_lines TO bursar_app;
--> statement-breakpoint
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON payroll_events FOR EACH ROW EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER append_only_truncate BEFORE TRUNCATE ON payroll_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
-- The end of a payroll log is a link of the organisation's chain, as the end of a monitoring log is.
CREATE OR REPLACE FUNCTION chain_commit() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
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
CREATE CONSTRAINT TRIGGER chain_commit AFTER INSERT OR UPDATE OF last_hash ON payroll_logs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.version > 0) EXECUTE FUNCTION chain_commit();
