ALTER TABLE "extended_leave_rules" ADD COLUMN "rate_cap_percentage" numeric(9, 4);--> statement-breakpoint
ALTER TABLE "extended_leave_types" ADD COLUMN "earnings_floor" numeric(14, 2);--> statement-breakpoint
ALTER TABLE "pay_scale_points" ADD COLUMN "replaces_increment" integer;