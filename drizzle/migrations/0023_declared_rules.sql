SELECT set_config('app.organisation_id', '*', true);--> statement-breakpoint
-- Rates that stand twice and references to what is gone cannot be kept: which of two holds, or what was meant, nobody but the people can say.
DO $$ DECLARE rule record; found text; BEGIN
  FOR rule IN SELECT * FROM (VALUES
    ('pay_scale_points', 'coalesce(organisation_id, 0),lower(scale),increment,admin_table_id'),
    ('apprenticeship_levies', 'organisation_id,effective_date,location_id'),
    ('extended_leave_rules', 'organisation_id,extended_leave_ruleset_id,first_week'),
    ('gag_pools', 'organisation_id,location_id,gag_pool_table_id'),
    ('inflation_rates', 'organisation_id,budget_code_id,inflation_id'),
    ('local_authorities', 'number'),
    ('local_authority_funding_rates', 'category,local_authority,admin_table'),
    ('national_insurances', 'admin_table_id,band_start,min_age,max_age,pension,apprentice'),
    ('staff_er_pension_rates', 'organisation_id,staff_assumptions_id,contract_type_id,effective_date'),
    ('staff_inflation_rates', 'organisation_id,staff_assumptions_id,contract_type_id,effective_date'),
    ('top_slices', 'organisation_id,location_id,budget_code_id,top_slice_table_id')
  ) AS sets (in_table, told_apart_by) LOOP
    EXECUTE format('SELECT string_agg(DISTINCT ids, ''; '') FROM (SELECT string_agg(id::text, '', '' ORDER BY id) AS ids FROM %I GROUP BY %s HAVING count(*) > 1) AS twice',
      rule.in_table, rule.told_apart_by) INTO found;
    IF found IS NOT NULL THEN
      RAISE EXCEPTION 'Rows of % stand twice (%). Delete one of each with the version before, then start this one again.', rule.in_table, found;
    END IF;
  END LOOP;
  FOR rule IN SELECT * FROM (VALUES
    ('allowances', 'organisation_id,budget_code_id', 'budget_codes', 'organisation_id,id'),
    ('apprenticeship_levies', 'organisation_id,location_id', 'locations', 'organisation_id,id'),
    ('budget_codes', 'cfr_code_id', 'financial_reporting_codes', 'id'),
    ('budget_codes', 'gag_code_id', 'financial_reporting_codes', 'id'),
    ('budget_codes', 'acoa_code_id', 'financial_reporting_codes', 'id'),
    ('budget_codes', 'custom_code_id', 'financial_reporting_codes', 'id'),
    ('budget_codes', 'main_bfr_code_id', 'bfr_codes', 'id'),
    ('budget_codes', 'secondary_bfr_code_id', 'bfr_codes', 'id'),
    ('budget_codes', 'income_type_id', 'income_types', 'id'),
    ('extended_leave_rule_sets', 'extended_leave_type_id', 'extended_leave_types', 'id'),
    ('extended_leave_rules', 'organisation_id,extended_leave_ruleset_id', 'extended_leave_rule_sets', 'organisation_id,id'),
    ('extended_leave_types', 'admin_table_id', 'admin_tables', 'id'),
    ('financial_reporting_codes', 'benchmarking_group_id', 'benchmarking_groups', 'id'),
    ('flash_messages', 'organisation_id', 'organisations', 'id'),
    ('gag_pools', 'organisation_id,gag_pool_table_id', 'gag_pool_tables', 'organisation_id,id'),
    ('gag_pools', 'organisation_id,location_id', 'locations', 'organisation_id,id'),
    ('gag_pools', 'organisation_id,budget_code_id', 'budget_codes', 'organisation_id,id'),
    ('inflation_rates', 'organisation_id,inflation_id', 'inflations', 'organisation_id,id'),
    ('inflation_rates', 'organisation_id,budget_code_id', 'budget_codes', 'organisation_id,id'),
    ('local_authority_funding_rates', 'local_authority', 'local_authorities', 'id'),
    ('local_authority_funding_rates', 'admin_table', 'admin_tables', 'id'),
    ('locations', 'organisation_id', 'organisations', 'id'),
    ('locations', 'local_authority_id', 'local_authorities', 'id'),
    ('national_insurances', 'admin_table_id', 'admin_tables', 'id'),
    ('news_articles', 'organisation_id', 'organisations', 'id'),
    ('pay_scale_points', 'admin_table_id', 'admin_tables', 'id'),
    ('reminders', 'organisation_id', 'organisations', 'id'),
    ('service_terms', 'organisation_id,basic_budget_code_id', 'budget_codes', 'organisation_id,id'),
    ('service_terms', 'organisation_id,ni_budget_code_id', 'budget_codes', 'organisation_id,id'),
    ('service_terms', 'organisation_id,pension_budget_code_id', 'budget_codes', 'organisation_id,id'),
    ('service_terms', 'organisation_id,basic_cost_centre_id', 'cost_centres', 'organisation_id,id'),
    ('service_terms', 'organisation_id,ni_cost_centre_id', 'cost_centres', 'organisation_id,id'),
    ('service_terms', 'organisation_id,pension_cost_centre_id', 'cost_centres', 'organisation_id,id'),
    ('staff_er_pension_rates', 'organisation_id,staff_assumptions_id', 'staff_assumptions', 'organisation_id,id'),
    ('staff_er_pension_rates', 'organisation_id,contract_type_id', 'contract_types', 'organisation_id,id'),
    ('staff_inflation_rates', 'organisation_id,staff_assumptions_id', 'staff_assumptions', 'organisation_id,id'),
    ('staff_inflation_rates', 'organisation_id,contract_type_id', 'contract_types', 'organisation_id,id'),
    ('student_groups', 'organisation_id,budget_code_id', 'budget_codes', 'organisation_id,id'),
    ('student_groups', 'organisation_id,cost_centre_id', 'cost_centres', 'organisation_id,id'),
    ('top_slices', 'organisation_id,top_slice_table_id', 'top_slice_tables', 'organisation_id,id'),
    ('top_slices', 'organisation_id,location_id', 'locations', 'organisation_id,id'),
    ('top_slices', 'organisation_id,budget_code_id', 'budget_codes', 'organisation_id,id'),
    ('top_slices', 'organisation_id,central_budget_code_id', 'budget_codes', 'organisation_id,id')
  ) AS keys (in_table, pointing, to_table, to_key) LOOP
    EXECUTE format('SELECT string_agg(id::text, '', '' ORDER BY id) FROM %1$I AS pointing WHERE num_nulls(%2$s) = 0 AND NOT EXISTS (SELECT FROM %3$I AS there WHERE (%4$s) = (%5$s))',
      rule.in_table, rule.pointing, rule.to_table,
      (SELECT string_agg('there.' || trim(one), ', ') FROM unnest(string_to_array(rule.to_key, ',')) AS one),
      (SELECT string_agg('pointing.' || trim(one), ', ') FROM unnest(string_to_array(rule.pointing, ',')) AS one)) INTO found;
    IF found IS NOT NULL THEN
      RAISE EXCEPTION 'Rows of % name something in % that is gone (%). Choose another there with the version before, then start this one again.', rule.in_table, rule.to_table, found;
    END IF;
  END LOOP;
