CREATE TABLE "posted_lines" (
	"organisation_id" integer NOT NULL,
	"budget_id" char(24) NOT NULL,
	"source_kind" text NOT NULL,
	"source_id" char(24) NOT NULL,
	"component" text NOT NULL,
	"budget_code_id" integer,
	"cost_centre_id" integer,
	"fund_code_id" integer,
	"first_year" smallint NOT NULL,
	"amounts" bigint[] NOT NULL,
	"totals" bigint[] GENERATED ALWAYS AS (array[coalesce(amounts[1], 0) + coalesce(amounts[2], 0) + coalesce(amounts[3], 0) + coalesce(amounts[4], 0) + coalesce(amounts[5], 0) + coalesce(amounts[6], 0) + coalesce(amounts[7], 0) + coalesce(amounts[8], 0) + coalesce(amounts[9], 0) + coalesce(amounts[10], 0) + coalesce(amounts[11], 0) + coalesce(amounts[12], 0), case when cardinality(amounts) > 12 then coalesce(amounts[13], 0) + coalesce(amounts[14], 0) + coalesce(amounts[15], 0) + coalesce(amounts[16], 0) + coalesce(amounts[17], 0) + coalesce(amounts[18], 0) + coalesce(amounts[19], 0) + coalesce(amounts[20], 0) + coalesce(amounts[21], 0) + coalesce(amounts[22], 0) + coalesce(amounts[23], 0) + coalesce(amounts[24], 0) end, case when cardinality(amounts) > 24 then coalesce(amounts[25], 0) + coalesce(amounts[26], 0) + coalesce(amounts[27], 0) + coalesce(amounts[28], 0) + coalesce(amounts[29], 0) + coalesce(amounts[30], 0) + coalesce(amounts[31], 0) + coalesce(amounts[32], 0) + coalesce(amounts[33], 0) + coalesce(amounts[34], 0) + coalesce(amounts[35], 0) + coalesce(amounts[36], 0) end, case when cardinality(amounts) > 36 then coalesce(amounts[37], 0) + coalesce(amounts[38], 0) + coalesce(amounts[39], 0) + coalesce(amounts[40], 0) + coalesce(amounts[41], 0) + coalesce(amounts[42], 0) + coalesce(amounts[43], 0) + coalesce(amounts[44], 0) + coalesce(amounts[45], 0) + coalesce(amounts[46], 0) + coalesce(amounts[47], 0) + coalesce(amounts[48], 0) end, case when cardinality(amounts) > 48 then coalesce(amounts[49], 0) + coalesce(amounts[50], 0) + coalesce(amounts[51], 0) + coalesce(amounts[52], 0) + coalesce(amounts[53], 0) + coalesce(amounts[54], 0) + coalesce(amounts[55], 0) + coalesce(amounts[56], 0) + coalesce(amounts[57], 0) + coalesce(amounts[58], 0) + coalesce(amounts[59], 0) + coalesce(amounts[60], 0) end]) STORED NOT NULL,
	"missing" smallint[] GENERATED ALWAYS AS (case when array_position(amounts, null) is null then ('{0,0,0,0,0}'::smallint[])[:cardinality(amounts) / 12] else array[num_nulls(amounts[1], amounts[2], amounts[3], amounts[4], amounts[5], amounts[6], amounts[7], amounts[8], amounts[9], amounts[10], amounts[11], amounts[12])::smallint, case when cardinality(amounts) > 12 then num_nulls(amounts[13], amounts[14], amounts[15], amounts[16], amounts[17], amounts[18], amounts[19], amounts[20], amounts[21], amounts[22], amounts[23], amounts[24])::smallint end, case when cardinality(amounts) > 24 then num_nulls(amounts[25], amounts[26], amounts[27], amounts[28], amounts[29], amounts[30], amounts[31], amounts[32], amounts[33], amounts[34], amounts[35], amounts[36])::smallint end, case when cardinality(amounts) > 36 then num_nulls(amounts[37], amounts[38], amounts[39], amounts[40], amounts[41], amounts[42], amounts[43], amounts[44], amounts[45], amounts[46], amounts[47], amounts[48])::smallint end, case when cardinality(amounts) > 48 then num_nulls(amounts[49], amounts[50], amounts[51], amounts[52], amounts[53], amounts[54], amounts[55], amounts[56], amounts[57], amounts[58], amounts[59], amounts[60])::smallint end] end) STORED NOT NULL,
	CONSTRAINT "posted_lines_years" CHECK (array_ndims(amounts) = 1 and array_lower(amounts, 1) = 1 and cardinality(amounts) in (12, 24, 36, 48, 60) and first_year >= 0 and first_year * 12 + cardinality(amounts) <= 60)
);
--> statement-breakpoint
-- The owner copies the lines of everybody. Whoever asks for one waits until this has ended, and then finds the view.
ALTER TABLE budget_lines NO FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
-- Lines of the same source, component and coding whose years follow each other become one; several of one year stay several.
INSERT INTO posted_lines (organisation_id, budget_id, source_kind, source_id, component, budget_code_id, cost_centre_id, fund_code_id, first_year, amounts)
SELECT organisation_id, budget_id, source_kind, source_id, component, budget_code_id, cost_centre_id, fund_code_id,
  min(year), array(SELECT unnest(array_agg(amounts ORDER BY year)))
