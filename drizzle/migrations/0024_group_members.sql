CREATE TABLE "budget_group_members" (
	"organisation_id" integer NOT NULL,
	"group_id" char(24) NOT NULL,
	"budget_id" char(24) NOT NULL,
	"position" integer NOT NULL,
	CONSTRAINT "budget_group_members_budget" PRIMARY KEY("organisation_id","budget_id"),
	CONSTRAINT "budget_group_members_position" UNIQUE("organisation_id","group_id","position")
);
--> statement-breakpoint
ALTER TABLE "budget_group_members" ADD CONSTRAINT "budget_group_members_group_fk" FOREIGN KEY ("organisation_id","group_id") REFERENCES "public"."budget_groups"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_group_members" ADD CONSTRAINT "budget_group_members_budget_fk" FOREIGN KEY ("organisation_id","budget_id") REFERENCES "public"."budgets"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
SELECT set_config('app.organisation_id', '*', true);--> statement-breakpoint
INSERT INTO "budget_group_members" ("organisation_id", "group_id", "budget_id", "position")
SELECT organisation_id, id, member.budget_id, member.place - 1 FROM "budget_groups", unnest(budget_ids) WITH ORDINALITY AS member (budget_id, place);--> statement-breakpoint
SET CONSTRAINTS ALL IMMEDIATE;--> statement-breakpoint
ALTER TABLE "budget_groups" DROP COLUMN "budget_ids";