CREATE TABLE "connection_runs" (
	"organisation_id" integer NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "connection_runs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"connection_id" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"asked_by_id" integer,
	"outcome" text NOT NULL,
	"file" text,
	"rows" integer,
	"message" text NOT NULL,
	"digest" text,
	CONSTRAINT "connection_runs_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
CREATE TABLE "connections" (
	"organisation_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "connections_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"credential_id" integer NOT NULL,
	"path" text NOT NULL,
	"format" text NOT NULL,
	"schedule" jsonb NOT NULL,
	"file" jsonb,
	"destination" text NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"due_at" timestamp with time zone,
	"asked" text,
	"asked_by_id" integer,
	"claimed_until" timestamp with time zone,
	"attempts" smallint DEFAULT 0 NOT NULL,
	"turn" integer DEFAULT 0 NOT NULL,
	"failures" smallint DEFAULT 0 NOT NULL,
	"problem" text,
	CONSTRAINT "connections_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
ALTER TABLE "connection_runs" ADD CONSTRAINT "connection_runs_connection_fk" FOREIGN KEY ("organisation_id","connection_id") REFERENCES "public"."connections"("organisation_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connections" ADD CONSTRAINT "connections_credential_fk" FOREIGN KEY ("organisation_id","credential_id") REFERENCES "public"."integration_credentials"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "connection_runs_connection" ON "connection_runs" USING btree ("organisation_id","connection_id","id");--> statement-breakpoint
CREATE INDEX "connection_runs_at" ON "connection_runs" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "connections_name" ON "connections" USING btree ("organisation_id",lower("name"));--> statement-breakpoint
CREATE INDEX "connections_due" ON "connections" USING btree ("due_at") WHERE due_at is not null;
--> statement-breakpoint
DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY ARRAY['connections', 'connection_runs'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY own ON %I USING (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform())) WITH CHECK (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()))', t);
  END LOOP;
END $$;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON connections, connection_runs TO bursar_app;
