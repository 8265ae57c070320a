CREATE TABLE "actual_sums" (
	"organisation_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"year" smallint NOT NULL,
	"type" smallint NOT NULL,
	"budget_code_id" integer NOT NULL,
	"amounts" bigint[] NOT NULL,
	"months" smallint NOT NULL,
	CONSTRAINT "actual_sums_pk" PRIMARY KEY("organisation_id","location_id","year","type","budget_code_id")
);
--> statement-breakpoint
ALTER TABLE "actual_sums" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "actual_sums" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY own ON "actual_sums" USING (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform())) WITH CHECK (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "actual_sums" TO bursar_app;
--> statement-breakpoint
-- What was imported before this table was there.
SELECT set_config('app.organisation_id', '*', true);
--> statement-breakpoint
INSERT INTO "actual_sums" (organisation_id, location_id, year, type, budget_code_id, amounts, months)
SELECT organisation_id, location_id, year, type, budget_code_id,
	array_agg(coalesce(value, 0) ORDER BY at), bit_or(CASE WHEN value IS NULL THEN 0 ELSE 1 << at - 1 END)
FROM (SELECT DISTINCT organisation_id, location_id, year, type, budget_code_id FROM actual_lines) code
CROSS JOIN generate_series(1, 12) at
LEFT JOIN (
	SELECT organisation_id, location_id, year, type, budget_code_id, month AS at, sum(value)::bigint AS value FROM actual_lines GROUP BY 1, 2, 3, 4, 5, 6
) sums USING (organisation_id, location_id, year, type, budget_code_id, at)
GROUP BY 1, 2, 3, 4, 5;
