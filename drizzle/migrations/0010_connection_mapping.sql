ALTER TABLE "connections" ADD COLUMN "mapping" jsonb;--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "sample" "bytea";--> statement-breakpoint
ALTER TABLE "connections" ADD COLUMN "sample_at" timestamp with time zone;