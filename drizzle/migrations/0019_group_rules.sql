CREATE TABLE "group_rules" (
	"organisation_id" integer NOT NULL,
	"value" text NOT NULL,
	"user_group_id" integer NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "group_rules_organisation_id_value_user_group_id_pk" PRIMARY KEY("organisation_id","value","user_group_id")
);
--> statement-breakpoint
ALTER TABLE "group_rules" ADD CONSTRAINT "group_rules_user_group_id_user_groups_id_fk" FOREIGN KEY ("user_group_id") REFERENCES "public"."user_groups"("id") ON DELETE cascade ON UPDATE no action;