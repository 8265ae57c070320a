CREATE TABLE "payroll_provider_texts" (
	"organisation_id" integer NOT NULL,
	"provider_id" integer NOT NULL,
	"kind" text NOT NULL,
	"text" text NOT NULL,
	"payroll_code_id" integer,
	"location_id" integer,
	CONSTRAINT "payroll_provider_texts_organisation_id_provider_id_kind_text_pk" PRIMARY KEY("organisation_id","provider_id","kind","text"),
	CONSTRAINT "payroll_provider_texts_target" CHECK (num_nonnulls(payroll_code_id, location_id) = 0 or (num_nonnulls(payroll_code_id, location_id) = 1
        and case kind when 'code' then payroll_code_id when 'location' then location_id end is not null))
);
--> statement-breakpoint
CREATE TABLE "payroll_providers" (
	"organisation_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "payroll_providers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"layout" text NOT NULL,
	"columns" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"saved" timestamp with time zone NOT NULL,
	CONSTRAINT "payroll_providers_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
ALTER TABLE "payroll_provider_texts" ADD CONSTRAINT "payroll_provider_texts_provider_fk" FOREIGN KEY ("organisation_id","provider_id") REFERENCES "public"."payroll_providers"("organisation_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payroll_provider_texts" ADD CONSTRAINT "payroll_provider_texts_code_fk" FOREIGN KEY ("payroll_code_id") REFERENCES "public"."payroll_codes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payroll_provider_texts_payroll_code_id" ON "payroll_provider_texts" USING btree ("organisation_id","payroll_code_id");--> statement-breakpoint
CREATE INDEX "payroll_provider_texts_location_id" ON "payroll_provider_texts" USING btree ("organisation_id","location_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payroll_providers_name" ON "payroll_providers" USING btree ("organisation_id",lower("name"));--> statement-breakpoint
ALTER TABLE "payroll_provider_texts" ADD CONSTRAINT "payroll_provider_texts_location_fk" FOREIGN KEY ("organisation_id","location_id") REFERENCES "locations"("organisation_id","id") ON DELETE CASCADE;
--> statement-breakpoint
DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY ARRAY['payroll_providers', 'payroll_provider_texts'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY own ON %I USING (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform())) WITH CHECK (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()))', t);
  END LOOP;
END $$;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON payroll_providers, payroll_provider_texts TO bursar_app;
