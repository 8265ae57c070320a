ALTER TABLE "staff_inflation_rates" ADD COLUMN "in_table" numeric(9, 4);--> statement-breakpoint
ALTER TABLE "staff_inflation_rates" ADD COLUMN "lifted_to" numeric(9, 4);