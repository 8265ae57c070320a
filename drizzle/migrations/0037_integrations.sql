CREATE TABLE "integration_credentials" (
	"organisation_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "integration_credentials_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"description" text NOT NULL,
	"integration_type" smallint NOT NULL,
	"state" smallint NOT NULL,
	"message" text,
	"checked_at" timestamp with time zone,
	"test_asked" timestamp with time zone,
	"attempts" smallint DEFAULT 0 NOT NULL,
	CONSTRAINT "integration_credentials_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
CREATE TABLE "integration_parameters" (
	"organisation_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "integration_parameters_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"credential_id" integer NOT NULL,
	"name" text NOT NULL,
	"is_secret" boolean NOT NULL,
	"value" text DEFAULT '' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "integration_parameters_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
ALTER TABLE "integration_parameters" ADD CONSTRAINT "integration_parameters_credential_fk" FOREIGN KEY ("organisation_id","credential_id") REFERENCES "public"."integration_credentials"("organisation_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "integration_credentials_description" ON "integration_credentials" USING btree ("organisation_id",lower("description"));--> statement-breakpoint
CREATE INDEX "integration_credentials_test_asked" ON "integration_credentials" USING btree ("test_asked") WHERE test_asked is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "integration_parameters_name" ON "integration_parameters" USING btree ("organisation_id","credential_id","name");
--> statement-breakpoint
DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY ARRAY['integration_credentials', 'integration_parameters'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY own ON %I USING (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform())) WITH CHECK (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()))', t);
  END LOOP;
END $$;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON integration_credentials, integration_parameters TO bursar_app;
