ALTER TABLE "staff_costs" ALTER COLUMN "has_problems" DROP EXPRESSION;--> statement-breakpoint
ALTER TABLE "staff_costs" ALTER COLUMN "has_pay" DROP EXPRESSION;--> statement-breakpoint
ALTER TABLE "staff_costs" ALTER COLUMN "costing" SET DATA TYPE json;--> statement-breakpoint
ALTER TABLE "staff_costs" ALTER COLUMN "has_problems" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "staff_costs" ALTER COLUMN "has_pay" SET NOT NULL;
