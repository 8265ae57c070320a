CREATE TABLE "return_reasons" (
	"organisation_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "return_reasons_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"location_id" integer,
	"first_year" smallint NOT NULL,
	"line" text NOT NULL,
	"reason" text NOT NULL,
	"written_by" text NOT NULL,
	"written_at" timestamp with time zone NOT NULL,
	CONSTRAINT "return_reasons_organisation_id_id_pk" PRIMARY KEY("organisation_id","id"),
	CONSTRAINT "return_reasons_line" UNIQUE NULLS NOT DISTINCT("organisation_id","location_id","first_year","line")
);
--> statement-breakpoint
ALTER TABLE "return_reasons" ADD CONSTRAINT "return_reasons_location_fk" FOREIGN KEY ("organisation_id","location_id") REFERENCES "locations"("organisation_id","id") ON DELETE CASCADE;
--> statement-breakpoint
ALTER TABLE return_reasons ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE return_reasons FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY own ON return_reasons USING (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform())) WITH CHECK (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON return_reasons TO bursar_app;
