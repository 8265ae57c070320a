-- The most that a field of a contract's salary rows says: immutable, so that a column can be made of it.
CREATE FUNCTION salary_most(contract jsonb, field text) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT max((salary ->> field)::numeric) FROM jsonb_array_elements(contract -> 'salary') salary
$$;
--> statement-breakpoint
-- Words in the order in which people expect them: digits by their number, letters without regard to case.
CREATE COLLATION natural_order (provider = icu, locale = 'en-GB-u-kn-true');
--> statement-breakpoint
CREATE TABLE "data_versions" (
	"organisation_id" integer,
	"subject" text NOT NULL,
	"version" bigint NOT NULL,
	CONSTRAINT "data_versions_subject" UNIQUE NULLS NOT DISTINCT("organisation_id","subject")
);
--> statement-breakpoint
CREATE TABLE "budget_pay" (
	"organisation_id" integer NOT NULL,
	"budget_id" char(24) NOT NULL,
	"year" smallint NOT NULL,
	"amounts" bigint[] NOT NULL,
	"missing" integer[] NOT NULL,
	CONSTRAINT "budget_pay_organisation_id_budget_id_year_pk" PRIMARY KEY("organisation_id","budget_id","year")
);
--> statement-breakpoint
ALTER TABLE "staff_contracts" ADD COLUMN "contract_name" text GENERATED ALWAYS AS (contract ->> 'contractName') STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "staff_contracts" ADD COLUMN "position" text GENERATED ALWAYS AS (contract ->> 'position') STORED;--> statement-breakpoint
ALTER TABLE "staff_contracts" ADD COLUMN "department" text GENERATED ALWAYS AS (contract ->> 'department') STORED;--> statement-breakpoint
ALTER TABLE "staff_contracts" ADD COLUMN "type" integer GENERATED ALWAYS AS ((contract ->> 'type')::integer) STORED;--> statement-breakpoint
ALTER TABLE "staff_contracts" ADD COLUMN "contract_type_id" integer GENERATED ALWAYS AS ((contract ->> 'contractTypeId')::integer) STORED;--> statement-breakpoint
ALTER TABLE "staff_contracts" ADD COLUMN "start_date" text GENERATED ALWAYS AS (contract ->> 'startDate') STORED;--> statement-breakpoint
ALTER TABLE "staff_contracts" ADD COLUMN "end_date" text GENERATED ALWAYS AS (contract ->> 'endDate') STORED;--> statement-breakpoint
ALTER TABLE "staff_contracts" ADD COLUMN "apprentice" boolean GENERATED ALWAYS AS ((contract ->> 'apprentice')::boolean) STORED;--> statement-breakpoint
ALTER TABLE "staff_contracts" ADD COLUMN "attrition_contract" boolean GENERATED ALWAYS AS ((contract ->> 'attritionContract')::boolean) STORED;--> statement-breakpoint
ALTER TABLE "staff_contracts" ADD COLUMN "maximum_scale_point_id" integer GENERATED ALWAYS AS ((contract -> 'maximumScalePoint' ->> 'id')::integer) STORED;--> statement-breakpoint
ALTER TABLE "staff_contracts" ADD COLUMN "above_maximum" boolean GENERATED ALWAYS AS (jsonb_path_exists(contract, '$.salary[*].scalePoint ? (@.kind != $.maximumScalePoint.kind || @.scale != $.maximumScalePoint.scale || @.increment > $.maximumScalePoint.increment)')) STORED;--> statement-breakpoint
ALTER TABLE "staff_contracts" ADD COLUMN "most_fte" numeric GENERATED ALWAYS AS (salary_most(contract, 'fte')) STORED;--> statement-breakpoint
ALTER TABLE "staff_contracts" ADD COLUMN "most_hours" numeric GENERATED ALWAYS AS (salary_most(contract, 'hoursPerWeek')) STORED;--> statement-breakpoint
ALTER TABLE "staff_contracts" ADD COLUMN "search" text GENERATED ALWAYS AS (lower((contract ->> 'contractName') || E'\n' || coalesce(contract ->> 'position', '') || E'\n' || coalesce(contract ->> 'department', ''))) STORED;--> statement-breakpoint
ALTER TABLE "budget_items" ADD COLUMN "amounts" bigint[];--> statement-breakpoint
ALTER TABLE "budget_items" ADD COLUMN "identifier" text GENERATED ALWAYS AS (item ->> 'identifier') STORED;--> statement-breakpoint
ALTER TABLE "budget_items" ADD COLUMN "description" text GENERATED ALWAYS AS (item ->> 'description') STORED;--> statement-breakpoint
ALTER TABLE "budget_items" ADD COLUMN "budget_code_id" integer GENERATED ALWAYS AS ((item ->> 'budgetCodeId')::integer) STORED;--> statement-breakpoint
ALTER TABLE "budget_items" ADD COLUMN "cost_centre_id" integer GENERATED ALWAYS AS ((item ->> 'costCentreId')::integer) STORED;--> statement-breakpoint
ALTER TABLE "budget_items" ADD COLUMN "profile_template_id" integer GENERATED ALWAYS AS ((item ->> 'profileTemplateId')::integer) STORED;--> statement-breakpoint
ALTER TABLE "budget_items" ADD COLUMN "first_year" integer GENERATED ALWAYS AS ((item ->> 'firstYear')::integer) STORED;--> statement-breakpoint
ALTER TABLE "budget_items" ADD COLUMN "source_kind" text GENERATED ALWAYS AS (item -> 'source' ->> 'kind') STORED;--> statement-breakpoint
ALTER TABLE "budget_items" ADD COLUMN "has_notes" boolean GENERATED ALWAYS AS ((item ->> 'sealedNotes') is not null) STORED;--> statement-breakpoint
ALTER TABLE "staff_costs" ADD COLUMN "first_year" bigint GENERATED ALWAYS AS ((year_totals ->> 0)::bigint) STORED;--> statement-breakpoint
ALTER TABLE "staff_costs" ADD COLUMN "is_incomplete" boolean GENERATED ALWAYS AS (year_totals @> '[null]') STORED;--> statement-breakpoint
ALTER TABLE "staff_costs" ADD COLUMN "has_problems" boolean GENERATED ALWAYS AS (costing -> 'problems' <> '[]') STORED;--> statement-breakpoint
ALTER TABLE "staff_costs" ADD COLUMN "has_pay" boolean GENERATED ALWAYS AS (jsonb_path_exists(costing, '$.years[*].gross[*] ? (@ != 0)')) STORED;--> statement-breakpoint
CREATE INDEX "budget_events_about" ON "budget_events" USING btree ("organisation_id","budget_id",(data ->> 'id'),"version") WHERE (data ->> 'id') is not null;--> statement-breakpoint
CREATE INDEX "budget_events_type" ON "budget_events" USING btree ("organisation_id","budget_id","type","version");--> statement-breakpoint
CREATE INDEX "budget_events_day" ON "budget_events" USING btree ("organisation_id","budget_id","occurred_at","version","actor_id");--> statement-breakpoint
CREATE INDEX "budget_events_group_run" ON "budget_events" USING btree ("organisation_id","budget_id","version") WHERE type = 'StaffContractsRecalculated' and data ->> 'cause' = 'group';--> statement-breakpoint
CREATE INDEX "staff_contracts_holder" ON "staff_contracts" USING btree ("organisation_id","budget_id","staff_id","id");--> statement-breakpoint
CREATE INDEX "budget_items_made" ON "budget_items" USING btree ("organisation_id","budget_id","kind","created","id");--> statement-breakpoint
CREATE INDEX "budget_items_source" ON "budget_items" USING btree ("organisation_id","budget_id") WHERE source_kind is not null;--> statement-breakpoint
CREATE INDEX "budget_items_notes" ON "budget_items" USING btree ("organisation_id","budget_id") WHERE has_notes;
--> statement-breakpoint
SELECT set_config('app.organisation_id', '*', true);
--> statement-breakpoint
-- What stands already: the years of entries and the pay of budgets as their lines have them.
UPDATE budget_items SET amounts = (
  SELECT array_agg(known.amount ORDER BY years.year)
  FROM budgets
  CROSS JOIN LATERAL generate_series(0, (budgets.head ->> 'numberOfYears')::integer - 1) AS years(year)
  LEFT JOIN LATERAL (
    SELECT CASE WHEN sum(missing) > 0 THEN NULL ELSE coalesce(sum(total), 0)::bigint END AS amount FROM budget_lines
    WHERE budget_lines.organisation_id = budget_items.organisation_id AND budget_lines.budget_id = budget_items.budget_id
      AND source_kind = 'entry' AND source_id = budget_items.id AND budget_lines.year = years.year
  ) known ON true
  WHERE budgets.organisation_id = budget_items.organisation_id AND budgets.id = budget_items.budget_id
) WHERE kind = 'entry';
--> statement-breakpoint
INSERT INTO budget_pay (organisation_id, budget_id, year, amounts, missing)
SELECT organisation_id, budget_id, year, array[coalesce(sum(amounts[1]), 0), coalesce(sum(amounts[2]), 0), coalesce(sum(amounts[3]), 0), coalesce(sum(amounts[4]), 0), coalesce(sum(amounts[5]), 0), coalesce(sum(amounts[6]), 0), coalesce(sum(amounts[7]), 0), coalesce(sum(amounts[8]), 0), coalesce(sum(amounts[9]), 0), coalesce(sum(amounts[10]), 0), coalesce(sum(amounts[11]), 0), coalesce(sum(amounts[12]), 0)], array[(count(*) - count(amounts[1]))::integer, (count(*) - count(amounts[2]))::integer, (count(*) - count(amounts[3]))::integer, (count(*) - count(amounts[4]))::integer, (count(*) - count(amounts[5]))::integer, (count(*) - count(amounts[6]))::integer, (count(*) - count(amounts[7]))::integer, (count(*) - count(amounts[8]))::integer, (count(*) - count(amounts[9]))::integer, (count(*) - count(amounts[10]))::integer, (count(*) - count(amounts[11]))::integer, (count(*) - count(amounts[12]))::integer]
FROM budget_lines WHERE source_kind = 'contract' AND component = 'pay' GROUP BY 1, 2, 3;
--> statement-breakpoint
-- Counts once for each transaction, when it commits: two that change the same organisation wait for each other no longer than that.
CREATE FUNCTION count_data_version() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE changed record; owner integer; place text;
BEGIN
  IF TG_OP = 'DELETE' THEN changed := OLD; ELSE changed := NEW; END IF;
  IF TG_ARGV[1] = 'organisation' THEN owner := changed.id; ELSIF TG_ARGV[1] = 'own' THEN owner := changed.organisation_id; END IF;
  place := format('app.counted_%s_%s', TG_ARGV[0], coalesce(owner::text, 'national'));
  IF coalesce(current_setting(place, true), '') <> '' THEN RETURN NULL; END IF;
  INSERT INTO data_versions (organisation_id, subject, version) VALUES (owner, TG_ARGV[0], 1)
    ON CONFLICT ON CONSTRAINT data_versions_subject DO UPDATE SET version = data_versions.version + 1;
  PERFORM set_config(place, '1', true);
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
