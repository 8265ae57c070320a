CREATE TABLE "budget_items" (
	"organisation_id" integer NOT NULL,
	"budget_id" char(24) NOT NULL,
	"id" char(24) NOT NULL,
	"kind" text NOT NULL,
	"version" integer NOT NULL,
	"saved_at" timestamp with time zone NOT NULL,
	"created" timestamp with time zone NOT NULL,
	"item" jsonb NOT NULL,
	CONSTRAINT "budget_items_organisation_id_budget_id_id_pk" PRIMARY KEY("organisation_id","budget_id","id")
);
--> statement-breakpoint
ALTER TABLE "budget_codes" ADD COLUMN "income_type_id" integer;--> statement-breakpoint
ALTER TABLE "budgets" ADD COLUMN "transfers" jsonb;--> statement-breakpoint
CREATE INDEX "budget_items_kind" ON "budget_items" USING btree ("organisation_id","budget_id","kind");--> statement-breakpoint
-- Budgets that stand already name no prices and no funding, top slice and pooling tables yet.
SELECT set_config('app.organisation_id', '*', true);--> statement-breakpoint
UPDATE budgets SET head = jsonb_set(
  head || jsonb_build_object('inflationId', coalesce(head -> 'inflationId', 'null'::jsonb)),
  '{elements}',
  jsonb_build_object('localAuthorityFundingRates', '[]'::jsonb, 'topSliceTables', '[]'::jsonb, 'gagPoolTables', '[]'::jsonb) || (head -> 'elements')
);
