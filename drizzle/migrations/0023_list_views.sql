CREATE TABLE "list_views" (
	"organisation_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "list_views_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"list" text NOT NULL,
	"name" text NOT NULL,
	"sealed" text NOT NULL,
	CONSTRAINT "list_views_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
ALTER TABLE "presences" ADD COLUMN "record" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "presences" ADD COLUMN "field" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "list_views" ADD CONSTRAINT "list_views_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "list_views_name" ON "list_views" USING btree ("organisation_id","user_id","list",lower("name"));--> statement-breakpoint
CREATE INDEX "list_views_user" ON "list_views" USING btree ("user_id");
--> statement-breakpoint
ALTER TABLE list_views ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE list_views FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY own ON list_views USING (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform())) WITH CHECK (organisation_id = (SELECT current_organisation()) OR (SELECT is_platform()));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON list_views TO bursar_app;
