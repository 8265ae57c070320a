-- The most that a field of a contract's salary rows says: immutable, so that a column can be made of it.
CREATE FUNCTION salary_most(contract jsonb, field text) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT max((salary ->> field)::numeric) FROM jsonb_array_elements(contract -> 'salary') salary
$$;
--> statement-breakpoint
-- Words in the order in which people expect them: digits by their number, letters without regard to case.
CREATE COLLATION natural_order (provider = icu, locale = 'en-GB-u-kn-true');
--> statement-breakpoint
CREATE TABLE "admin_tables" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "admin_tables_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"name" text NOT NULL,
	"active" boolean DEFAULT false NOT NULL,
	"type" integer NOT NULL,
	"effective_date" date,
	"description" text
);
--> statement-breakpoint
CREATE TABLE "allowances" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "allowances_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"name" text NOT NULL,
	"pro_rate" boolean DEFAULT false NOT NULL,
	"er_pension" boolean DEFAULT false NOT NULL,
	"inflation_setting" integer NOT NULL,
	"rates" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"analysis_tag_ids" integer[] DEFAULT '{}' NOT NULL,
	"locations" integer[] DEFAULT '{}' NOT NULL,
	"budget_code_id" integer
);
--> statement-breakpoint
CREATE TABLE "analysis_tags" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "analysis_tags_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"text_color" text,
	"background_color" text,
	"icon" text,
	"locations" integer[] DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "apprenticeship_levies" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "apprenticeship_levies_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"effective_date" date NOT NULL,
	"allowance" numeric(14, 2),
	"percentage" numeric(9, 4),
	CONSTRAINT "apprenticeship_levies_unique_1" UNIQUE NULLS NOT DISTINCT("organisation_id","effective_date","location_id")
);
--> statement-breakpoint
CREATE TABLE "assist_articles" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "assist_articles_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"slug" text NOT NULL,
	"title" text NOT NULL,
	"article" text,
	"video" text,
	"image" integer,
	"enabled" boolean DEFAULT false NOT NULL,
	"active" date,
	"expires" date,
	"order" integer
);
--> statement-breakpoint
CREATE TABLE "benchmarking_groups" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "benchmarking_groups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"name" text NOT NULL,
	"description" text
);
--> statement-breakpoint
CREATE TABLE "bfr_codes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bfr_codes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"code" text NOT NULL,
	"description" text NOT NULL,
	"type" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "budget_codes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "budget_codes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"code" text NOT NULL,
	"type" integer NOT NULL,
	"description" text NOT NULL,
	"cfr_code_id" integer,
	"gag_code_id" integer,
	"acoa_code_id" integer,
	"custom_code_id" integer,
	"main_bfr_code_id" integer,
	"secondary_bfr_code_id" integer,
	"locations" integer[] DEFAULT '{}' NOT NULL,
	"alt_description" text,
	"income_type_id" integer,
	"category" integer,
	CONSTRAINT "budget_codes_of_organisation" UNIQUE("organisation_id","id")
);
--> statement-breakpoint
CREATE TABLE "budget_days" (
	"organisation_id" integer NOT NULL,
	"budget_id" char(24) NOT NULL,
	"day" date NOT NULL,
	"actor_id" integer,
	"changes" integer NOT NULL,
	"version" integer NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "budget_days_person" UNIQUE NULLS NOT DISTINCT("organisation_id","budget_id","day","actor_id")
);
--> statement-breakpoint
CREATE TABLE "budget_events" (
	"organisation_id" integer NOT NULL,
	"budget_id" char(24) NOT NULL,
	"version" integer NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "budget_events_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"data" jsonb NOT NULL,
	"about" text GENERATED ALWAYS AS (data ->> 'id') STORED,
	"actor_id" integer,
	"request_id" text NOT NULL,
	"occurred_at" timestamp with time zone NOT NULL,
	"previous_hash" char(64) NOT NULL,
	"hash" char(64) NOT NULL,
	CONSTRAINT "budget_events_organisation_id_budget_id_version_pk" PRIMARY KEY("organisation_id","budget_id","version")
);
--> statement-breakpoint
CREATE TABLE "budget_group_members" (
	"organisation_id" integer NOT NULL,
	"group_id" char(24) NOT NULL,
	"budget_id" char(24) NOT NULL,
	"position" integer NOT NULL,
	CONSTRAINT "budget_group_members_budget" PRIMARY KEY("organisation_id","budget_id"),
	CONSTRAINT "budget_group_members_position" UNIQUE("organisation_id","group_id","position")
);
--> statement-breakpoint
CREATE TABLE "budget_groups" (
	"organisation_id" integer NOT NULL,
	"id" char(24) NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"version" integer DEFAULT 1 NOT NULL,
	"required_since" timestamp with time zone,
	"required_reason" text,
	"last_recalculated" timestamp with time zone,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "budget_groups_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
CREATE TABLE "budgets" (
	"organisation_id" integer NOT NULL,
	"id" char(24) NOT NULL,
	"location_id" integer NOT NULL,
	"name" text NOT NULL,
	"version" integer NOT NULL,
	"head" jsonb NOT NULL,
	"levy_shares" jsonb,
	"transfers" jsonb,
	"recalculated" jsonb,
	"saved_at" timestamp with time zone NOT NULL,
	"saved_by_id" integer,
	"last_hash" char(64) NOT NULL,
	"created" timestamp with time zone NOT NULL,
	CONSTRAINT "budgets_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
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
CREATE TABLE "contract_types" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contract_types_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"calculation_type" integer NOT NULL,
	"pay_scale_types" integer DEFAULT 0 NOT NULL,
	"locations" integer[] DEFAULT '{}' NOT NULL,
	"full_time_hours" numeric(14, 6),
	"full_time_weeks" numeric(14, 6),
	"increment_month" integer,
	CONSTRAINT "contract_types_of_organisation" UNIQUE("organisation_id","id")
);
--> statement-breakpoint
CREATE TABLE "cost_centres" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "cost_centres_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"code" text NOT NULL,
	"description" text NOT NULL,
	"locations" integer[] DEFAULT '{}' NOT NULL,
	"alt_description" text,
	CONSTRAINT "cost_centres_of_organisation" UNIQUE("organisation_id","id")
);
--> statement-breakpoint
CREATE TABLE "extended_leave_rule_sets" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "extended_leave_rule_sets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"extended_leave_type_id" integer NOT NULL,
	CONSTRAINT "extended_leave_rule_sets_of_organisation" UNIQUE("organisation_id","id")
);
--> statement-breakpoint
CREATE TABLE "extended_leave_rules" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "extended_leave_rules_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"extended_leave_ruleset_id" integer NOT NULL,
	"period_name" text NOT NULL,
	"first_week" integer NOT NULL,
	"last_week" integer NOT NULL,
	"pay_percentage" numeric(9, 4) NOT NULL,
	"use_awe" boolean DEFAULT false NOT NULL,
	"pay_inclusive" boolean DEFAULT false NOT NULL,
	"pay_recovery_percentage" numeric(9, 4) NOT NULL,
	"extended_leave_rate_percentage" numeric(9, 4) NOT NULL,
	"extended_leave_rate_recovery_percentage" numeric(9, 4) NOT NULL,
	"er_pension_calculation" integer NOT NULL,
	CONSTRAINT "extended_leave_rules_unique_1" UNIQUE NULLS NOT DISTINCT("organisation_id","extended_leave_ruleset_id","first_week")
);
--> statement-breakpoint
CREATE TABLE "extended_leave_types" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "extended_leave_types_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"name" text NOT NULL,
	"rate" numeric(14, 2) NOT NULL,
	"admin_table_id" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "financial_reporting_codes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "financial_reporting_codes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer,
	"code" text NOT NULL,
	"type" integer NOT NULL,
	"description" text NOT NULL,
	"order" integer,
	"category" integer NOT NULL,
	"use_for_brought_forward" boolean DEFAULT false NOT NULL,
	"calculate_in_year_balance" boolean DEFAULT false NOT NULL,
	"contains_staff_contracts" boolean DEFAULT false NOT NULL,
	"accounting_software_code" text,
	"archive" boolean DEFAULT false NOT NULL,
	"benchmarking_group_id" integer
);
--> statement-breakpoint
CREATE TABLE "flash_messages" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "flash_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer,
	"title" text NOT NULL,
	"message" text,
	"enabled" boolean DEFAULT false NOT NULL,
	"active" timestamp with time zone,
	"expires" timestamp with time zone,
	"type" integer NOT NULL,
	"posted_by_id" integer
);
--> statement-breakpoint
CREATE TABLE "fund_codes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "fund_codes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"code" text NOT NULL,
	"description" text NOT NULL,
	"locations" integer[] DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "gag_pool_tables" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "gag_pool_tables_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"name" text NOT NULL,
	"effective_date" date NOT NULL,
	"method" integer NOT NULL,
	"percentage" numeric(9, 4),
	"share" integer NOT NULL,
	"active" boolean DEFAULT false NOT NULL,
	CONSTRAINT "gag_pool_tables_of_organisation" UNIQUE("organisation_id","id")
);
--> statement-breakpoint
CREATE TABLE "gag_pools" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "gag_pools_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"gag_pool_table_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"percentage" numeric(9, 4),
	"weight" numeric(14, 6),
	"budget_code_id" integer NOT NULL,
	CONSTRAINT "gag_pools_unique_1" UNIQUE NULLS NOT DISTINCT("organisation_id","location_id","gag_pool_table_id")
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
CREATE TABLE "inflation_rates" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "inflation_rates_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"inflation_id" integer NOT NULL,
	"budget_code_id" integer NOT NULL,
	"rates" jsonb NOT NULL,
	CONSTRAINT "inflation_rates_unique_1" UNIQUE NULLS NOT DISTINCT("organisation_id","budget_code_id","inflation_id")
);
--> statement-breakpoint
CREATE TABLE "inflations" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "inflations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"name" text NOT NULL,
	"description" text,
	CONSTRAINT "inflations_of_organisation" UNIQUE("organisation_id","id")
);
--> statement-breakpoint
CREATE TABLE "local_authorities" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "local_authorities_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"code" text NOT NULL,
	"name" text NOT NULL,
	"number" integer NOT NULL,
	CONSTRAINT "local_authorities_unique_3" UNIQUE("number")
);
--> statement-breakpoint
CREATE TABLE "local_authority_funding_rates" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "local_authority_funding_rates_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"local_authority" integer NOT NULL,
	"admin_table" integer NOT NULL,
	"category" integer NOT NULL,
	"value" numeric(14, 2) NOT NULL,
	CONSTRAINT "local_authority_funding_rates_unique_1" UNIQUE NULLS NOT DISTINCT("category","local_authority","admin_table")
);
--> statement-breakpoint
CREATE TABLE "locations" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "locations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"name" text NOT NULL,
	"alias" text,
	"local_authority_id" integer NOT NULL,
	"address_line1" text,
	"address_line2" text,
	"address_line3" text,
	"address_line4" text,
	"address_line5" text,
	"address_code" text,
	"contact" text,
	"email" text,
	"phone_number" text,
	"website" text,
	"dfe_number" text,
	"reference_number" text,
	"archive" boolean DEFAULT false NOT NULL,
	"on_boarding_date" date,
	"contract_expiry_date" date NOT NULL,
	"head_teacher" text,
	"head_teacher_email" text,
	"finance_contact_position" text,
	"finance_contact_phone" text,
	"finance_contact_email" text,
	"logo_id" integer,
	"report_signatory" text,
	"budget_code_filter" text,
	"maximum_budget_years" integer NOT NULL,
	"currency" integer NOT NULL,
	"enable_student_module" boolean DEFAULT false NOT NULL,
	"central" boolean DEFAULT false NOT NULL,
	"payroll_rec_id" text,
	"pay_scale_region" integer NOT NULL,
	CONSTRAINT "locations_of_organisation" UNIQUE("organisation_id","id")
);
--> statement-breakpoint
CREATE TABLE "log_chain" (
	"organisation_id" integer NOT NULL,
	"sequence" bigint NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"version" integer,
	"content" char(64) NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"previous_hash" char(64) NOT NULL,
	"hash" char(64) NOT NULL,
	CONSTRAINT "log_chain_organisation_id_sequence_pk" PRIMARY KEY("organisation_id","sequence")
);
--> statement-breakpoint
CREATE TABLE "national_insurances" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "national_insurances_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"name" text NOT NULL,
	"band_start" numeric(14, 2) NOT NULL,
	"band_end" numeric(14, 2),
	"pension" boolean,
	"base" numeric(14, 2) NOT NULL,
	"rate" numeric(9, 4) NOT NULL,
	"rebate" numeric(9, 4) NOT NULL,
	"min_age" integer NOT NULL,
	"max_age" integer,
	"apprentice" boolean DEFAULT false NOT NULL,
	"admin_table_id" integer NOT NULL,
	CONSTRAINT "national_insurances_unique_1" UNIQUE NULLS NOT DISTINCT("admin_table_id","band_start","min_age","max_age","pension","apprentice")
);
--> statement-breakpoint
CREATE TABLE "news_articles" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "news_articles_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer,
	"title" text NOT NULL,
	"message" text,
	"enabled" boolean DEFAULT false NOT NULL,
	"active" timestamp with time zone,
	"expires" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "organisations" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "organisations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"name" text NOT NULL,
	"unique_group_identifier" text,
	"reference_number" text,
	"organisation_type" integer NOT NULL,
	"alias" text,
	"website" text,
	"on_boarding_date" date,
	"contract_expiry_date" date,
	"logo_id" integer,
	"report_signatory" text,
	"report_signatory_group" text,
	"address_line1" text,
	"address_line2" text,
	"address_line3" text,
	"address_line4" text,
	"address_line5" text,
	"address_code" text,
	"main_contact_position" text,
	"main_contact_name" text,
	"main_contact_email" text,
	"main_contact_phone" text,
	"alternative_contact_position" text,
	"alternative_contact_name" text,
	"alternative_contact_email" text,
	"alternative_contact_phone" text,
	"allow_working_forecast" boolean DEFAULT false NOT NULL,
	"cost_centres_mandatory" boolean DEFAULT false NOT NULL,
	"calculate_apprenticeship_levy_automatically" boolean DEFAULT false NOT NULL,
	"apprenticeship_levy_allowance_as_percentage" boolean DEFAULT false NOT NULL,
	"cfr_enabled" boolean DEFAULT false NOT NULL,
	"gag_enabled" boolean DEFAULT false NOT NULL,
	"acoa_enabled" boolean DEFAULT false NOT NULL,
	"custom_enabled" boolean DEFAULT false NOT NULL,
	"use_cumulative_actuals" boolean DEFAULT false NOT NULL,
	"financial_integration_type" integer,
	"monitoring_responsibility_type" integer
);
--> statement-breakpoint
CREATE TABLE "pay_scale_points" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "pay_scale_points_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer,
	"scale" text NOT NULL,
	"point" text NOT NULL,
	"increment" integer NOT NULL,
	"main_rate" numeric(14, 2) NOT NULL,
	"inner_rate" numeric(14, 2) NOT NULL,
	"outer_rate" numeric(14, 2) NOT NULL,
	"fringe_rate" numeric(14, 2) NOT NULL,
	"admin_table_id" integer NOT NULL,
	"order" integer
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
CREATE TABLE "recalculation_budgets" (
	"organisation_id" integer NOT NULL,
	"recalculation_id" uuid NOT NULL,
	"budget_id" char(24) NOT NULL,
	"done_at" timestamp with time zone,
	"totals" jsonb,
	"result_hash" char(64),
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	CONSTRAINT "recalculation_budgets_organisation_id_recalculation_id_budget_id_pk" PRIMARY KEY("organisation_id","recalculation_id","budget_id")
);
--> statement-breakpoint
CREATE TABLE "recalculation_marks" (
	"organisation_id" integer NOT NULL,
	"budget_id" char(24) NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"reason" text NOT NULL,
	CONSTRAINT "recalculation_marks_organisation_id_budget_id_pk" PRIMARY KEY("organisation_id","budget_id")
);
--> statement-breakpoint
CREATE TABLE "recalculations" (
	"organisation_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"group_id" char(24),
	"budget_id" char(24),
	"status" text DEFAULT 'running' NOT NULL,
	"inputs" char(64) NOT NULL,
	"requested_by_id" integer,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	"failure" text,
	"totals" jsonb,
	"result_hash" char(64),
	"position" bigint,
	"announced_at" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	CONSTRAINT "recalculations_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
CREATE TABLE "reference_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "reference_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"organisation_id" integer,
	"resource" text NOT NULL,
	"record_id" text NOT NULL,
	"version" integer NOT NULL,
	"action" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"actor_id" integer,
	"request_id" text NOT NULL,
	"occurred_at" timestamp with time zone DEFAULT now() NOT NULL,
	"transaction" bigint DEFAULT txid_current()
);
--> statement-breakpoint
CREATE TABLE "reminders" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "reminders_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer,
	"description" text NOT NULL,
	"notes" text,
	"when" date NOT NULL,
	"type" integer NOT NULL,
	"category" integer,
	"is_recurring" boolean DEFAULT false NOT NULL,
	"user_id" integer,
	"source_id" text
);
--> statement-breakpoint
CREATE TABLE "service_terms" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "service_terms_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"code" text NOT NULL,
	"description" text NOT NULL,
	"basic_budget_code_id" integer NOT NULL,
	"ni_budget_code_id" integer NOT NULL,
	"pension_budget_code_id" integer NOT NULL,
	"basic_cost_centre_id" integer,
	"ni_cost_centre_id" integer,
	"pension_cost_centre_id" integer,
	"slt" boolean DEFAULT false NOT NULL,
	"locations" integer[] DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "staff_assumptions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "staff_assumptions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"name" text NOT NULL,
	"description" text,
	CONSTRAINT "staff_assumptions_of_organisation" UNIQUE("organisation_id","id")
);
--> statement-breakpoint
CREATE TABLE "staff_contracts" (
	"organisation_id" integer NOT NULL,
	"budget_id" char(24) NOT NULL,
	"id" char(24) NOT NULL,
	"staff_id" integer,
	"version" integer NOT NULL,
	"saved_at" timestamp with time zone NOT NULL,
	"created" timestamp with time zone NOT NULL,
	"contract" jsonb NOT NULL,
	"contract_name" text GENERATED ALWAYS AS (contract ->> 'contractName') STORED NOT NULL,
	"position" text GENERATED ALWAYS AS (contract ->> 'position') STORED,
	"department" text GENERATED ALWAYS AS (contract ->> 'department') STORED,
	"type" integer GENERATED ALWAYS AS ((contract ->> 'type')::integer) STORED,
	"contract_type_id" integer GENERATED ALWAYS AS ((contract ->> 'contractTypeId')::integer) STORED,
	"start_date" text GENERATED ALWAYS AS (contract ->> 'startDate') STORED,
	"end_date" text GENERATED ALWAYS AS (contract ->> 'endDate') STORED,
	"apprentice" boolean GENERATED ALWAYS AS ((contract ->> 'apprentice')::boolean) STORED,
	"attrition_contract" boolean GENERATED ALWAYS AS ((contract ->> 'attritionContract')::boolean) STORED,
	"maximum_scale_point_id" integer GENERATED ALWAYS AS ((contract -> 'maximumScalePoint' ->> 'id')::integer) STORED,
	"above_maximum" boolean GENERATED ALWAYS AS (jsonb_path_exists(contract, '$.salary[*].scalePoint ? (@.kind != $.maximumScalePoint.kind || @.scale != $.maximumScalePoint.scale || @.increment > $.maximumScalePoint.increment)')) STORED,
	"most_fte" double precision GENERATED ALWAYS AS (salary_most(contract, 'fte')) STORED,
	"most_hours" double precision GENERATED ALWAYS AS (salary_most(contract, 'hoursPerWeek')) STORED,
	"has_no_fte" boolean GENERATED ALWAYS AS (jsonb_path_exists(contract, '$.salary[*].fte ? (@ == null)')) STORED,
	"search" text GENERATED ALWAYS AS (lower(((contract ->> 'contractName') || E'\n' || coalesce(contract ->> 'position', '') || E'\n' || coalesce(contract ->> 'department', '')) collate natural_order)) STORED,
	CONSTRAINT "staff_contracts_organisation_id_budget_id_id_pk" PRIMARY KEY("organisation_id","budget_id","id")
);
--> statement-breakpoint
CREATE TABLE "staff_er_pension_rates" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "staff_er_pension_rates_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"staff_assumptions_id" integer NOT NULL,
	"contract_type_id" integer NOT NULL,
	"effective_date" date NOT NULL,
	"rate" numeric(9, 4) NOT NULL,
	CONSTRAINT "staff_er_pension_rates_unique_1" UNIQUE NULLS NOT DISTINCT("organisation_id","staff_assumptions_id","contract_type_id","effective_date")
);
--> statement-breakpoint
CREATE TABLE "staff_inflation_rates" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "staff_inflation_rates_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"staff_assumptions_id" integer NOT NULL,
	"contract_type_id" integer NOT NULL,
	"effective_date" date NOT NULL,
	"rate" numeric(9, 4) NOT NULL,
	"in_table" numeric(9, 4),
	"lifted_to" numeric(9, 4),
	CONSTRAINT "staff_inflation_rates_unique_1" UNIQUE NULLS NOT DISTINCT("organisation_id","staff_assumptions_id","contract_type_id","effective_date")
);
--> statement-breakpoint
CREATE TABLE "staff_members" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "staff_members_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"organisation_id" integer NOT NULL,
	"subject" uuid NOT NULL,
	"vault" text NOT NULL,
	"number_digest" text NOT NULL,
	"archive" boolean DEFAULT false NOT NULL,
	"location_ids" integer[] DEFAULT '{}' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL
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
CREATE TABLE "top_slice_tables" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "top_slice_tables_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"name" text NOT NULL,
	"effective_date" date NOT NULL,
	"active" boolean DEFAULT false NOT NULL,
	CONSTRAINT "top_slice_tables_of_organisation" UNIQUE("organisation_id","id")
);
--> statement-breakpoint
CREATE TABLE "top_slices" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "top_slices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"top_slice_table_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"method" integer NOT NULL,
	"value" numeric(14, 6),
	"budget_code_id" integer NOT NULL,
	"central_budget_code_id" integer NOT NULL,
	"income_type_ids" integer[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "top_slices_unique_1" UNIQUE NULLS NOT DISTINCT("organisation_id","location_id","budget_code_id","top_slice_table_id")
);
--> statement-breakpoint
CREATE TABLE "vault_keys" (
	"subject" uuid PRIMARY KEY NOT NULL,
	"organisation_id" integer NOT NULL,
	"key" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "answered_calls" (
	"organisation_id" integer NOT NULL,
	"caller" text NOT NULL,
	"key_digest" char(64) NOT NULL,
	"call_digest" char(64) NOT NULL,
	"sealed_answer" text,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "answered_calls_organisation_id_caller_key_digest_pk" PRIMARY KEY("organisation_id","caller","key_digest")
);
--> statement-breakpoint
CREATE TABLE "api_clients" (
	"client_id" text PRIMARY KEY NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "api_clients_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by_id" integer,
	"secret" text NOT NULL,
	"secret_made" timestamp with time zone DEFAULT now() NOT NULL,
	"previous_secret" text,
	"previous_until" timestamp with time zone,
	"name" text NOT NULL,
	"organisation_id" integer NOT NULL,
	"user_group_ids" integer[] DEFAULT '{}' NOT NULL,
	"location_ids" integer[] DEFAULT '{}' NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"last_used" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "first_administrator_links" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "first_administrator_links_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"secret_hash" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"created" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "import_progress" (
	"key" uuid PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"phase" text NOT NULL,
	"done" integer NOT NULL,
	"total" integer NOT NULL,
	"updated" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "invitations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"secret_hash" text NOT NULL,
	"kind" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"created" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"user_id" integer NOT NULL,
	"organisation_id" integer NOT NULL,
	"location_ids" integer[] DEFAULT '{}' NOT NULL,
	"user_group_ids" integer[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "memberships_user_id_organisation_id_pk" PRIMARY KEY("user_id","organisation_id")
);
--> statement-breakpoint
CREATE TABLE "oidc_payloads" (
	"model" text NOT NULL,
	"id" text NOT NULL,
	"payload" jsonb NOT NULL,
	"grant_id" text,
	"uid" text,
	"user_code" text,
	"consumed_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	CONSTRAINT "oidc_payloads_model_id_pk" PRIMARY KEY("model","id")
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer NOT NULL,
	"expire" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "signing_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"jwk" jsonb NOT NULL,
	"cookie_secret" text NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_groups" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "user_groups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"permissions" text[] NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"email" text NOT NULL,
	"forename" text NOT NULL,
	"surname" text NOT NULL,
	"position" text,
	"phone_number" text,
	"avatar_id" integer,
	"password_hash" text,
	"is_administrator" boolean DEFAULT false NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"last_sign_in" timestamp with time zone,
	"outside_issuer" text,
	"outside_subject" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alt_descriptions" (
	"organisation_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"resource" text NOT NULL,
	"record_id" integer NOT NULL,
	"alt_description" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "alt_descriptions_organisation_id_location_id_resource_record_id_pk" PRIMARY KEY("organisation_id","location_id","resource","record_id")
);
--> statement-breakpoint
CREATE TABLE "applied_extended_leave" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "applied_extended_leave_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"organisation_id" integer NOT NULL,
	"staff_id" integer NOT NULL,
	"extended_leave_ruleset_id" integer NOT NULL,
	"start_date" date NOT NULL,
	"end_date" date NOT NULL,
	"notes" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chain_anchors" (
	"organisation_id" integer NOT NULL,
	"budget_id" char(24) NOT NULL,
	"day" char(10) NOT NULL,
	"version" integer NOT NULL,
	"hash" char(64) NOT NULL,
	CONSTRAINT "chain_anchors_organisation_id_budget_id_day_pk" PRIMARY KEY("organisation_id","budget_id","day")
);
--> statement-breakpoint
CREATE TABLE "data_versions" (
	"organisation_id" integer,
	"subject" text NOT NULL,
	"version" bigint NOT NULL,
	CONSTRAINT "data_versions_subject" UNIQUE NULLS NOT DISTINCT("organisation_id","subject")
);
--> statement-breakpoint
CREATE TABLE "images" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "images_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"organisation_id" integer,
	"file_name" text NOT NULL,
	"content_type" text NOT NULL,
	"size" integer NOT NULL,
	"width" integer,
	"height" integer,
	"body" "bytea" NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "staff_changes" (
	"organisation_id" integer NOT NULL,
	"staff_id" integer NOT NULL,
	"version" bigint NOT NULL,
	CONSTRAINT "staff_changes_organisation_id_staff_id_pk" PRIMARY KEY("organisation_id","staff_id")
);
--> statement-breakpoint
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
CREATE TABLE "budget_items" (
	"organisation_id" integer NOT NULL,
	"budget_id" char(24) NOT NULL,
	"id" char(24) NOT NULL,
	"kind" text NOT NULL,
	"version" integer NOT NULL,
	"saved_at" timestamp with time zone NOT NULL,
	"created" timestamp with time zone NOT NULL,
	"item" jsonb NOT NULL,
	"amounts" bigint[],
	"identifier" text GENERATED ALWAYS AS (item ->> 'identifier') STORED,
	"description" text GENERATED ALWAYS AS (item ->> 'description') STORED,
	"budget_code_id" integer GENERATED ALWAYS AS ((item ->> 'budgetCodeId')::integer) STORED,
	"cost_centre_id" integer GENERATED ALWAYS AS ((item ->> 'costCentreId')::integer) STORED,
	"profile_template_id" integer GENERATED ALWAYS AS ((item ->> 'profileTemplateId')::integer) STORED,
	"first_year" integer GENERATED ALWAYS AS ((item ->> 'firstYear')::integer) STORED,
	"amount" bigint GENERATED ALWAYS AS (amounts[(item ->> 'firstYear')::integer + 1]) STORED,
	"source_kind" text GENERATED ALWAYS AS (item -> 'source' ->> 'kind') STORED,
	"has_notes" boolean GENERATED ALWAYS AS ((item ->> 'sealedNotes') is not null) STORED,
	CONSTRAINT "budget_items_organisation_id_budget_id_id_pk" PRIMARY KEY("organisation_id","budget_id","id")
);
--> statement-breakpoint
CREATE TABLE "budget_job_items" (
	"organisation_id" integer NOT NULL,
	"job_id" uuid NOT NULL,
	"budget_id" char(24) NOT NULL,
	"source_id" char(24) NOT NULL,
	"source_version" integer NOT NULL,
	"done_at" timestamp with time zone,
	"failure" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"announced_at" timestamp with time zone,
	CONSTRAINT "budget_job_items_organisation_id_budget_id_pk" PRIMARY KEY("organisation_id","budget_id")
);
--> statement-breakpoint
CREATE TABLE "budget_jobs" (
	"organisation_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"how" text NOT NULL,
	"requested_by_id" integer,
	"request_id" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	CONSTRAINT "budget_jobs_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
CREATE TABLE "budget_lines" (
	"organisation_id" integer NOT NULL,
	"budget_id" char(24) NOT NULL,
	"source_kind" text NOT NULL,
	"source_id" char(24) NOT NULL,
	"component" text NOT NULL,
	"year" smallint NOT NULL,
	"budget_code_id" integer,
	"cost_centre_id" integer,
	"fund_code_id" integer,
	"amounts" bigint[] NOT NULL,
	"total" bigint GENERATED ALWAYS AS (coalesce(amounts[1], 0) + coalesce(amounts[2], 0) + coalesce(amounts[3], 0) + coalesce(amounts[4], 0) + coalesce(amounts[5], 0) + coalesce(amounts[6], 0) + coalesce(amounts[7], 0) + coalesce(amounts[8], 0) + coalesce(amounts[9], 0) + coalesce(amounts[10], 0) + coalesce(amounts[11], 0) + coalesce(amounts[12], 0)) STORED NOT NULL,
	"missing" smallint GENERATED ALWAYS AS (num_nulls(amounts[1], amounts[2], amounts[3], amounts[4], amounts[5], amounts[6], amounts[7], amounts[8], amounts[9], amounts[10], amounts[11], amounts[12])::smallint) STORED NOT NULL
);
--> statement-breakpoint
CREATE TABLE "budget_pay" (
	"organisation_id" integer NOT NULL,
	"budget_id" char(24) NOT NULL,
	"year" smallint NOT NULL,
	"amounts" bigint[] NOT NULL,
	"missing" integer[] NOT NULL,
	CONSTRAINT "budget_pay_organisation_id_budget_id_year_pk" PRIMARY KEY("organisation_id","budget_id","year")
);
--> statement-breakpoint
CREATE TABLE "calculation_inputs" (
	"organisation_id" integer NOT NULL,
	"sha256" char(64) NOT NULL,
	"body" text NOT NULL,
	CONSTRAINT "calculation_inputs_organisation_id_sha256_pk" PRIMARY KEY("organisation_id","sha256")
);
--> statement-breakpoint
CREATE TABLE "presences" (
	"organisation_id" integer NOT NULL,
	"budget_id" char(24) NOT NULL,
	"screen_id" uuid NOT NULL,
	"user_id" integer NOT NULL,
	"place" text NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "presences_organisation_id_screen_id_pk" PRIMARY KEY("organisation_id","screen_id")
);
--> statement-breakpoint
CREATE TABLE "quick_calculations" (
	"organisation_id" integer NOT NULL,
	"budget_id" char(24) NOT NULL,
	"id" char(24) NOT NULL,
	"version" integer NOT NULL,
	"created" timestamp with time zone NOT NULL,
	"calculation" jsonb NOT NULL,
	CONSTRAINT "quick_calculations_organisation_id_budget_id_id_pk" PRIMARY KEY("organisation_id","budget_id","id")
);
--> statement-breakpoint
CREATE TABLE "staff_costs" (
	"organisation_id" integer NOT NULL,
	"budget_id" char(24) NOT NULL,
	"contract_id" char(24) NOT NULL,
	"costing" jsonb NOT NULL,
	"year_totals" jsonb NOT NULL,
	"version" integer NOT NULL,
	"content" char(64),
	"posted" smallint DEFAULT 0 NOT NULL,
	"first_year" bigint GENERATED ALWAYS AS ((year_totals ->> 0)::bigint) STORED,
	"is_incomplete" boolean GENERATED ALWAYS AS (year_totals @> '[null]') STORED,
	"has_problems" boolean GENERATED ALWAYS AS (costing -> 'problems' <> '[]') STORED,
	"has_pay" boolean GENERATED ALWAYS AS (jsonb_path_exists(costing, '$.years[*].gross[*][0] ? (@ != 0)')) STORED,
	CONSTRAINT "staff_costs_organisation_id_budget_id_contract_id_pk" PRIMARY KEY("organisation_id","budget_id","contract_id")
);
--> statement-breakpoint
CREATE TABLE "import_columns" (
	"organisation_id" integer NOT NULL,
	"entity" text NOT NULL,
	"columns" jsonb NOT NULL,
	CONSTRAINT "import_columns_organisation_id_entity_pk" PRIMARY KEY("organisation_id","entity")
);
--> statement-breakpoint
CREATE TABLE "made_files" (
	"organisation_id" integer NOT NULL,
	"id" text NOT NULL,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"request" jsonb NOT NULL,
	"requested_by_id" integer NOT NULL,
	"request_id" text NOT NULL,
	"requested_at" timestamp with time zone NOT NULL,
	"percent" smallint DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"failure" text,
	"cancelled_at" timestamp with time zone,
	"made_at" timestamp with time zone,
	"file_name" text,
	"content_type" text,
	"sealed" "bytea",
	"location_ids" integer[],
	"names_staff" boolean DEFAULT false NOT NULL,
	"announced_at" timestamp with time zone,
	CONSTRAINT "made_files_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
CREATE TABLE "pack_papers" (
	"organisation_id" integer NOT NULL,
	"code" text NOT NULL,
	"file_name" text NOT NULL,
	"content_type" text NOT NULL,
	"sealed" "bytea" NOT NULL,
	"made_at" timestamp with time zone NOT NULL,
	CONSTRAINT "pack_papers_organisation_id_code_pk" PRIMARY KEY("organisation_id","code")
);
--> statement-breakpoint
CREATE TABLE "file_layouts" (
	"organisation_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "file_layouts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"name" text NOT NULL,
	"layout" jsonb NOT NULL,
	CONSTRAINT "file_layouts_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
CREATE TABLE "integration_credentials" (
	"organisation_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "integration_credentials_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"description" text NOT NULL,
	"integration_type" smallint NOT NULL,
	"state" smallint NOT NULL,
	"message" text,
	"checked_at" timestamp with time zone,
	"test_asked" timestamp with time zone,
	"attempts" smallint DEFAULT 0 NOT NULL,
	CONSTRAINT "integration_credentials_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
CREATE TABLE "integration_parameters" (
	"organisation_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "integration_parameters_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"credential_id" integer NOT NULL,
	"name" text NOT NULL,
	"is_secret" boolean NOT NULL,
	"value" text DEFAULT '' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "integration_parameters_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"organisation_id" integer NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "webhook_deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"webhook_id" integer NOT NULL,
	"message_id" text NOT NULL,
	"type" text NOT NULL,
	"body" text NOT NULL,
	"occurred_at" timestamp with time zone NOT NULL,
	"made_at" timestamp with time zone DEFAULT now() NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"due_at" timestamp with time zone,
	"tries" smallint DEFAULT 0 NOT NULL,
	"tried_at" timestamp with time zone,
	"answer_status" smallint,
	"answer" text,
	CONSTRAINT "webhook_deliveries_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"organisation_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "webhooks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"name" text NOT NULL,
	"address" text NOT NULL,
	"types" text[] NOT NULL,
	"state" text DEFAULT 'active' NOT NULL,
	"reason" text,
	"secret" text NOT NULL,
	"secret_made" timestamp with time zone DEFAULT now() NOT NULL,
	"previous_secret" text,
	"previous_until" timestamp with time zone,
	"position" bigint NOT NULL,
	"failing_since" timestamp with time zone,
	"last_accepted" timestamp with time zone,
	CONSTRAINT "webhooks_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
CREATE TABLE "ledger_texts" (
	"organisation_id" integer NOT NULL,
	"ledger_id" integer NOT NULL,
	"kind" text NOT NULL,
	"text" text NOT NULL,
	"budget_code_id" integer,
	"cost_centre_id" integer,
	"fund_code_id" integer,
	"analysis_tag_id" integer,
	"location_id" integer,
	CONSTRAINT "ledger_texts_organisation_id_ledger_id_kind_text_pk" PRIMARY KEY("organisation_id","ledger_id","kind","text"),
	CONSTRAINT "ledger_texts_target" CHECK (num_nonnulls(budget_code_id, cost_centre_id, fund_code_id, analysis_tag_id, location_id) = 0 or case kind
        when 'account' then budget_code_id when 'costCentre' then cost_centre_id when 'fund' then fund_code_id
        when 'tag' then analysis_tag_id when 'location' then location_id end is not null
        and num_nonnulls(budget_code_id, cost_centre_id, fund_code_id, analysis_tag_id, location_id) = 1)
);
--> statement-breakpoint
CREATE TABLE "ledgers" (
	"organisation_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "ledgers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"layout" text NOT NULL,
	"columns" jsonb NOT NULL,
	"sign" text NOT NULL,
	"is_cumulative" boolean NOT NULL,
	"cost_centre_id" integer,
	"version" integer DEFAULT 1 NOT NULL,
	"saved" timestamp with time zone NOT NULL,
	CONSTRAINT "ledgers_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
CREATE TABLE "actual_lines" (
	"organisation_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"year" smallint NOT NULL,
	"month" smallint NOT NULL,
	"version" integer NOT NULL,
	"line" integer NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "actual_lines_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"type" smallint NOT NULL,
	"budget_code_id" integer NOT NULL,
	"cost_centre_id" integer NOT NULL,
	"fund_code_id" integer,
	"analysis_tag_id" integer,
	"description" text,
	"value" bigint NOT NULL,
	"created" timestamp with time zone NOT NULL,
	CONSTRAINT "actual_lines_organisation_id_location_id_year_month_version_line_pk" PRIMARY KEY("organisation_id","location_id","year","month","version","line")
);
--> statement-breakpoint
CREATE TABLE "actual_sums" (
	"organisation_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"year" smallint NOT NULL,
	"type" smallint NOT NULL,
	"budget_code_id" integer NOT NULL,
	"amounts" bigint[] NOT NULL,
	"months" smallint NOT NULL,
	CONSTRAINT "actual_sums_pk" PRIMARY KEY("organisation_id","location_id","year","type","budget_code_id")
);
--> statement-breakpoint
CREATE TABLE "monitoring_events" (
	"organisation_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"version" integer NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "monitoring_events_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"data" jsonb NOT NULL,
	"actor_id" integer,
	"request_id" text NOT NULL,
	"occurred_at" timestamp with time zone NOT NULL,
	"previous_hash" char(64) NOT NULL,
	"hash" char(64) NOT NULL,
	CONSTRAINT "monitoring_events_organisation_id_location_id_version_pk" PRIMARY KEY("organisation_id","location_id","version")
);
--> statement-breakpoint
CREATE TABLE "monitoring_items" (
	"organisation_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"key" text NOT NULL,
	"version" integer NOT NULL,
	"saved_at" timestamp with time zone NOT NULL,
	"item" jsonb NOT NULL,
	"kind" text GENERATED ALWAYS AS (item ->> 'kind') STORED NOT NULL,
	"year" smallint GENERATED ALWAYS AS ((item ->> 'year')::smallint) STORED,
	"month" smallint GENERATED ALWAYS AS ((item ->> 'month')::smallint) STORED,
	"group_id" text GENERATED ALWAYS AS (item ->> 'groupId') STORED,
	CONSTRAINT "monitoring_items_organisation_id_location_id_key_pk" PRIMARY KEY("organisation_id","location_id","key")
);
--> statement-breakpoint
CREATE TABLE "monitoring_logs" (
	"organisation_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"version" integer NOT NULL,
	"last_hash" char(64) NOT NULL,
	"saved_at" timestamp with time zone NOT NULL,
	CONSTRAINT "monitoring_logs_organisation_id_location_id_pk" PRIMARY KEY("organisation_id","location_id")
);
--> statement-breakpoint
CREATE TABLE "payroll_events" (
	"organisation_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"version" integer NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "payroll_events_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"data" jsonb NOT NULL,
	"actor_id" integer,
	"request_id" text NOT NULL,
	"occurred_at" timestamp with time zone NOT NULL,
	"previous_hash" char(64) NOT NULL,
	"hash" char(64) NOT NULL,
	CONSTRAINT "payroll_events_organisation_id_location_id_version_pk" PRIMARY KEY("organisation_id","location_id","version")
);
--> statement-breakpoint
CREATE TABLE "payroll_explanations" (
	"organisation_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"requested_by_id" integer NOT NULL,
	"asked" jsonb NOT NULL,
	"location_ids" integer[],
	"status" text DEFAULT 'running' NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"total" integer,
	"found" jsonb,
	"failure" text,
	"started_at" timestamp with time zone NOT NULL,
	"alive_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "payroll_explanations_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
CREATE TABLE "payroll_items" (
	"organisation_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"key" text NOT NULL,
	"version" integer NOT NULL,
	"saved_at" timestamp with time zone NOT NULL,
	"item" jsonb NOT NULL,
	"kind" text GENERATED ALWAYS AS (item ->> 'kind') STORED NOT NULL,
	"year" smallint GENERATED ALWAYS AS ((item ->> 'year')::smallint) STORED,
	"month" smallint GENERATED ALWAYS AS ((item ->> 'month')::smallint) STORED,
	"group_id" text GENERATED ALWAYS AS (item ->> 'groupId') STORED,
	CONSTRAINT "payroll_items_organisation_id_location_id_key_pk" PRIMARY KEY("organisation_id","location_id","key")
);
--> statement-breakpoint
CREATE TABLE "payroll_lines" (
	"organisation_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"year" smallint NOT NULL,
	"month" smallint NOT NULL,
	"employee" text NOT NULL,
	"payroll_code_id" integer NOT NULL,
	"sealed_number" text,
	"value" bigint NOT NULL,
	"version" integer NOT NULL,
	CONSTRAINT "payroll_lines_pk" PRIMARY KEY("organisation_id","location_id","year","month","employee","payroll_code_id")
);
--> statement-breakpoint
CREATE TABLE "payroll_logs" (
	"organisation_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"version" integer NOT NULL,
	"last_hash" char(64) NOT NULL,
	"saved_at" timestamp with time zone NOT NULL,
	CONSTRAINT "payroll_logs_organisation_id_location_id_pk" PRIMARY KEY("organisation_id","location_id")
);
--> statement-breakpoint
CREATE TABLE "payroll_provider_texts" (
	"organisation_id" integer NOT NULL,
	"provider_id" integer NOT NULL,
	"kind" text NOT NULL,
	"text" text NOT NULL,
	"payroll_code_id" integer,
	"location_id" integer,
	CONSTRAINT "payroll_provider_texts_organisation_id_provider_id_kind_text_pk" PRIMARY KEY("organisation_id","provider_id","kind","text"),
	CONSTRAINT "payroll_provider_texts_target" CHECK (num_nonnulls(payroll_code_id, location_id) = 0 or (num_nonnulls(payroll_code_id, location_id) = 1
        and case kind when 'code' then payroll_code_id when 'location' then location_id end is not null))
);
--> statement-breakpoint
CREATE TABLE "payroll_providers" (
	"organisation_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "payroll_providers_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"layout" text NOT NULL,
	"columns" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"saved" timestamp with time zone NOT NULL,
	CONSTRAINT "payroll_providers_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
ALTER TABLE "allowances" ADD CONSTRAINT "allowances_budget_code_id_fk" FOREIGN KEY ("organisation_id","budget_code_id") REFERENCES "public"."budget_codes"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "apprenticeship_levies" ADD CONSTRAINT "apprenticeship_levies_location_id_fk" FOREIGN KEY ("organisation_id","location_id") REFERENCES "public"."locations"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_codes" ADD CONSTRAINT "budget_codes_cfr_code_id_fk" FOREIGN KEY ("cfr_code_id") REFERENCES "public"."financial_reporting_codes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_codes" ADD CONSTRAINT "budget_codes_gag_code_id_fk" FOREIGN KEY ("gag_code_id") REFERENCES "public"."financial_reporting_codes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_codes" ADD CONSTRAINT "budget_codes_acoa_code_id_fk" FOREIGN KEY ("acoa_code_id") REFERENCES "public"."financial_reporting_codes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_codes" ADD CONSTRAINT "budget_codes_custom_code_id_fk" FOREIGN KEY ("custom_code_id") REFERENCES "public"."financial_reporting_codes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_codes" ADD CONSTRAINT "budget_codes_main_bfr_code_id_fk" FOREIGN KEY ("main_bfr_code_id") REFERENCES "public"."bfr_codes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_codes" ADD CONSTRAINT "budget_codes_secondary_bfr_code_id_fk" FOREIGN KEY ("secondary_bfr_code_id") REFERENCES "public"."bfr_codes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_codes" ADD CONSTRAINT "budget_codes_income_type_id_fk" FOREIGN KEY ("income_type_id") REFERENCES "public"."income_types"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_group_members" ADD CONSTRAINT "budget_group_members_group_fk" FOREIGN KEY ("organisation_id","group_id") REFERENCES "public"."budget_groups"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_group_members" ADD CONSTRAINT "budget_group_members_budget_fk" FOREIGN KEY ("organisation_id","budget_id") REFERENCES "public"."budgets"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "extended_leave_rule_sets" ADD CONSTRAINT "extended_leave_rule_sets_extended_leave_type_id_fk" FOREIGN KEY ("extended_leave_type_id") REFERENCES "public"."extended_leave_types"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "extended_leave_rules" ADD CONSTRAINT "extended_leave_rules_extended_leave_ruleset_id_fk" FOREIGN KEY ("organisation_id","extended_leave_ruleset_id") REFERENCES "public"."extended_leave_rule_sets"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "extended_leave_types" ADD CONSTRAINT "extended_leave_types_admin_table_id_fk" FOREIGN KEY ("admin_table_id") REFERENCES "public"."admin_tables"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "financial_reporting_codes" ADD CONSTRAINT "financial_reporting_codes_benchmarking_group_id_fk" FOREIGN KEY ("benchmarking_group_id") REFERENCES "public"."benchmarking_groups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flash_messages" ADD CONSTRAINT "flash_messages_organisation_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gag_pools" ADD CONSTRAINT "gag_pools_gag_pool_table_id_fk" FOREIGN KEY ("organisation_id","gag_pool_table_id") REFERENCES "public"."gag_pool_tables"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gag_pools" ADD CONSTRAINT "gag_pools_location_id_fk" FOREIGN KEY ("organisation_id","location_id") REFERENCES "public"."locations"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gag_pools" ADD CONSTRAINT "gag_pools_budget_code_id_fk" FOREIGN KEY ("organisation_id","budget_code_id") REFERENCES "public"."budget_codes"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inflation_rates" ADD CONSTRAINT "inflation_rates_inflation_id_fk" FOREIGN KEY ("organisation_id","inflation_id") REFERENCES "public"."inflations"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inflation_rates" ADD CONSTRAINT "inflation_rates_budget_code_id_fk" FOREIGN KEY ("organisation_id","budget_code_id") REFERENCES "public"."budget_codes"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "local_authority_funding_rates" ADD CONSTRAINT "local_authority_funding_rates_local_authority_fk" FOREIGN KEY ("local_authority") REFERENCES "public"."local_authorities"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "local_authority_funding_rates" ADD CONSTRAINT "local_authority_funding_rates_admin_table_fk" FOREIGN KEY ("admin_table") REFERENCES "public"."admin_tables"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "locations" ADD CONSTRAINT "locations_organisation_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "locations" ADD CONSTRAINT "locations_local_authority_id_fk" FOREIGN KEY ("local_authority_id") REFERENCES "public"."local_authorities"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "national_insurances" ADD CONSTRAINT "national_insurances_admin_table_id_fk" FOREIGN KEY ("admin_table_id") REFERENCES "public"."admin_tables"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "news_articles" ADD CONSTRAINT "news_articles_organisation_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pay_scale_points" ADD CONSTRAINT "pay_scale_points_admin_table_id_fk" FOREIGN KEY ("admin_table_id") REFERENCES "public"."admin_tables"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminders" ADD CONSTRAINT "reminders_organisation_id_fk" FOREIGN KEY ("organisation_id") REFERENCES "public"."organisations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_terms" ADD CONSTRAINT "service_terms_basic_budget_code_id_fk" FOREIGN KEY ("organisation_id","basic_budget_code_id") REFERENCES "public"."budget_codes"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_terms" ADD CONSTRAINT "service_terms_ni_budget_code_id_fk" FOREIGN KEY ("organisation_id","ni_budget_code_id") REFERENCES "public"."budget_codes"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_terms" ADD CONSTRAINT "service_terms_pension_budget_code_id_fk" FOREIGN KEY ("organisation_id","pension_budget_code_id") REFERENCES "public"."budget_codes"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_terms" ADD CONSTRAINT "service_terms_basic_cost_centre_id_fk" FOREIGN KEY ("organisation_id","basic_cost_centre_id") REFERENCES "public"."cost_centres"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_terms" ADD CONSTRAINT "service_terms_ni_cost_centre_id_fk" FOREIGN KEY ("organisation_id","ni_cost_centre_id") REFERENCES "public"."cost_centres"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "service_terms" ADD CONSTRAINT "service_terms_pension_cost_centre_id_fk" FOREIGN KEY ("organisation_id","pension_cost_centre_id") REFERENCES "public"."cost_centres"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_er_pension_rates" ADD CONSTRAINT "staff_er_pension_rates_staff_assumptions_id_fk" FOREIGN KEY ("organisation_id","staff_assumptions_id") REFERENCES "public"."staff_assumptions"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_er_pension_rates" ADD CONSTRAINT "staff_er_pension_rates_contract_type_id_fk" FOREIGN KEY ("organisation_id","contract_type_id") REFERENCES "public"."contract_types"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_inflation_rates" ADD CONSTRAINT "staff_inflation_rates_staff_assumptions_id_fk" FOREIGN KEY ("organisation_id","staff_assumptions_id") REFERENCES "public"."staff_assumptions"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_inflation_rates" ADD CONSTRAINT "staff_inflation_rates_contract_type_id_fk" FOREIGN KEY ("organisation_id","contract_type_id") REFERENCES "public"."contract_types"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_groups" ADD CONSTRAINT "student_groups_budget_code_id_fk" FOREIGN KEY ("organisation_id","budget_code_id") REFERENCES "public"."budget_codes"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "student_groups" ADD CONSTRAINT "student_groups_cost_centre_id_fk" FOREIGN KEY ("organisation_id","cost_centre_id") REFERENCES "public"."cost_centres"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "top_slices" ADD CONSTRAINT "top_slices_top_slice_table_id_fk" FOREIGN KEY ("organisation_id","top_slice_table_id") REFERENCES "public"."top_slice_tables"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "top_slices" ADD CONSTRAINT "top_slices_location_id_fk" FOREIGN KEY ("organisation_id","location_id") REFERENCES "public"."locations"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "top_slices" ADD CONSTRAINT "top_slices_budget_code_id_fk" FOREIGN KEY ("organisation_id","budget_code_id") REFERENCES "public"."budget_codes"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "top_slices" ADD CONSTRAINT "top_slices_central_budget_code_id_fk" FOREIGN KEY ("organisation_id","central_budget_code_id") REFERENCES "public"."budget_codes"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integration_parameters" ADD CONSTRAINT "integration_parameters_credential_fk" FOREIGN KEY ("organisation_id","credential_id") REFERENCES "public"."integration_credentials"("organisation_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_fk" FOREIGN KEY ("organisation_id","webhook_id") REFERENCES "public"."webhooks"("organisation_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_texts" ADD CONSTRAINT "ledger_texts_ledger_fk" FOREIGN KEY ("organisation_id","ledger_id") REFERENCES "public"."ledgers"("organisation_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payroll_lines" ADD CONSTRAINT "payroll_lines_code_fk" FOREIGN KEY ("payroll_code_id") REFERENCES "public"."payroll_codes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payroll_provider_texts" ADD CONSTRAINT "payroll_provider_texts_provider_fk" FOREIGN KEY ("organisation_id","provider_id") REFERENCES "public"."payroll_providers"("organisation_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payroll_provider_texts" ADD CONSTRAINT "payroll_provider_texts_code_fk" FOREIGN KEY ("payroll_code_id") REFERENCES "public"."payroll_codes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "admin_tables_sort" ON "admin_tables" USING btree ("name");--> statement-breakpoint
CREATE UNIQUE INDEX "admin_tables_unique_1" ON "admin_tables" USING btree (lower("name"),"type");--> statement-breakpoint
CREATE INDEX "allowances_sort" ON "allowances" USING btree (organisation_id,"name");--> statement-breakpoint
CREATE UNIQUE INDEX "allowances_unique_1" ON "allowances" USING btree (organisation_id,lower("name"));--> statement-breakpoint
CREATE INDEX "allowances_budget_code_id" ON "allowances" USING btree ("organisation_id","budget_code_id");--> statement-breakpoint
CREATE INDEX "analysis_tags_sort" ON "analysis_tags" USING btree (organisation_id,"name");--> statement-breakpoint
CREATE UNIQUE INDEX "analysis_tags_unique_1" ON "analysis_tags" USING btree (organisation_id,lower("name"));--> statement-breakpoint
CREATE INDEX "apprenticeship_levies_sort" ON "apprenticeship_levies" USING btree (organisation_id,"location_id");--> statement-breakpoint
CREATE INDEX "apprenticeship_levies_location_id" ON "apprenticeship_levies" USING btree ("organisation_id","location_id");--> statement-breakpoint
CREATE INDEX "assist_articles_sort" ON "assist_articles" USING btree ("title");--> statement-breakpoint
CREATE UNIQUE INDEX "assist_articles_unique_1" ON "assist_articles" USING btree (lower("slug"));--> statement-breakpoint
CREATE INDEX "benchmarking_groups_sort" ON "benchmarking_groups" USING btree ("name");--> statement-breakpoint
CREATE UNIQUE INDEX "benchmarking_groups_unique_1" ON "benchmarking_groups" USING btree (lower("name"));--> statement-breakpoint
CREATE INDEX "bfr_codes_sort" ON "bfr_codes" USING btree ("code");--> statement-breakpoint
CREATE UNIQUE INDEX "bfr_codes_unique_1" ON "bfr_codes" USING btree (lower("code"),"type");--> statement-breakpoint
CREATE INDEX "budget_codes_sort" ON "budget_codes" USING btree (organisation_id,"code");--> statement-breakpoint
CREATE UNIQUE INDEX "budget_codes_unique_1" ON "budget_codes" USING btree (organisation_id,lower("code"));--> statement-breakpoint
CREATE INDEX "budget_codes_cfr_code_id" ON "budget_codes" USING btree ("cfr_code_id");--> statement-breakpoint
CREATE INDEX "budget_codes_gag_code_id" ON "budget_codes" USING btree ("gag_code_id");--> statement-breakpoint
CREATE INDEX "budget_codes_acoa_code_id" ON "budget_codes" USING btree ("acoa_code_id");--> statement-breakpoint
CREATE INDEX "budget_codes_custom_code_id" ON "budget_codes" USING btree ("custom_code_id");--> statement-breakpoint
CREATE INDEX "budget_codes_main_bfr_code_id" ON "budget_codes" USING btree ("main_bfr_code_id");--> statement-breakpoint
CREATE INDEX "budget_codes_secondary_bfr_code_id" ON "budget_codes" USING btree ("secondary_bfr_code_id");--> statement-breakpoint
CREATE INDEX "budget_codes_income_type_id" ON "budget_codes" USING btree ("income_type_id");--> statement-breakpoint
CREATE UNIQUE INDEX "budget_events_position" ON "budget_events" USING btree ("position");--> statement-breakpoint
CREATE INDEX "budget_events_about" ON "budget_events" USING btree ("organisation_id","budget_id","about","version") WHERE about is not null;--> statement-breakpoint
CREATE INDEX "budget_events_type" ON "budget_events" USING btree ("organisation_id","budget_id","type","version");--> statement-breakpoint
CREATE INDEX "budget_events_group_run" ON "budget_events" USING btree ("organisation_id","budget_id","version") WHERE type = 'StaffContractsRecalculated' and data ->> 'cause' = 'group';--> statement-breakpoint
CREATE UNIQUE INDEX "budget_groups_name" ON "budget_groups" USING btree ("organisation_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "budgets_name" ON "budgets" USING btree ("organisation_id","location_id",lower("name"));--> statement-breakpoint
CREATE INDEX "clusters_sort" ON "clusters" USING btree (organisation_id,"name");--> statement-breakpoint
CREATE UNIQUE INDEX "clusters_unique_1" ON "clusters" USING btree (organisation_id,lower("name"));--> statement-breakpoint
CREATE INDEX "contract_types_sort" ON "contract_types" USING btree (organisation_id,"name");--> statement-breakpoint
CREATE UNIQUE INDEX "contract_types_unique_1" ON "contract_types" USING btree (organisation_id,lower("name"));--> statement-breakpoint
CREATE INDEX "cost_centres_sort" ON "cost_centres" USING btree (organisation_id,"code");--> statement-breakpoint
CREATE UNIQUE INDEX "cost_centres_unique_1" ON "cost_centres" USING btree (organisation_id,lower("code"));--> statement-breakpoint
CREATE INDEX "extended_leave_rule_sets_sort" ON "extended_leave_rule_sets" USING btree (organisation_id,"name");--> statement-breakpoint
CREATE UNIQUE INDEX "extended_leave_rule_sets_unique_1" ON "extended_leave_rule_sets" USING btree (organisation_id,lower("name"));--> statement-breakpoint
CREATE INDEX "extended_leave_rule_sets_extended_leave_type_id" ON "extended_leave_rule_sets" USING btree ("extended_leave_type_id");--> statement-breakpoint
CREATE INDEX "extended_leave_rules_sort" ON "extended_leave_rules" USING btree (organisation_id,"first_week");--> statement-breakpoint
CREATE INDEX "extended_leave_types_sort" ON "extended_leave_types" USING btree ("name");--> statement-breakpoint
CREATE UNIQUE INDEX "extended_leave_types_unique_1" ON "extended_leave_types" USING btree (lower("name"),"admin_table_id");--> statement-breakpoint
CREATE INDEX "extended_leave_types_admin_table_id" ON "extended_leave_types" USING btree ("admin_table_id");--> statement-breakpoint
CREATE INDEX "financial_reporting_codes_sort" ON "financial_reporting_codes" USING btree (organisation_id,"order");--> statement-breakpoint
CREATE UNIQUE INDEX "financial_reporting_codes_unique_1" ON "financial_reporting_codes" USING btree (coalesce(organisation_id, 0),lower("code"),"type");--> statement-breakpoint
CREATE INDEX "financial_reporting_codes_benchmarking_group_id" ON "financial_reporting_codes" USING btree ("benchmarking_group_id");--> statement-breakpoint
CREATE INDEX "flash_messages_sort" ON "flash_messages" USING btree (organisation_id,"active");--> statement-breakpoint
CREATE INDEX "fund_codes_sort" ON "fund_codes" USING btree (organisation_id,"code");--> statement-breakpoint
CREATE UNIQUE INDEX "fund_codes_unique_1" ON "fund_codes" USING btree (organisation_id,lower("code"));--> statement-breakpoint
CREATE INDEX "gag_pool_tables_sort" ON "gag_pool_tables" USING btree (organisation_id,"effective_date");--> statement-breakpoint
CREATE UNIQUE INDEX "gag_pool_tables_unique_1" ON "gag_pool_tables" USING btree (organisation_id,lower("name"));--> statement-breakpoint
CREATE INDEX "gag_pools_sort" ON "gag_pools" USING btree (organisation_id,"location_id");--> statement-breakpoint
CREATE INDEX "gag_pools_gag_pool_table_id" ON "gag_pools" USING btree ("organisation_id","gag_pool_table_id");--> statement-breakpoint
CREATE INDEX "gag_pools_budget_code_id" ON "gag_pools" USING btree ("organisation_id","budget_code_id");--> statement-breakpoint
CREATE INDEX "income_types_sort" ON "income_types" USING btree ("order");--> statement-breakpoint
CREATE UNIQUE INDEX "income_types_unique_1" ON "income_types" USING btree (lower("name"));--> statement-breakpoint
CREATE INDEX "inflation_rates_sort" ON "inflation_rates" USING btree (organisation_id,"budget_code_id");--> statement-breakpoint
CREATE INDEX "inflation_rates_inflation_id" ON "inflation_rates" USING btree ("organisation_id","inflation_id");--> statement-breakpoint
CREATE INDEX "inflations_sort" ON "inflations" USING btree (organisation_id,"name");--> statement-breakpoint
CREATE UNIQUE INDEX "inflations_unique_1" ON "inflations" USING btree (organisation_id,lower("name"));--> statement-breakpoint
CREATE INDEX "local_authorities_sort" ON "local_authorities" USING btree ("name");--> statement-breakpoint
CREATE UNIQUE INDEX "local_authorities_unique_1" ON "local_authorities" USING btree (lower("code"));--> statement-breakpoint
CREATE UNIQUE INDEX "local_authorities_unique_2" ON "local_authorities" USING btree (lower("name"));--> statement-breakpoint
CREATE INDEX "local_authority_funding_rates_sort" ON "local_authority_funding_rates" USING btree ("local_authority");--> statement-breakpoint
CREATE INDEX "local_authority_funding_rates_local_authority" ON "local_authority_funding_rates" USING btree ("local_authority");--> statement-breakpoint
CREATE INDEX "local_authority_funding_rates_admin_table" ON "local_authority_funding_rates" USING btree ("admin_table");--> statement-breakpoint
CREATE INDEX "locations_sort" ON "locations" USING btree (organisation_id,"name");--> statement-breakpoint
CREATE UNIQUE INDEX "locations_unique_1" ON "locations" USING btree (organisation_id,lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "locations_unique_2" ON "locations" USING btree (organisation_id,lower("dfe_number"));--> statement-breakpoint
CREATE UNIQUE INDEX "locations_unique_3" ON "locations" USING btree (organisation_id,lower("reference_number"));--> statement-breakpoint
CREATE UNIQUE INDEX "locations_unique_4" ON "locations" USING btree (organisation_id,lower("budget_code_filter"));--> statement-breakpoint
CREATE UNIQUE INDEX "locations_unique_5" ON "locations" USING btree (organisation_id,lower("payroll_rec_id"));--> statement-breakpoint
CREATE INDEX "locations_local_authority_id" ON "locations" USING btree ("local_authority_id");--> statement-breakpoint
CREATE INDEX "log_chain_subject" ON "log_chain" USING btree ("organisation_id","kind","subject","sequence");--> statement-breakpoint
CREATE INDEX "national_insurances_sort" ON "national_insurances" USING btree ("band_start");--> statement-breakpoint
CREATE INDEX "news_articles_sort" ON "news_articles" USING btree (organisation_id,"active");--> statement-breakpoint
CREATE INDEX "organisations_sort" ON "organisations" USING btree ("name");--> statement-breakpoint
CREATE UNIQUE INDEX "organisations_unique_1" ON "organisations" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "organisations_unique_2" ON "organisations" USING btree (lower("unique_group_identifier"));--> statement-breakpoint
CREATE INDEX "pay_scale_points_sort" ON "pay_scale_points" USING btree (organisation_id,"order");--> statement-breakpoint
CREATE UNIQUE INDEX "pay_scale_points_unique_1" ON "pay_scale_points" USING btree (coalesce(organisation_id, 0),lower("scale"),lower("point"),"admin_table_id");--> statement-breakpoint
CREATE UNIQUE INDEX "pay_scale_points_unique_2" ON "pay_scale_points" USING btree (coalesce(organisation_id, 0),lower("scale"),"increment","admin_table_id");--> statement-breakpoint
CREATE INDEX "pay_scale_points_admin_table_id" ON "pay_scale_points" USING btree ("admin_table_id");--> statement-breakpoint
CREATE INDEX "payroll_codes_sort" ON "payroll_codes" USING btree (organisation_id,"code");--> statement-breakpoint
CREATE UNIQUE INDEX "payroll_codes_unique_1" ON "payroll_codes" USING btree (organisation_id,lower("code"));--> statement-breakpoint
CREATE INDEX "profile_templates_sort" ON "profile_templates" USING btree (organisation_id,"name");--> statement-breakpoint
CREATE UNIQUE INDEX "profile_templates_unique_1" ON "profile_templates" USING btree (organisation_id,lower("name"));--> statement-breakpoint
CREATE INDEX "recalculation_budgets_open" ON "recalculation_budgets" USING btree ("organisation_id","budget_id") WHERE done_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "recalculations_running" ON "recalculations" USING btree ("organisation_id","group_id") WHERE finished_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "recalculations_running_alone" ON "recalculations" USING btree ("organisation_id","budget_id") WHERE finished_at is null;--> statement-breakpoint
CREATE INDEX "recalculations_to_announce" ON "recalculations" USING btree ("finished_at") WHERE announced_at is null;--> statement-breakpoint
CREATE INDEX "reference_changes_record" ON "reference_changes" USING btree ("resource","record_id","version");--> statement-breakpoint
CREATE INDEX "reminders_sort" ON "reminders" USING btree (organisation_id,"when");--> statement-breakpoint
CREATE INDEX "service_terms_sort" ON "service_terms" USING btree (organisation_id,"code");--> statement-breakpoint
CREATE UNIQUE INDEX "service_terms_unique_1" ON "service_terms" USING btree (organisation_id,lower("code"));--> statement-breakpoint
CREATE INDEX "service_terms_basic_budget_code_id" ON "service_terms" USING btree ("organisation_id","basic_budget_code_id");--> statement-breakpoint
CREATE INDEX "service_terms_ni_budget_code_id" ON "service_terms" USING btree ("organisation_id","ni_budget_code_id");--> statement-breakpoint
CREATE INDEX "service_terms_pension_budget_code_id" ON "service_terms" USING btree ("organisation_id","pension_budget_code_id");--> statement-breakpoint
CREATE INDEX "service_terms_basic_cost_centre_id" ON "service_terms" USING btree ("organisation_id","basic_cost_centre_id");--> statement-breakpoint
CREATE INDEX "service_terms_ni_cost_centre_id" ON "service_terms" USING btree ("organisation_id","ni_cost_centre_id");--> statement-breakpoint
CREATE INDEX "service_terms_pension_cost_centre_id" ON "service_terms" USING btree ("organisation_id","pension_cost_centre_id");--> statement-breakpoint
CREATE INDEX "staff_assumptions_sort" ON "staff_assumptions" USING btree (organisation_id,"name");--> statement-breakpoint
CREATE UNIQUE INDEX "staff_assumptions_unique_1" ON "staff_assumptions" USING btree (organisation_id,lower("name"));--> statement-breakpoint
CREATE INDEX "staff_contracts_staff" ON "staff_contracts" USING btree ("organisation_id","staff_id");--> statement-breakpoint
CREATE INDEX "staff_contracts_holder" ON "staff_contracts" USING btree ("organisation_id","budget_id","staff_id","id","contract_type_id","most_fte","most_hours","has_no_fte");--> statement-breakpoint
CREATE INDEX "staff_contracts_search" ON "staff_contracts" USING btree ("organisation_id","budget_id","id","staff_id","search","contract_name","position","department");--> statement-breakpoint
CREATE INDEX "staff_contracts_ended" ON "staff_contracts" USING btree ("organisation_id","budget_id","end_date");--> statement-breakpoint
CREATE INDEX "staff_contracts_above" ON "staff_contracts" USING btree ("organisation_id","budget_id") WHERE above_maximum;--> statement-breakpoint
CREATE INDEX "staff_er_pension_rates_sort" ON "staff_er_pension_rates" USING btree (organisation_id,"effective_date");--> statement-breakpoint
CREATE INDEX "staff_er_pension_rates_contract_type_id" ON "staff_er_pension_rates" USING btree ("organisation_id","contract_type_id");--> statement-breakpoint
CREATE INDEX "staff_inflation_rates_sort" ON "staff_inflation_rates" USING btree (organisation_id,"effective_date");--> statement-breakpoint
CREATE INDEX "staff_inflation_rates_contract_type_id" ON "staff_inflation_rates" USING btree ("organisation_id","contract_type_id");--> statement-breakpoint
CREATE UNIQUE INDEX "staff_members_number" ON "staff_members" USING btree ("organisation_id","number_digest");--> statement-breakpoint
CREATE INDEX "staff_members_subject" ON "staff_members" USING btree ("subject");--> statement-breakpoint
CREATE INDEX "student_groups_sort" ON "student_groups" USING btree (organisation_id,"code");--> statement-breakpoint
CREATE UNIQUE INDEX "student_groups_unique_1" ON "student_groups" USING btree (organisation_id,lower("code"));--> statement-breakpoint
CREATE INDEX "student_groups_budget_code_id" ON "student_groups" USING btree ("organisation_id","budget_code_id");--> statement-breakpoint
CREATE INDEX "student_groups_cost_centre_id" ON "student_groups" USING btree ("organisation_id","cost_centre_id");--> statement-breakpoint
CREATE INDEX "top_slice_tables_sort" ON "top_slice_tables" USING btree (organisation_id,"effective_date");--> statement-breakpoint
CREATE UNIQUE INDEX "top_slice_tables_unique_1" ON "top_slice_tables" USING btree (organisation_id,lower("name"));--> statement-breakpoint
CREATE INDEX "top_slices_sort" ON "top_slices" USING btree (organisation_id,"location_id");--> statement-breakpoint
CREATE INDEX "top_slices_top_slice_table_id" ON "top_slices" USING btree ("organisation_id","top_slice_table_id");--> statement-breakpoint
CREATE INDEX "top_slices_budget_code_id" ON "top_slices" USING btree ("organisation_id","budget_code_id");--> statement-breakpoint
CREATE INDEX "top_slices_central_budget_code_id" ON "top_slices" USING btree ("organisation_id","central_budget_code_id");--> statement-breakpoint
CREATE INDEX "answered_calls_created" ON "answered_calls" USING btree ("created");--> statement-breakpoint
CREATE UNIQUE INDEX "api_clients_id" ON "api_clients" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "api_clients_name" ON "api_clients" USING btree ("organisation_id",lower("name")) WHERE active;--> statement-breakpoint
CREATE UNIQUE INDEX "first_administrator_links_secret" ON "first_administrator_links" USING btree ("secret_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_secret" ON "invitations" USING btree ("secret_hash");--> statement-breakpoint
CREATE INDEX "invitations_user" ON "invitations" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "oidc_payloads_grant" ON "oidc_payloads" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "oidc_payloads_uid" ON "oidc_payloads" USING btree ("uid");--> statement-breakpoint
CREATE UNIQUE INDEX "user_groups_unique_1" ON "user_groups" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree (lower("email"));--> statement-breakpoint
CREATE UNIQUE INDEX "users_outside" ON "users" USING btree ("outside_issuer","outside_subject");--> statement-breakpoint
CREATE INDEX "applied_extended_leave_staff" ON "applied_extended_leave" USING btree ("organisation_id","staff_id");--> statement-breakpoint
CREATE INDEX "staff_changes_version" ON "staff_changes" USING btree ("organisation_id","version");--> statement-breakpoint
CREATE UNIQUE INDEX "terms_term" ON "terms" USING btree ("organisation_id","term");--> statement-breakpoint
CREATE INDEX "budget_items_kind" ON "budget_items" USING btree ("organisation_id","budget_id","kind");--> statement-breakpoint
CREATE INDEX "budget_items_made" ON "budget_items" USING btree ("organisation_id","budget_id","kind","created","id");--> statement-breakpoint
CREATE INDEX "budget_items_described" ON "budget_items" USING btree ("organisation_id","budget_id","kind",description collate natural_order,"created","id");--> statement-breakpoint
CREATE INDEX "budget_items_amounts" ON "budget_items" USING btree ("organisation_id","budget_id","kind","amount","created","id");--> statement-breakpoint
CREATE INDEX "budget_items_source" ON "budget_items" USING btree ("organisation_id","budget_id") WHERE source_kind is not null;--> statement-breakpoint
CREATE INDEX "budget_items_notes" ON "budget_items" USING btree ("organisation_id","budget_id") WHERE has_notes;--> statement-breakpoint
CREATE INDEX "budget_job_items_job" ON "budget_job_items" USING btree ("organisation_id","job_id");--> statement-breakpoint
CREATE INDEX "budget_lines_source" ON "budget_lines" USING btree ("organisation_id","budget_id","source_kind","source_id");--> statement-breakpoint
CREATE INDEX "budget_lines_missing" ON "budget_lines" USING btree ("organisation_id","budget_id") WHERE missing > 0;--> statement-breakpoint
CREATE INDEX "presences_budget" ON "presences" USING btree ("organisation_id","budget_id");--> statement-breakpoint
CREATE INDEX "staff_costs_sums" ON "staff_costs" USING btree ("organisation_id","budget_id","contract_id","first_year","is_incomplete");--> statement-breakpoint
CREATE INDEX "staff_costs_checked" ON "staff_costs" USING btree ("organisation_id","budget_id","contract_id") WHERE has_problems or not has_pay;--> statement-breakpoint
CREATE INDEX "made_files_of" ON "made_files" USING btree ("organisation_id","requested_by_id","requested_at");--> statement-breakpoint
CREATE INDEX "made_files_open" ON "made_files" USING btree ("requested_at") WHERE made_at is null and failure is null and cancelled_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "file_layouts_name" ON "file_layouts" USING btree ("organisation_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "integration_credentials_description" ON "integration_credentials" USING btree ("organisation_id",lower("description"));--> statement-breakpoint
CREATE INDEX "integration_credentials_test_asked" ON "integration_credentials" USING btree ("test_asked") WHERE test_asked is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "integration_parameters_name" ON "integration_parameters" USING btree ("organisation_id","credential_id","name");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_message" ON "webhook_deliveries" USING btree ("organisation_id","webhook_id","message_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_made" ON "webhook_deliveries" USING btree ("made_at");--> statement-breakpoint
CREATE UNIQUE INDEX "webhooks_name" ON "webhooks" USING btree ("organisation_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "ledgers_name" ON "ledgers" USING btree ("organisation_id",lower("name"));--> statement-breakpoint
CREATE INDEX "actual_lines_sums" ON "actual_lines" USING btree ("organisation_id","location_id","year","month","type","budget_code_id","value");--> statement-breakpoint
CREATE INDEX "actual_lines_code" ON "actual_lines" USING btree ("organisation_id","budget_code_id");--> statement-breakpoint
CREATE UNIQUE INDEX "monitoring_events_position" ON "monitoring_events" USING btree ("position");--> statement-breakpoint
CREATE INDEX "monitoring_events_actor" ON "monitoring_events" USING btree ("actor_id");--> statement-breakpoint
CREATE INDEX "monitoring_items_month" ON "monitoring_items" USING btree ("organisation_id","kind","year","month");--> statement-breakpoint
CREATE UNIQUE INDEX "payroll_events_position" ON "payroll_events" USING btree ("position");--> statement-breakpoint
CREATE INDEX "payroll_events_actor" ON "payroll_events" USING btree ("actor_id");--> statement-breakpoint
CREATE INDEX "payroll_explanations_running" ON "payroll_explanations" USING btree ("alive_at") WHERE status = 'running';--> statement-breakpoint
CREATE INDEX "payroll_explanations_of_user" ON "payroll_explanations" USING btree ("organisation_id","requested_by_id");--> statement-breakpoint
CREATE INDEX "payroll_items_month" ON "payroll_items" USING btree ("organisation_id","kind","year","month");--> statement-breakpoint
CREATE INDEX "payroll_lines_month" ON "payroll_lines" USING btree ("organisation_id","year","month");--> statement-breakpoint
CREATE INDEX "payroll_lines_code" ON "payroll_lines" USING btree ("organisation_id","payroll_code_id");--> statement-breakpoint
CREATE INDEX "payroll_provider_texts_payroll_code_id" ON "payroll_provider_texts" USING btree ("organisation_id","payroll_code_id");--> statement-breakpoint
CREATE INDEX "payroll_provider_texts_location_id" ON "payroll_provider_texts" USING btree ("organisation_id","location_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payroll_providers_name" ON "payroll_providers" USING btree ("organisation_id",lower("name"));