ALTER TABLE "budget_events" ADD COLUMN "schema" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "monitoring_events" ADD COLUMN "schema" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "payroll_events" ADD COLUMN "schema" integer DEFAULT 1 NOT NULL;