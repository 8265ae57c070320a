CREATE TABLE "report_layouts" (
	"organisation_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "report_layouts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"name" text NOT NULL,
	"owner_id" integer NOT NULL,
	"is_shared" boolean NOT NULL,
	"is_over_open" boolean NOT NULL,
	"request" jsonb NOT NULL,
	"location_ids" integer[] NOT NULL,
	CONSTRAINT "report_layouts_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "report_layouts_own_name" ON "report_layouts" USING btree ("organisation_id","owner_id",lower("name")) WHERE not is_shared;--> statement-breakpoint
CREATE UNIQUE INDEX "report_layouts_shared_name" ON "report_layouts" USING btree ("organisation_id",lower("name")) WHERE is_shared;
--> statement-breakpoint
ALTER TABLE report_layouts ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE report_layouts FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY own ON report_layouts USING (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform())) WITH CHECK (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON report_layouts TO bursar_app;
