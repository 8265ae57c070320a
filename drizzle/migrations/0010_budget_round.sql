CREATE TABLE "budget_job_items" (
	"organisation_id" integer NOT NULL,
	"job_id" uuid NOT NULL,
	"budget_id" char(24) NOT NULL,
	"source_id" char(24) NOT NULL,
	"source_version" integer NOT NULL,
	"done_at" timestamp with time zone,
	"failure" text,
	CONSTRAINT "budget_job_items_organisation_id_budget_id_pk" PRIMARY KEY("organisation_id","budget_id")
);
--> statement-breakpoint
CREATE TABLE "budget_jobs" (
	"organisation_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"how" text NOT NULL,
	"requested_by_id" integer,
	"request_id" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	CONSTRAINT "budget_jobs_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
CREATE TABLE "presences" (
	"organisation_id" integer NOT NULL,
	"budget_id" char(24) NOT NULL,
	"screen_id" uuid NOT NULL,
	"user_id" integer NOT NULL,
	"place" text NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "presences_organisation_id_screen_id_pk" PRIMARY KEY("organisation_id","screen_id")
);
--> statement-breakpoint
CREATE INDEX "budget_job_items_job" ON "budget_job_items" USING btree ("organisation_id","job_id");--> statement-breakpoint
CREATE INDEX "budget_jobs_request" ON "budget_jobs" USING btree ("organisation_id","request_id");--> statement-breakpoint
CREATE INDEX "presences_budget" ON "presences" USING btree ("organisation_id","budget_id");--> statement-breakpoint
-- Budgets that stand already are working ones, made of nothing else, with no moment named and no approval asked for.
SELECT set_config('app.organisation_id', '*', true);--> statement-breakpoint
UPDATE budgets SET head = head || '{"versionType": 1, "source": null, "moments": [], "approval": null}'::jsonb;
