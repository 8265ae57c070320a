ALTER TABLE "staff_costs" DROP COLUMN "has_pay";--> statement-breakpoint
-- A costing is kept in runs of equal months, [figure, months]; of one that is kept month by month the path reads the same.
ALTER TABLE "staff_costs" ADD COLUMN "has_pay" boolean GENERATED ALWAYS AS (jsonb_path_exists(costing, '$.years[*].gross[*][0] ? (@ != 0)')) STORED;--> statement-breakpoint
CREATE INDEX "staff_costs_checked" ON "staff_costs" USING btree ("organisation_id","budget_id","contract_id") WHERE has_problems or not has_pay;
