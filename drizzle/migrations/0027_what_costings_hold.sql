ALTER TABLE "staff_costs" ADD COLUMN "content" char(64);--> statement-breakpoint
ALTER TABLE "staff_costs" ADD COLUMN "posted" smallint DEFAULT 0 NOT NULL;