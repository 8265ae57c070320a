CREATE TABLE "import_columns" (
	"organisation_id" integer NOT NULL,
	"entity" text NOT NULL,
	"columns" jsonb NOT NULL,
	CONSTRAINT "import_columns_organisation_id_entity_pk" PRIMARY KEY("organisation_id","entity")
);

--> statement-breakpoint
ALTER TABLE import_columns ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE import_columns FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY own ON import_columns USING (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform())) WITH CHECK (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON import_columns TO bursar_app;
