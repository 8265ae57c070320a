CREATE TABLE "sign_ins" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"device" text NOT NULL,
	"address" text NOT NULL,
	"started" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "sign_ins" ADD CONSTRAINT "sign_ins_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sign_ins_user" ON "sign_ins" USING btree ("user_id");--> statement-breakpoint
ALTER TABLE sign_ins ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE sign_ins FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY platform_only ON sign_ins USING ((SELECT is_platform())) WITH CHECK ((SELECT is_platform()));
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON sign_ins TO bursar_app;
