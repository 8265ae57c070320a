CREATE TABLE "pack_papers" (
	"organisation_id" integer NOT NULL,
	"code" text NOT NULL,
	"file_name" text NOT NULL,
	"content_type" text NOT NULL,
	"sealed" "bytea" NOT NULL,
	"made_at" timestamp with time zone NOT NULL,
	CONSTRAINT "pack_papers_organisation_id_code_pk" PRIMARY KEY("organisation_id","code")
);

--> statement-breakpoint
ALTER TABLE pack_papers ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE pack_papers FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY own ON pack_papers USING (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform())) WITH CHECK (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()));
--> statement-breakpoint
GRANT SELECT, INSERT ON pack_papers TO bursar_app;