END $$;
--> statement-breakpoint
ALTER TABLE "budget_codes" ADD CONSTRAINT "budget_codes_of_organisation" UNIQUE("organisation_id","id");--> statement-breakpoint
ALTER TABLE "contract_types" ADD CONSTRAINT "contract_types_of_organisation" UNIQUE("organisation_id","id");--> statement-breakpoint
ALTER TABLE "cost_centres" ADD CONSTRAINT "cost_centres_of_organisation" UNIQUE("organisation_id","id");--> statement-breakpoint
ALTER TABLE "extended_leave_rule_sets" ADD CONSTRAINT "extended_leave_rule_sets_of_organisation" UNIQUE("organisation_id","id");--> statement-breakpoint
ALTER TABLE "gag_pool_tables" ADD CONSTRAINT "gag_pool_tables_of_organisation" UNIQUE("organisation_id","id");--> statement-breakpoint
ALTER TABLE "inflations" ADD CONSTRAINT "inflations_of_organisation" UNIQUE("organisation_id","id");--> statement-breakpoint
ALTER TABLE "locations" ADD CONSTRAINT "locations_of_organisation" UNIQUE("organisation_id","id");--> statement-breakpoint
ALTER TABLE "staff_assumptions" ADD CONSTRAINT "staff_assumptions_of_organisation" UNIQUE("organisation_id","id");--> statement-breakpoint
ALTER TABLE "top_slice_tables" ADD CONSTRAINT "top_slice_tables_of_organisation" UNIQUE("organisation_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "pay_scale_points_unique_2" ON "pay_scale_points" USING btree (coalesce(organisation_id, 0),lower("scale"),"increment","admin_table_id");--> statement-breakpoint
ALTER TABLE "apprenticeship_levies" ADD CONSTRAINT "apprenticeship_levies_unique_1" UNIQUE NULLS NOT DISTINCT("organisation_id","effective_date","location_id");--> statement-breakpoint
ALTER TABLE "extended_leave_rules" ADD CONSTRAINT "extended_leave_rules_unique_1" UNIQUE NULLS NOT DISTINCT("organisation_id","extended_leave_ruleset_id","first_week");--> statement-breakpoint
ALTER TABLE "gag_pools" ADD CONSTRAINT "gag_pools_unique_1" UNIQUE NULLS NOT DISTINCT("organisation_id","location_id","gag_pool_table_id");--> statement-breakpoint
ALTER TABLE "inflation_rates" ADD CONSTRAINT "inflation_rates_unique_1" UNIQUE NULLS NOT DISTINCT("organisation_id","budget_code_id","inflation_id");--> statement-breakpoint
ALTER TABLE "local_authorities" ADD CONSTRAINT "local_authorities_unique_3" UNIQUE("number");--> statement-breakpoint
ALTER TABLE "local_authority_funding_rates" ADD CONSTRAINT "local_authority_funding_rates_unique_1" UNIQUE NULLS NOT DISTINCT("category","local_authority","admin_table");--> statement-breakpoint
ALTER TABLE "national_insurances" ADD CONSTRAINT "national_insurances_unique_1" UNIQUE NULLS NOT DISTINCT("admin_table_id","band_start","min_age","max_age","pension","apprentice");--> statement-breakpoint
ALTER TABLE "staff_er_pension_rates" ADD CONSTRAINT "staff_er_pension_rates_unique_1" UNIQUE NULLS NOT DISTINCT("organisation_id","staff_assumptions_id","contract_type_id","effective_date");--> statement-breakpoint
ALTER TABLE "staff_inflation_rates" ADD CONSTRAINT "staff_inflation_rates_unique_1" UNIQUE NULLS NOT DISTINCT("organisation_id","staff_assumptions_id","contract_type_id","effective_date");--> statement-breakpoint
ALTER TABLE "top_slices" ADD CONSTRAINT "top_slices_unique_1" UNIQUE NULLS NOT DISTINCT("organisation_id","location_id","budget_code_id","top_slice_table_id");--> statement-breakpoint
CREATE INDEX "allowances_budget_code_id" ON "allowances" USING btree ("organisation_id","budget_code_id");--> statement-breakpoint
CREATE INDEX "apprenticeship_levies_location_id" ON "apprenticeship_levies" USING btree ("organisation_id","location_id");--> statement-breakpoint
CREATE INDEX "budget_codes_cfr_code_id" ON "budget_codes" USING btree ("cfr_code_id");--> statement-breakpoint
CREATE INDEX "budget_codes_gag_code_id" ON "budget_codes" USING btree ("gag_code_id");--> statement-breakpoint
CREATE INDEX "budget_codes_acoa_code_id" ON "budget_codes" USING btree ("acoa_code_id");--> statement-breakpoint
CREATE INDEX "budget_codes_custom_code_id" ON "budget_codes" USING btree ("custom_code_id");--> statement-breakpoint
CREATE INDEX "budget_codes_main_bfr_code_id" ON "budget_codes" USING btree ("main_bfr_code_id");--> statement-breakpoint
CREATE INDEX "budget_codes_secondary_bfr_code_id" ON "budget_codes" USING btree ("secondary_bfr_code_id");--> statement-breakpoint
CREATE INDEX "budget_codes_income_type_id" ON "budget_codes" USING btree ("income_type_id");--> statement-breakpoint
CREATE INDEX "extended_leave_rule_sets_extended_leave_type_id" ON "extended_leave_rule_sets" USING btree ("extended_leave_type_id");--> statement-breakpoint
CREATE INDEX "extended_leave_types_admin_table_id" ON "extended_leave_types" USING btree ("admin_table_id");--> statement-breakpoint
CREATE INDEX "financial_reporting_codes_benchmarking_group_id" ON "financial_reporting_codes" USING btree ("benchmarking_group_id");--> statement-breakpoint
CREATE INDEX "gag_pools_gag_pool_table_id" ON "gag_pools" USING btree ("organisation_id","gag_pool_table_id");--> statement-breakpoint
CREATE INDEX "gag_pools_budget_code_id" ON "gag_pools" USING btree ("organisation_id","budget_code_id");--> statement-breakpoint
CREATE INDEX "inflation_rates_inflation_id" ON "inflation_rates" USING btree ("organisation_id","inflation_id");--> statement-breakpoint
CREATE INDEX "local_authority_funding_rates_local_authority" ON "local_authority_funding_rates" USING btree ("local_authority");--> statement-breakpoint
CREATE INDEX "local_authority_funding_rates_admin_table" ON "local_authority_funding_rates" USING btree ("admin_table");--> statement-breakpoint
CREATE INDEX "locations_local_authority_id" ON "locations" USING btree ("local_authority_id");--> statement-breakpoint
CREATE INDEX "pay_scale_points_admin_table_id" ON "pay_scale_points" USING btree ("admin_table_id");--> statement-breakpoint
CREATE INDEX "service_terms_basic_budget_code_id" ON "service_terms" USING btree ("organisation_id","basic_budget_code_id");--> statement-breakpoint
CREATE INDEX "service_terms_ni_budget_code_id" ON "service_terms" USING btree ("organisation_id","ni_budget_code_id");--> statement-breakpoint
CREATE INDEX "service_terms_pension_budget_code_id" ON "service_terms" USING btree ("organisation_id","pension_budget_code_id");--> statement-breakpoint
CREATE INDEX "service_terms_basic_cost_centre_id" ON "service_terms" USING btree ("organisation_id","basic_cost_centre_id");--> statement-breakpoint
CREATE INDEX "service_terms_ni_cost_centre_id" ON "service_terms" USING btree ("organisation_id","ni_cost_centre_id");--> statement-breakpoint
CREATE INDEX "service_terms_pension_cost_centre_id" ON "service_terms" USING btree ("organisation_id","pension_cost_centre_id");--> statement-breakpoint
CREATE INDEX "staff_er_pension_rates_contract_type_id" ON "staff_er_pension_rates" USING btree ("organisation_id","contract_type_id");--> statement-breakpoint
CREATE INDEX "staff_inflation_rates_contract_type_id" ON "staff_inflation_rates" USING btree ("organisation_id","contract_type_id");--> statement-breakpoint
CREATE INDEX "student_groups_budget_code_id" ON "student_groups" USING btree ("organisation_id","budget_code_id");--> statement-breakpoint
CREATE INDEX "student_groups_cost_centre_id" ON "student_groups" USING btree ("organisation_id","cost_centre_id");--> statement-breakpoint
CREATE INDEX "top_slices_top_slice_table_id" ON "top_slices" USING btree ("organisation_id","top_slice_table_id");--> statement-breakpoint
CREATE INDEX "top_slices_budget_code_id" ON "top_slices" USING btree ("organisation_id","budget_code_id");--> statement-breakpoint
CREATE INDEX "top_slices_central_budget_code_id" ON "top_slices" USING btree ("organisation_id","central_budget_code_id");--> statement-breakpoint
ALTER TABLE "allowances" ADD CONSTRAINT "allowances_budget_code_id_fk" FOREIGN KEY ("organisation_id","budget_code_id") REFERENCES "public"."budget_codes"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "apprenticeship_levies" ADD CONSTRAINT "apprenticeship_levies_location_id_fk" FOREIGN KEY ("organisation_id","location_id") REFERENCES "public"."locations"("organisation_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_codes" ADD CONSTRAINT "budget_codes_cfr_code_id_fk" FOREIGN KEY ("cfr_code_id") REFERENCES "public"."financial_reporting_codes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_codes" ADD CONSTRAINT "budget_codes_gag_code_id_fk" FOREIGN KEY ("gag_code_id") REFERENCES "public"."financial_reporting_codes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_codes" ADD CONSTRAINT "budget_codes_acoa_code_id_fk" FOREIGN KEY ("acoa_code_id") REFERENCES "public"."financial_reporting_codes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_codes" ADD CONSTRAINT "budget_codes_custom_code_id_fk" FOREIGN KEY ("custom_code_id") REFERENCES "public"."financial_reporting_codes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_codes" ADD CONSTRAINT "budget_codes_main_bfr_code_id_fk" FOREIGN KEY ("main_bfr_code_id") REFERENCES "public"."bfr_codes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_codes" ADD CONSTRAINT "budget_codes_secondary_bfr_code_id_fk" FOREIGN KEY ("secondary_bfr_code_id") REFERENCES "public"."bfr_codes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budget_codes" ADD CONSTRAINT "budget_codes_income_type_id_fk" FOREIGN KEY ("income_type_id") REFERENCES "public"."income_types"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
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
ALTER TABLE "top_slices" ADD CONSTRAINT "top_slices_central_budget_code_id_fk" FOREIGN KEY ("organisation_id","central_budget_code_id") REFERENCES "public"."budget_codes"("organisation_id","id") ON DELETE no action ON UPDATE no action;
