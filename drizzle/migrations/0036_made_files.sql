CREATE TABLE "made_files" (
	"organisation_id" integer NOT NULL,
	"id" text NOT NULL,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"request" jsonb NOT NULL,
	"requested_by_id" integer NOT NULL,
	"request_id" text NOT NULL,
	"requested_at" timestamp with time zone NOT NULL,
	"percent" smallint DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"failure" text,
	"cancelled_at" timestamp with time zone,
	"made_at" timestamp with time zone,
	"file_name" text,
	"content_type" text,
	"sealed" "bytea",
	"location_ids" integer[],
	"names_staff" boolean DEFAULT false NOT NULL,
	"announced_at" timestamp with time zone,
	CONSTRAINT "made_files_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
CREATE INDEX "made_files_of" ON "made_files" USING btree ("organisation_id","requested_by_id","requested_at");--> statement-breakpoint
CREATE INDEX "made_files_open" ON "made_files" USING btree ("requested_at") WHERE made_at is null and failure is null and cancelled_at is null;
--> statement-breakpoint
ALTER TABLE made_files ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE made_files FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY own ON made_files USING (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform())) WITH CHECK (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON made_files TO bursar_app;
