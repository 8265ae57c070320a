CREATE TABLE "ledger_texts" (
	"organisation_id" integer NOT NULL,
	"ledger_id" integer NOT NULL,
	"kind" text NOT NULL,
	"text" text NOT NULL,
	"budget_code_id" integer,
	"cost_centre_id" integer,
	"fund_code_id" integer,
	"analysis_tag_id" integer,
	"location_id" integer,
	CONSTRAINT "ledger_texts_organisation_id_ledger_id_kind_text_pk" PRIMARY KEY("organisation_id","ledger_id","kind","text"),
	CONSTRAINT "ledger_texts_target" CHECK (num_nonnulls(budget_code_id, cost_centre_id, fund_code_id, analysis_tag_id, location_id) = 0 or case kind
        when 'account' then budget_code_id when 'costCentre' then cost_centre_id when 'fund' then fund_code_id
        when 'tag' then analysis_tag_id when 'location' then location_id end is not null
        and num_nonnulls(budget_code_id, cost_centre_id, fund_code_id, analysis_tag_id, location_id) = 1)
);
--> statement-breakpoint
CREATE TABLE "ledgers" (
	"organisation_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "ledgers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"layout" text NOT NULL,
	"columns" jsonb NOT NULL,
	"sign" text NOT NULL,
	"is_cumulative" boolean NOT NULL,
	"cost_centre_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"saved" timestamp with time zone NOT NULL,
	CONSTRAINT "ledgers_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
ALTER TABLE "ledger_texts" ADD CONSTRAINT "ledger_texts_ledger_fk" FOREIGN KEY ("organisation_id","ledger_id") REFERENCES "public"."ledgers"("organisation_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "ledgers_name" ON "ledgers" USING btree ("organisation_id",lower("name"));--> statement-breakpoint
-- A mapping to a record that is gone is gone too: its text is asked for again.
ALTER TABLE "ledger_texts"
  ADD CONSTRAINT "ledger_texts_budget_code_fk" FOREIGN KEY ("organisation_id","budget_code_id") REFERENCES "budget_codes"("organisation_id","id") ON DELETE CASCADE,
  ADD CONSTRAINT "ledger_texts_cost_centre_fk" FOREIGN KEY ("organisation_id","cost_centre_id") REFERENCES "cost_centres"("organisation_id","id") ON DELETE CASCADE,
  ADD CONSTRAINT "ledger_texts_fund_code_fk" FOREIGN KEY ("fund_code_id") REFERENCES "fund_codes"("id") ON DELETE CASCADE,
  ADD CONSTRAINT "ledger_texts_analysis_tag_fk" FOREIGN KEY ("analysis_tag_id") REFERENCES "analysis_tags"("id") ON DELETE CASCADE,
  ADD CONSTRAINT "ledger_texts_location_fk" FOREIGN KEY ("organisation_id","location_id") REFERENCES "locations"("organisation_id","id") ON DELETE CASCADE;
--> statement-breakpoint
ALTER TABLE "ledgers" ADD CONSTRAINT "ledgers_cost_centre_fk" FOREIGN KEY ("cost_centre_id") REFERENCES "cost_centres"("id") ON DELETE SET NULL;
--> statement-breakpoint
DO $$ DECLARE c text; BEGIN
  FOREACH c IN ARRAY ARRAY['budget_code_id', 'cost_centre_id', 'fund_code_id', 'analysis_tag_id', 'location_id'] LOOP
    EXECUTE format('CREATE INDEX %I ON ledger_texts (organisation_id, %I)', 'ledger_texts_' || c, c);
  END LOOP;
END $$;
--> statement-breakpoint
DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY ARRAY['ledgers', 'ledger_texts'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY own ON %I USING (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform())) WITH CHECK (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()))', t);
  END LOOP;
END $$;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON ledgers, ledger_texts TO bursar_app;
