CREATE TABLE "second_step_groups" (
	"organisation_id" integer NOT NULL,
	"user_group_id" integer NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "second_step_groups_organisation_id_user_group_id_pk" PRIMARY KEY("organisation_id","user_group_id")
);
--> statement-breakpoint
ALTER TABLE "second_step_groups" ADD CONSTRAINT "second_step_groups_user_group_id_user_groups_id_fk" FOREIGN KEY ("user_group_id") REFERENCES "public"."user_groups"("id") ON DELETE cascade ON UPDATE no action;