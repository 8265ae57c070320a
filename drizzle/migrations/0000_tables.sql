CREATE TABLE "admin_tables" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "admin_tables_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"name" text NOT NULL,
	"active" boolean DEFAULT false NOT NULL,
	"type" integer NOT NULL
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
CREATE TABLE "api_clients" (
	"client_id" text PRIMARY KEY NOT NULL,
	"secret" text NOT NULL,
	"name" text NOT NULL,
	"organisation_id" integer NOT NULL,
	"user_group_id" integer NOT NULL,
	"active" boolean DEFAULT true NOT NULL
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
	"category" integer
);
--> statement-breakpoint
CREATE TABLE "budget_events" (
	"organisation_id" integer NOT NULL,
	"budget_id" char(24) NOT NULL,
	"version" integer NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "budget_events_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"type" text NOT NULL,
	"data" jsonb NOT NULL,
	"actor_id" integer,
	"request_id" text NOT NULL,
	"request_part" integer NOT NULL,
	"occurred_at" timestamp with time zone NOT NULL,
	"previous_hash" char(64) NOT NULL,
	"hash" char(64) NOT NULL,
	CONSTRAINT "budget_events_organisation_id_budget_id_version_pk" PRIMARY KEY("organisation_id","budget_id","version")
);
--> statement-breakpoint
CREATE TABLE "budget_groups" (
	"organisation_id" integer NOT NULL,
	"id" char(24) NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"budget_ids" text[] DEFAULT '{}' NOT NULL,
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
	"recalculated" jsonb,
	"saved_at" timestamp with time zone NOT NULL,
	"saved_by_id" integer,
	"last_hash" char(64) NOT NULL,
	"created" timestamp with time zone NOT NULL,
	CONSTRAINT "budgets_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
CREATE TABLE "calculation_inputs" (
	"organisation_id" integer NOT NULL,
	"sha256" char(64) NOT NULL,
	"body" text NOT NULL,
	CONSTRAINT "calculation_inputs_organisation_id_sha256_pk" PRIMARY KEY("organisation_id","sha256")
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
	"increment_month" integer
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
	"alt_description" text
);
--> statement-breakpoint
CREATE TABLE "extended_leave_rule_sets" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "extended_leave_rule_sets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"extended_leave_type_id" integer NOT NULL
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
	"er_pension_calculation" integer NOT NULL
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
CREATE TABLE "local_authorities" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "local_authorities_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"code" text NOT NULL,
	"name" text NOT NULL,
	"number" integer NOT NULL
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
	"report_signatory" text,
	"budget_code_filter" text,
	"maximum_budget_years" integer NOT NULL,
	"currency" integer NOT NULL,
	"enable_student_module" boolean DEFAULT false NOT NULL,
	"central" boolean DEFAULT false NOT NULL,
	"payroll_rec_id" text,
	"pay_scale_region" integer NOT NULL
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
	"admin_table_id" integer NOT NULL
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
CREATE TABLE "recalculation_budgets" (
	"organisation_id" integer NOT NULL,
	"recalculation_id" uuid NOT NULL,
	"budget_id" char(24) NOT NULL,
	"done_at" timestamp with time zone,
	"totals" jsonb,
	"result_hash" char(64),
	CONSTRAINT "recalculation_budgets_organisation_id_recalculation_id_budget_id_pk" PRIMARY KEY("organisation_id","recalculation_id","budget_id")
);
--> statement-breakpoint
CREATE TABLE "recalculations" (
	"organisation_id" integer NOT NULL,
	"id" uuid NOT NULL,
	"group_id" char(24) NOT NULL,
	"inputs" char(64) NOT NULL,
	"requested_by_id" integer,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	"failure" text,
	"totals" jsonb,
	"result_hash" char(64),
	"position" bigint,
	"announced_at" timestamp with time zone,
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
	"occurred_at" timestamp with time zone DEFAULT now() NOT NULL
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
CREATE TABLE "signing_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"jwk" jsonb NOT NULL,
	"cookie_secret" text NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "staff_assumptions" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "staff_assumptions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"name" text NOT NULL,
	"description" text
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
	CONSTRAINT "staff_contracts_organisation_id_budget_id_id_pk" PRIMARY KEY("organisation_id","budget_id","id")
);
--> statement-breakpoint
CREATE TABLE "staff_costs" (
	"organisation_id" integer NOT NULL,
	"budget_id" char(24) NOT NULL,
	"contract_id" char(24) NOT NULL,
	"costing" jsonb NOT NULL,
	"year_totals" jsonb NOT NULL,
	"version" integer NOT NULL,
	CONSTRAINT "staff_costs_organisation_id_budget_id_contract_id_pk" PRIMARY KEY("organisation_id","budget_id","contract_id")
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
	"rate" numeric(9, 4) NOT NULL
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
	"rate" numeric(9, 4) NOT NULL
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
CREATE TABLE "user_groups" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "user_groups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"permissions" text[] NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_groups_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"email" text NOT NULL,
	"forename" text NOT NULL,
	"surname" text NOT NULL,
	"position" text,
	"password_hash" text,
	"is_administrator" boolean DEFAULT false NOT NULL,
	"active" boolean DEFAULT true NOT NULL,
	"last_sign_in" timestamp with time zone,
	"created" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "vault_keys" (
	"subject" uuid PRIMARY KEY NOT NULL,
	"organisation_id" integer NOT NULL,
	"key" "bytea" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_clients" ADD CONSTRAINT "api_clients_user_group_id_user_groups_id_fk" FOREIGN KEY ("user_group_id") REFERENCES "public"."user_groups"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "admin_tables_sort" ON "admin_tables" USING btree ("name");--> statement-breakpoint
CREATE INDEX "allowances_sort" ON "allowances" USING btree (organisation_id,"name");--> statement-breakpoint
CREATE INDEX "analysis_tags_sort" ON "analysis_tags" USING btree (organisation_id,"name");--> statement-breakpoint
CREATE INDEX "benchmarking_groups_sort" ON "benchmarking_groups" USING btree ("name");--> statement-breakpoint
CREATE INDEX "bfr_codes_sort" ON "bfr_codes" USING btree ("code");--> statement-breakpoint
CREATE INDEX "budget_codes_sort" ON "budget_codes" USING btree (organisation_id,"code");--> statement-breakpoint
CREATE UNIQUE INDEX "budget_events_request" ON "budget_events" USING btree ("organisation_id","request_id","budget_id","type","request_part");--> statement-breakpoint
CREATE UNIQUE INDEX "budget_events_position" ON "budget_events" USING btree ("position");--> statement-breakpoint
CREATE UNIQUE INDEX "budget_groups_name" ON "budget_groups" USING btree ("organisation_id",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "budgets_name" ON "budgets" USING btree ("organisation_id","location_id",lower("name"));--> statement-breakpoint
CREATE INDEX "contract_types_sort" ON "contract_types" USING btree (organisation_id,"name");--> statement-breakpoint
CREATE INDEX "cost_centres_sort" ON "cost_centres" USING btree (organisation_id,"code");--> statement-breakpoint
CREATE INDEX "extended_leave_rule_sets_sort" ON "extended_leave_rule_sets" USING btree (organisation_id,"name");--> statement-breakpoint
CREATE INDEX "extended_leave_rules_sort" ON "extended_leave_rules" USING btree (organisation_id,"first_week");--> statement-breakpoint
CREATE INDEX "extended_leave_types_sort" ON "extended_leave_types" USING btree ("name");--> statement-breakpoint
CREATE INDEX "financial_reporting_codes_sort" ON "financial_reporting_codes" USING btree (organisation_id,"order");--> statement-breakpoint
CREATE INDEX "fund_codes_sort" ON "fund_codes" USING btree (organisation_id,"code");--> statement-breakpoint
CREATE INDEX "local_authorities_sort" ON "local_authorities" USING btree ("name");--> statement-breakpoint
CREATE INDEX "locations_sort" ON "locations" USING btree (organisation_id,"name");--> statement-breakpoint
CREATE INDEX "national_insurances_sort" ON "national_insurances" USING btree ("band_start");--> statement-breakpoint
CREATE INDEX "oidc_payloads_grant" ON "oidc_payloads" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "oidc_payloads_uid" ON "oidc_payloads" USING btree ("uid");--> statement-breakpoint
CREATE INDEX "organisations_sort" ON "organisations" USING btree ("name");--> statement-breakpoint
CREATE INDEX "pay_scale_points_sort" ON "pay_scale_points" USING btree (organisation_id,"order");--> statement-breakpoint
CREATE UNIQUE INDEX "recalculations_running" ON "recalculations" USING btree ("organisation_id","group_id") WHERE finished_at is null;--> statement-breakpoint
CREATE INDEX "reference_changes_record" ON "reference_changes" USING btree ("resource","record_id","version");--> statement-breakpoint
CREATE INDEX "service_terms_sort" ON "service_terms" USING btree (organisation_id,"code");--> statement-breakpoint
CREATE INDEX "staff_assumptions_sort" ON "staff_assumptions" USING btree (organisation_id,"name");--> statement-breakpoint
CREATE INDEX "staff_contracts_staff" ON "staff_contracts" USING btree ("organisation_id","staff_id");--> statement-breakpoint
CREATE INDEX "staff_er_pension_rates_sort" ON "staff_er_pension_rates" USING btree (organisation_id,"effective_date");--> statement-breakpoint
CREATE INDEX "staff_inflation_rates_sort" ON "staff_inflation_rates" USING btree (organisation_id,"effective_date");--> statement-breakpoint
CREATE UNIQUE INDEX "staff_members_number" ON "staff_members" USING btree ("organisation_id","number_digest");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree (lower("email"));