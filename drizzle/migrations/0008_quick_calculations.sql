CREATE TABLE "quick_calculations" (
	"organisation_id" integer NOT NULL,
	"budget_id" char(24) NOT NULL,
	"id" char(24) NOT NULL,
	"version" integer NOT NULL,
	"created" timestamp with time zone NOT NULL,
	"calculation" jsonb NOT NULL,
	CONSTRAINT "quick_calculations_organisation_id_budget_id_id_pk" PRIMARY KEY("organisation_id","budget_id","id")
);
