CREATE TABLE "staff_changes_left" (
	"organisation_id" integer NOT NULL,
	"budget_id" char(24) NOT NULL,
	"token" text NOT NULL,
	"left_at" timestamp with time zone NOT NULL,
	"left_by_id" integer,
	CONSTRAINT "staff_changes_left_organisation_id_budget_id_token_pk" PRIMARY KEY("organisation_id","budget_id","token")
);
--> statement-breakpoint
CREATE TABLE "staff_files" (
	"organisation_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"name" text NOT NULL,
	"day" date NOT NULL,
	"taken_at" timestamp with time zone NOT NULL,
	"taken_by_id" integer,
	"row_count" integer NOT NULL,
	"sealed" "bytea" NOT NULL,
	CONSTRAINT "staff_files_organisation_id_location_id_pk" PRIMARY KEY("organisation_id","location_id")
);
--> statement-breakpoint
ALTER TABLE "staff_files" ADD CONSTRAINT "staff_files_location_fk" FOREIGN KEY ("organisation_id","location_id") REFERENCES "locations"("organisation_id","id") ON DELETE CASCADE;
--> statement-breakpoint
ALTER TABLE "staff_changes_left" ADD CONSTRAINT "staff_changes_left_budget_fk" FOREIGN KEY ("organisation_id","budget_id") REFERENCES "budgets"("organisation_id","id") ON DELETE CASCADE;
--> statement-breakpoint
DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY ARRAY['staff_files', 'staff_changes_left'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY own ON %I USING (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform())) WITH CHECK (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()))', t);
  END LOOP;
END $$;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON staff_files, staff_changes_left TO bursar_app;
