CREATE TABLE "import_progress" (
	"key" uuid PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"phase" text NOT NULL,
	"done" integer NOT NULL,
	"total" integer NOT NULL,
	"updated" timestamp with time zone DEFAULT now() NOT NULL
);
