CREATE TABLE "clusters" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "clusters_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"text_color" text,
	"background_color" text,
	"locations" integer[] DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "income_types" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "income_types_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"order" integer,
	"active" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE TABLE "local_authority_funding_rates" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "local_authority_funding_rates_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"local_authority" integer NOT NULL,
	"admin_table" integer NOT NULL,
	"category" integer NOT NULL,
	"value" numeric(14, 2) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payroll_codes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "payroll_codes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"type" integer NOT NULL,
	"code" text NOT NULL,
	"description" text,
	"element" integer,
	"locations" integer[] DEFAULT '{}' NOT NULL,
	"service_terms" integer[] DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "profile_templates" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "profile_templates_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"locations" integer[] DEFAULT '{}' NOT NULL,
	"period1" numeric(14, 6),
	"period2" numeric(14, 6),
	"period3" numeric(14, 6),
	"period4" numeric(14, 6),
	"period5" numeric(14, 6),
	"period6" numeric(14, 6),
	"period7" numeric(14, 6),
	"period8" numeric(14, 6),
	"period9" numeric(14, 6),
	"period10" numeric(14, 6),
	"period11" numeric(14, 6),
	"period12" numeric(14, 6)
);
--> statement-breakpoint
CREATE TABLE "student_groups" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "student_groups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"code" text NOT NULL,
	"description" text NOT NULL,
	"budget_code_id" integer NOT NULL,
	"cost_centre_id" integer
);
--> statement-breakpoint
CREATE INDEX "clusters_sort" ON "clusters" USING btree (organisation_id,"name");--> statement-breakpoint
CREATE INDEX "income_types_sort" ON "income_types" USING btree ("order");--> statement-breakpoint
CREATE INDEX "local_authority_funding_rates_sort" ON "local_authority_funding_rates" USING btree ("local_authority");--> statement-breakpoint
CREATE INDEX "payroll_codes_sort" ON "payroll_codes" USING btree (organisation_id,"code");--> statement-breakpoint
CREATE INDEX "profile_templates_sort" ON "profile_templates" USING btree (organisation_id,"name");--> statement-breakpoint
CREATE INDEX "student_groups_sort" ON "student_groups" USING btree (organisation_id,"code");