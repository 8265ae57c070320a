CREATE TABLE "comparator_sets" (
	"organisation_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "comparator_sets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"name" text NOT NULL,
	"source" text NOT NULL,
	"year" text,
	"schools" jsonb NOT NULL,
	"unused" jsonb NOT NULL,
	"chosen" text[] NOT NULL,
	"is_used" boolean NOT NULL,
	CONSTRAINT "comparator_sets_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "comparator_sets_name" ON "comparator_sets" USING btree ("organisation_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "comparator_sets_used" ON "comparator_sets" USING btree ("organisation_id") WHERE is_used;
--> statement-breakpoint
ALTER TABLE comparator_sets ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE comparator_sets FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY own ON comparator_sets USING (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform())) WITH CHECK (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON comparator_sets TO bursar_app;
