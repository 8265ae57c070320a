ALTER TABLE "pay_scale_points" ALTER COLUMN "inner_rate" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "pay_scale_points" ALTER COLUMN "outer_rate" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "pay_scale_points" ALTER COLUMN "fringe_rate" DROP NOT NULL;