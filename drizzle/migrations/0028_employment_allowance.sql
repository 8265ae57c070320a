CREATE TABLE "employment_allowances" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "employment_allowances_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"effective_date" date NOT NULL,
	"amount" numeric(14, 2) NOT NULL,
	CONSTRAINT "employment_allowances_unique_1" UNIQUE("effective_date")
);
--> statement-breakpoint
ALTER TABLE "budget_groups" ADD COLUMN "claims_employment_allowance" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "budget_groups" ADD COLUMN "allowance_budget_code_id" integer;--> statement-breakpoint
ALTER TABLE "budget_groups" ADD COLUMN "allowance_cost_centre_id" integer;--> statement-breakpoint
ALTER TABLE "budgets" ADD COLUMN "employment_allowance" jsonb;--> statement-breakpoint
CREATE INDEX "employment_allowances_sort" ON "employment_allowances" USING btree ("effective_date");--> statement-breakpoint
ALTER TABLE "budget_groups" ADD CONSTRAINT "budget_groups_allowance_budget_code_fk" FOREIGN KEY ("organisation_id","allowance_budget_code_id") REFERENCES "public"."budget_codes"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_groups" ADD CONSTRAINT "budget_groups_allowance_cost_centre_fk" FOREIGN KEY ("organisation_id","allowance_cost_centre_id") REFERENCES "public"."cost_centres"("organisation_id","id") ON DELETE no action ON UPDATE no action;