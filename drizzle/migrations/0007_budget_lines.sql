CREATE TABLE "budget_lines" (
	"organisation_id" integer NOT NULL,
	"budget_id" char(24) NOT NULL,
	"source_kind" text NOT NULL,
	"source_id" char(24) NOT NULL,
	"component" text NOT NULL,
	"year" smallint NOT NULL,
	"budget_code_id" integer,
	"cost_centre_id" integer,
	"fund_code_id" integer,
	"amounts" bigint[] NOT NULL,
	"total" bigint NOT NULL,
	"missing" smallint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "budgets" ADD COLUMN "levy_shares" jsonb;--> statement-breakpoint
CREATE INDEX "budget_lines_source" ON "budget_lines" USING btree ("organisation_id","budget_id","source_kind","source_id");--> statement-breakpoint
-- Figures that were stored before lines were kept get theirs with the next recalculation.
SELECT set_config('app.organisation_id', '*', true);--> statement-breakpoint
UPDATE budget_groups SET required_since = now(), required_reason = 'Lines are now kept for every figure' WHERE required_since IS NULL;
