CREATE TABLE "file_layouts" (
	"organisation_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "file_layouts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"name" text NOT NULL,
	"layout" jsonb NOT NULL,
	CONSTRAINT "file_layouts_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "file_layouts_name" ON "file_layouts" USING btree ("organisation_id",lower("name"));
--> statement-breakpoint
ALTER TABLE file_layouts ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE file_layouts FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY own ON file_layouts USING (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform())) WITH CHECK (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON file_layouts TO bursar_app;
