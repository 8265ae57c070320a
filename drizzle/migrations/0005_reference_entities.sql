CREATE TABLE "apprenticeship_levies" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "apprenticeship_levies_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"location_id" integer NOT NULL,
	"effective_date" date NOT NULL,
	"allowance" numeric(14, 2),
	"percentage" numeric(9, 4)
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
	"active" boolean DEFAULT false NOT NULL
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
	"budget_code_id" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "inflation_rates" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "inflation_rates_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"inflation_id" integer NOT NULL,
	"budget_code_id" integer NOT NULL,
	"rates" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "inflations" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "inflations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"name" text NOT NULL,
	"description" text
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
CREATE TABLE "top_slice_tables" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "top_slice_tables_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"version" integer DEFAULT 1 NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"organisation_id" integer NOT NULL,
	"name" text NOT NULL,
	"effective_date" date NOT NULL,
	"active" boolean DEFAULT false NOT NULL
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
	"income_type_ids" integer[] DEFAULT '{}' NOT NULL
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
ALTER TABLE "admin_tables" ADD COLUMN "description" text;--> statement-breakpoint
ALTER TABLE "locations" ADD COLUMN "logo_id" integer;--> statement-breakpoint
ALTER TABLE "organisations" ADD COLUMN "logo_id" integer;--> statement-breakpoint
ALTER TABLE "user_groups" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "phone_number" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "avatar_id" integer;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "apprenticeship_levies_sort" ON "apprenticeship_levies" USING btree (organisation_id,"location_id");--> statement-breakpoint
CREATE INDEX "assist_articles_sort" ON "assist_articles" USING btree ("title");--> statement-breakpoint
CREATE INDEX "flash_messages_sort" ON "flash_messages" USING btree (organisation_id,"active");--> statement-breakpoint
CREATE INDEX "gag_pool_tables_sort" ON "gag_pool_tables" USING btree (organisation_id,"effective_date");--> statement-breakpoint
CREATE INDEX "gag_pools_sort" ON "gag_pools" USING btree (organisation_id,"location_id");--> statement-breakpoint
CREATE INDEX "inflation_rates_sort" ON "inflation_rates" USING btree (organisation_id,"budget_code_id");--> statement-breakpoint
CREATE INDEX "inflations_sort" ON "inflations" USING btree (organisation_id,"name");--> statement-breakpoint
CREATE INDEX "news_articles_sort" ON "news_articles" USING btree (organisation_id,"active");--> statement-breakpoint
CREATE INDEX "reminders_sort" ON "reminders" USING btree (organisation_id,"when");--> statement-breakpoint
CREATE INDEX "top_slice_tables_sort" ON "top_slice_tables" USING btree (organisation_id,"effective_date");--> statement-breakpoint
CREATE INDEX "top_slices_sort" ON "top_slices" USING btree (organisation_id,"location_id");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_secret" ON "invitations" USING btree ("secret_hash");--> statement-breakpoint
CREATE INDEX "invitations_user" ON "invitations" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "applied_extended_leave_staff" ON "applied_extended_leave" USING btree ("organisation_id","staff_id");