CREATE TABLE "log_checks" (
	"organisation_id" integer NOT NULL,
	"sequence" bigint NOT NULL,
	"hash" char(64) NOT NULL,
	"checked_at" timestamp with time zone,
	"finding" text,
	"found_at" timestamp with time zone,
	CONSTRAINT "log_checks_organisation_id_pk" PRIMARY KEY("organisation_id")
);
