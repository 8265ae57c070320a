CREATE TABLE "terms" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "terms_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"term" text NOT NULL,
	"singular" text NOT NULL,
	"plural" text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "terms_term" ON "terms" USING btree ("organisation_id","term");