CREATE TABLE "payroll_explanations" (
	"organisation_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"requested_by_id" integer NOT NULL,
	"asked" jsonb NOT NULL,
	"location_ids" integer[],
	"status" text DEFAULT 'running' NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"total" integer,
	"found" jsonb,
	"failure" text,
	"started_at" timestamp with time zone NOT NULL,
	"alive_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "payroll_explanations_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
CREATE INDEX "payroll_explanations_running" ON "payroll_explanations" USING btree ("alive_at") WHERE status = 'running';--> statement-breakpoint
CREATE INDEX "payroll_explanations_of_user" ON "payroll_explanations" USING btree ("organisation_id","requested_by_id");
--> statement-breakpoint
ALTER TABLE "payroll_explanations" ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE "payroll_explanations" FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY own ON "payroll_explanations" USING (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform())) WITH CHECK (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "payroll_explanations" TO bursar_app;
