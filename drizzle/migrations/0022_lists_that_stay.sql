CREATE TABLE "budget_days" (
	"organisation_id" integer NOT NULL,
	"budget_id" char(24) NOT NULL,
	"day" date NOT NULL,
	"actor_id" integer,
	"changes" integer NOT NULL,
	"version" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "budget_days_person" UNIQUE NULLS NOT DISTINCT("organisation_id","budget_id","day","actor_id")
);
--> statement-breakpoint
CREATE TABLE "staff_changes" (
	"organisation_id" integer NOT NULL,
	"staff_id" integer NOT NULL,
	"version" bigint NOT NULL,
	CONSTRAINT "staff_changes_organisation_id_staff_id_pk" PRIMARY KEY("organisation_id","staff_id")
);
--> statement-breakpoint
DROP INDEX "budget_events_day";--> statement-breakpoint
DROP INDEX "staff_contracts_holder";--> statement-breakpoint
ALTER TABLE "staff_contracts" ALTER COLUMN "most_fte" SET DATA TYPE double precision;--> statement-breakpoint
ALTER TABLE "staff_contracts" ALTER COLUMN "most_hours" SET DATA TYPE double precision;--> statement-breakpoint
ALTER TABLE "staff_contracts" drop column "search";--> statement-breakpoint
ALTER TABLE "staff_contracts" ADD COLUMN "search" text GENERATED ALWAYS AS (lower(((contract ->> 'contractName') || E'\n' || coalesce(contract ->> 'position', '') || E'\n' || coalesce(contract ->> 'department', '')) collate natural_order)) STORED;--> statement-breakpoint
ALTER TABLE "staff_contracts" ADD COLUMN "has_no_fte" boolean GENERATED ALWAYS AS (jsonb_path_exists(contract, '$.salary[*].fte ? (@ == null)')) STORED;--> statement-breakpoint
CREATE INDEX "staff_changes_version" ON "staff_changes" USING btree ("organisation_id","version");--> statement-breakpoint
CREATE INDEX "staff_contracts_search" ON "staff_contracts" USING btree ("organisation_id","budget_id","id","staff_id","search","contract_name","position","department");--> statement-breakpoint
CREATE INDEX "staff_contracts_ended" ON "staff_contracts" USING btree ("organisation_id","budget_id","end_date");--> statement-breakpoint
CREATE INDEX "staff_contracts_above" ON "staff_contracts" USING btree ("organisation_id","budget_id") WHERE above_maximum;--> statement-breakpoint
CREATE INDEX "staff_members_subject" ON "staff_members" USING btree ("subject");--> statement-breakpoint
CREATE INDEX "staff_costs_sums" ON "staff_costs" USING btree ("organisation_id","budget_id","contract_id","first_year","is_incomplete");--> statement-breakpoint
CREATE INDEX "staff_costs_checked" ON "staff_costs" USING btree ("organisation_id","budget_id","contract_id") WHERE has_problems or not has_pay;--> statement-breakpoint
CREATE INDEX "staff_contracts_holder" ON "staff_contracts" USING btree ("organisation_id","budget_id","staff_id","id","contract_type_id","most_fte","most_hours","has_no_fte");--> statement-breakpoint
-- Which members of the staff changed at which count: whoever has people in memory reads those alone. Deleting somebody's key changes them too; a
-- key is made before the person whose it is.
CREATE OR REPLACE FUNCTION count_data_version() RETURNS trigger LANGUAGE plpgsql AS $$
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
SELECT set_config('app.organisation_id', '*', true);
--> statement-breakpoint
INSERT INTO budget_days (organisation_id, budget_id, day, actor_id, changes, version, at)
SELECT organisation_id, budget_id, (occurred_at AT TIME ZONE 'UTC')::date, actor_id, count(*), max(version), (array_agg(occurred_at ORDER BY version DESC))[1]
FROM budget_events GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
ALTER TABLE budget_days ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE budget_days FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY own ON budget_days USING (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform())) WITH CHECK (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()));
--> statement-breakpoint
GRANT SELECT ON budget_days TO bursar_app;
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