FROM (
  SELECT *, year - row_number() OVER (PARTITION BY organisation_id, budget_id, source_kind, source_id, component, budget_code_id, cost_centre_id, fund_code_id, copy ORDER BY year) AS run
  FROM (
    SELECT *, row_number() OVER (PARTITION BY organisation_id, budget_id, source_kind, source_id, component, budget_code_id, cost_centre_id, fund_code_id, year) AS copy
    FROM budget_lines
  ) AS numbered
) AS following
GROUP BY organisation_id, budget_id, source_kind, source_id, component, budget_code_id, cost_centre_id, fund_code_id, copy, run;
--> statement-breakpoint
DROP TABLE budget_lines;
--> statement-breakpoint
CREATE INDEX "posted_lines_source" ON "posted_lines" USING btree ("organisation_id","budget_id","source_kind","source_id");
--> statement-breakpoint
CREATE INDEX "posted_lines_missing" ON "posted_lines" USING btree ("organisation_id","budget_id") WHERE 0 < any(missing);
--> statement-breakpoint
ANALYZE posted_lines;
--> statement-breakpoint
ALTER TABLE posted_lines ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE posted_lines FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY own ON posted_lines USING (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform())) WITH CHECK (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON posted_lines TO bursar_app;
--> statement-breakpoint
-- A row for each year of a line. `line` and `xmin` are for the version before, which writes through this view and asks which transaction wrote a row.
CREATE VIEW budget_lines WITH (security_invoker = true) AS
SELECT l.organisation_id, l.budget_id, l.source_kind, l.source_id, l.component, y.year, l.budget_code_id, l.cost_centre_id, l.fund_code_id,
  l.amounts[at.month + 1 : at.month + 12] AS amounts,
  l.totals[y.year - l.first_year + 1] AS total,
  l.missing[y.year - l.first_year + 1] AS missing,
  l.amounts[at.month + 1] AS month_1,
  l.amounts[at.month + 2] AS month_2,
  l.amounts[at.month + 3] AS month_3,
  l.amounts[at.month + 4] AS month_4,
  l.amounts[at.month + 5] AS month_5,
  l.amounts[at.month + 6] AS month_6,
  l.amounts[at.month + 7] AS month_7,
  l.amounts[at.month + 8] AS month_8,
  l.amounts[at.month + 9] AS month_9,
  l.amounts[at.month + 10] AS month_10,
  l.amounts[at.month + 11] AS month_11,
  l.amounts[at.month + 12] AS month_12,
  l.ctid AS line, l.xmin AS xmin
FROM posted_lines l
JOIN (VALUES (0::smallint), (1::smallint), (2::smallint), (3::smallint), (4::smallint)) AS y(year)
  ON y.year >= l.first_year AND y.year < l.first_year + cardinality(l.amounts) / 12
CROSS JOIN LATERAL (SELECT (y.year - l.first_year) * 12 AS month) AS at;
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE ON budget_lines TO bursar_app;
--> statement-breakpoint
-- The version before writes a row a year, and takes away all lines of a source together. It goes away with that version, and so does this.
CREATE FUNCTION write_budget_line() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM posted_lines WHERE ctid = OLD.line;
    RETURN OLD;
  END IF;
  INSERT INTO posted_lines (organisation_id, budget_id, source_kind, source_id, component, budget_code_id, cost_centre_id, fund_code_id, first_year, amounts)
  VALUES (NEW.organisation_id, NEW.budget_id, NEW.source_kind, NEW.source_id, NEW.component, NEW.budget_code_id, NEW.cost_centre_id, NEW.fund_code_id, NEW.year, NEW.amounts);
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER write_budget_line INSTEAD OF INSERT OR DELETE ON budget_lines FOR EACH ROW EXECUTE FUNCTION write_budget_line();
