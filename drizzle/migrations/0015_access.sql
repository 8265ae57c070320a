CREATE TABLE "first_administrator_links" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "first_administrator_links_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"secret_hash" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"created" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_clients" DROP CONSTRAINT "api_clients_user_group_id_user_groups_id_fk";
--> statement-breakpoint
ALTER TABLE "api_clients" ADD COLUMN "id" integer NOT NULL GENERATED ALWAYS AS IDENTITY (sequence name "api_clients_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "api_clients" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "api_clients" ADD COLUMN "created" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "api_clients" ADD COLUMN "created_by_id" integer;--> statement-breakpoint
ALTER TABLE "api_clients" ADD COLUMN "secret_made" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "api_clients" ADD COLUMN "previous_secret" text;--> statement-breakpoint
ALTER TABLE "api_clients" ADD COLUMN "previous_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "api_clients" ADD COLUMN "user_group_ids" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_clients" ADD COLUMN "location_ids" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_clients" ADD COLUMN "last_used" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "outside_issuer" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "outside_subject" text;--> statement-breakpoint
-- Clients that stand already keep the rights of their group; two of one name are told apart by their id.
SELECT set_config('app.organisation_id', '*', true);--> statement-breakpoint
UPDATE api_clients SET user_group_ids = ARRAY[user_group_id];--> statement-breakpoint
UPDATE api_clients a SET name = name || ' ' || client_id WHERE EXISTS (SELECT FROM api_clients b WHERE b.organisation_id = a.organisation_id AND lower(b.name) = lower(a.name) AND b.client_id < a.client_id);--> statement-breakpoint
CREATE UNIQUE INDEX "first_administrator_links_secret" ON "first_administrator_links" USING btree ("secret_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "api_clients_id" ON "api_clients" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "api_clients_name" ON "api_clients" USING btree ("organisation_id",lower("name")) WHERE active;--> statement-breakpoint
CREATE UNIQUE INDEX "users_outside" ON "users" USING btree ("outside_issuer","outside_subject");--> statement-breakpoint
ALTER TABLE "api_clients" DROP COLUMN "user_group_id";