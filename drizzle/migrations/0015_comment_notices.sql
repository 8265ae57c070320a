CREATE TABLE "comment_notices" (
	"organisation_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"budget_id" char(24) NOT NULL,
	"comment_id" char(24) NOT NULL,
	"is_mention" boolean NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone,
	"mailed_at" timestamp with time zone,
	CONSTRAINT "comment_notices_organisation_id_user_id_comment_id_pk" PRIMARY KEY("organisation_id","user_id","comment_id")
);
--> statement-breakpoint
CREATE INDEX "comment_notices_unmailed" ON "comment_notices" USING btree ("at") WHERE mailed_at is null and seen_at is null;