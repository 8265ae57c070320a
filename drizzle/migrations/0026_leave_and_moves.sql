ALTER TABLE "extended_leave_rule_sets" ADD COLUMN "replacement_id" integer;--> statement-breakpoint
ALTER TABLE "extended_leave_rule_sets" ADD COLUMN "replaced_from" date;--> statement-breakpoint
ALTER TABLE "extended_leave_rules" ADD COLUMN "rate_cap_percentage" numeric(9, 4);--> statement-breakpoint
ALTER TABLE "extended_leave_types" ADD COLUMN "earnings_floor" numeric(14, 2);--> statement-breakpoint
ALTER TABLE "pay_scale_points" ADD COLUMN "replaces_increment" integer;--> statement-breakpoint
ALTER TABLE "extended_leave_rule_sets" ADD CONSTRAINT "extended_leave_rule_sets_replacement_id_fk" FOREIGN KEY ("organisation_id","replacement_id") REFERENCES "public"."extended_leave_rule_sets"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "extended_leave_rule_sets_replacement_id" ON "extended_leave_rule_sets" USING btree ("organisation_id","replacement_id");