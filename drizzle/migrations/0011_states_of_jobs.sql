CREATE TABLE "recalculation_marks" (
	"organisation_id" integer NOT NULL,
	"budget_id" char(24) NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"reason" text NOT NULL,
	CONSTRAINT "recalculation_marks_organisation_id_budget_id_pk" PRIMARY KEY("organisation_id","budget_id")
);
--> statement-breakpoint
ALTER TABLE "recalculations" ALTER COLUMN "group_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "recalculation_budgets" ADD COLUMN "attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "recalculation_budgets" ADD COLUMN "last_error" text;--> statement-breakpoint
ALTER TABLE "recalculations" ADD COLUMN "budget_id" char(24);--> statement-breakpoint
ALTER TABLE "recalculations" ADD COLUMN "status" text DEFAULT 'running' NOT NULL;--> statement-breakpoint
ALTER TABLE "recalculations" ADD COLUMN "attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "recalculations" ADD COLUMN "last_error" text;--> statement-breakpoint
ALTER TABLE "budget_job_items" ADD COLUMN "attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "budget_job_items" ADD COLUMN "last_error" text;--> statement-breakpoint
ALTER TABLE "budget_job_items" ADD COLUMN "announced_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "recalculation_budgets_open" ON "recalculation_budgets" USING btree ("organisation_id","budget_id") WHERE done_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "recalculations_running_alone" ON "recalculations" USING btree ("organisation_id","budget_id") WHERE finished_at is null;--> statement-breakpoint
CREATE INDEX "recalculations_to_announce" ON "recalculations" USING btree ("finished_at") WHERE announced_at is null;--> statement-breakpoint
SELECT set_config('app.organisation_id', '*', true);--> statement-breakpoint
-- What has ended was told of when it ended; runs that somebody stopped said so by a sentence.
UPDATE recalculations SET announced_at = coalesce(announced_at, finished_at),
  status = CASE WHEN failure IS NULL THEN 'done' WHEN failure = 'It was cancelled.' THEN 'cancelled' ELSE 'failed' END
WHERE finished_at IS NOT NULL;--> statement-breakpoint
-- A budget that was filled after all did not fail.
UPDATE budget_job_items SET failure = CASE WHEN done_at IS NULL THEN failure END, announced_at = now()
WHERE done_at IS NOT NULL OR failure IS NOT NULL;--> statement-breakpoint
-- What a group was to be recalculated for holds for each of its budgets.
INSERT INTO recalculation_marks (organisation_id, budget_id, since, reason)
SELECT DISTINCT b.organisation_id, b.id, g.required_since, coalesce(g.required_reason, 'Something that figures depend on')
FROM budget_groups g JOIN budgets b ON b.organisation_id = g.organisation_id AND b.id = ANY (g.budget_ids)
WHERE g.required_since IS NOT NULL AND NOT coalesce((b.head ->> 'locked')::boolean, false)
ON CONFLICT DO NOTHING;
