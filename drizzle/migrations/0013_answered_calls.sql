CREATE TABLE "answered_calls" (
	"organisation_id" integer NOT NULL,
	"caller" text NOT NULL,
	"key_digest" char(64) NOT NULL,
	"call_digest" char(64) NOT NULL,
	"sealed_answer" text,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "answered_calls_organisation_id_caller_key_digest_pk" PRIMARY KEY("organisation_id","caller","key_digest")
);
--> statement-breakpoint
DROP INDEX "budget_events_request";--> statement-breakpoint
DROP INDEX "budget_jobs_request";--> statement-breakpoint
CREATE INDEX "answered_calls_created" ON "answered_calls" USING btree ("created");--> statement-breakpoint
ALTER TABLE "budget_events" DROP COLUMN "request_part";