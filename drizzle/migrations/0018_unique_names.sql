-- Names that stand twice stay: the later ones are told apart by a number behind them, `4300-2`, so that people see and change them; the change log says so.
SELECT set_config('app.organisation_id', '*', true);--> statement-breakpoint
DO $$ DECLARE named record; renamed integer; BEGIN
  FOR named IN SELECT * FROM (VALUES
    ('admin_tables', 'name', 'lower(name),type', 'adminTable', 'name'),
    ('allowances', 'name', 'organisation_id,lower(name)', 'allowance', 'name'),
    ('analysis_tags', 'name', 'organisation_id,lower(name)', 'analysisTag', 'name'),
    ('assist_articles', 'slug', 'lower(slug)', 'assist', 'slug'),
    ('benchmarking_groups', 'name', 'lower(name)', 'benchmarkingGroup', 'name'),
    ('bfr_codes', 'code', 'lower(code),type', 'bFRCode', 'code'),
    ('budget_codes', 'code', 'organisation_id,lower(code)', 'budgetCode', 'code'),
    ('clusters', 'name', 'organisation_id,lower(name)', 'cluster', 'name'),
    ('contract_types', 'name', 'organisation_id,lower(name)', 'contractType', 'name'),
    ('cost_centres', 'code', 'organisation_id,lower(code)', 'costCentre', 'code'),
    ('extended_leave_rule_sets', 'name', 'organisation_id,lower(name)', 'extendedLeaveRuleSet', 'name'),
    ('extended_leave_types', 'name', 'lower(name),admin_table_id', 'extendedLeaveType', 'name'),
    ('financial_reporting_codes', 'code', 'coalesce(organisation_id, 0),lower(code),type', 'financialReportingCode', 'code'),
    ('fund_codes', 'code', 'organisation_id,lower(code)', 'fundCode', 'code'),
    ('gag_pool_tables', 'name', 'organisation_id,lower(name)', 'gagPoolTable', 'name'),
    ('income_types', 'name', 'lower(name)', 'incomeType', 'name'),
    ('inflations', 'name', 'organisation_id,lower(name)', 'inflation', 'name'),
    ('local_authorities', 'code', 'lower(code)', 'localAuthority', 'code'),
    ('local_authorities', 'name', 'lower(name)', 'localAuthority', 'name'),
    ('locations', 'name', 'organisation_id,lower(name)', 'location', 'name'),
    ('locations', 'dfe_number', 'organisation_id,lower(dfe_number)', 'location', 'dfeNumber'),
    ('locations', 'reference_number', 'organisation_id,lower(reference_number)', 'location', 'referenceNumber'),
    ('locations', 'budget_code_filter', 'organisation_id,lower(budget_code_filter)', 'location', 'budgetCodeFilter'),
    ('locations', 'payroll_rec_id', 'organisation_id,lower(payroll_rec_id)', 'location', 'payrollRecId'),
    ('organisations', 'name', 'lower(name)', 'organisation', 'name'),
    ('organisations', 'unique_group_identifier', 'lower(unique_group_identifier)', 'organisation', 'uniqueGroupIdentifier'),
    ('pay_scale_points', 'point', 'coalesce(organisation_id, 0),lower(scale),lower(point),admin_table_id', 'payScalePoint', 'point'),
    ('payroll_codes', 'code', 'organisation_id,lower(code)', 'payrollCode', 'code'),
    ('profile_templates', 'name', 'organisation_id,lower(name)', 'profileTemplate', 'name'),
    ('service_terms', 'code', 'organisation_id,lower(code)', 'serviceTerm', 'code'),
    ('staff_assumptions', 'name', 'organisation_id,lower(name)', 'staffAssumptions', 'name'),
    ('student_groups', 'code', 'organisation_id,lower(code)', 'studentGroup', 'code'),
    ('top_slice_tables', 'name', 'organisation_id,lower(name)', 'topSliceTable', 'name'),
    ('user_groups', 'name', 'lower(name)', 'userGroup', 'name')
  ) AS sets (in_table, name, told_apart_by, resource, field) LOOP
    LOOP
      EXECUTE format(
        'WITH renamed AS (
          UPDATE %1$I AS record SET %2$I = record.%2$I || ''-'' || same.place, version = record.version + 1
          FROM (SELECT id, row_number() OVER (PARTITION BY %3$s ORDER BY id) AS place FROM %1$I WHERE %2$I IS NOT NULL) AS same
          WHERE same.id = record.id AND same.place > 1 RETURNING record.id, record.%2$I AS name, record.version
        ), said AS (
          SELECT DISTINCT ON (record_id) organisation_id, resource, record_id, after FROM reference_changes
          WHERE resource = %4$L AND record_id IN (SELECT id::text FROM renamed) ORDER BY record_id, id DESC
        ), logged AS (
          INSERT INTO reference_changes (organisation_id, resource, record_id, version, action, before, after, actor_id, request_id)
          SELECT organisation_id, resource, record_id, renamed.version, ''updated'', after,
            after || jsonb_build_object(%5$L, renamed.name, ''version'', renamed.version), NULL, ''unique names''
          FROM said JOIN renamed ON renamed.id::text = record_id WHERE after IS NOT NULL
        ) SELECT count(*) FROM renamed',
        named.in_table, named.name, named.told_apart_by, named.resource, named.field) INTO renamed;
      EXIT WHEN renamed = 0;
    END LOOP;
  END LOOP;
END $$;--> statement-breakpoint
SET CONSTRAINTS ALL IMMEDIATE;--> statement-breakpoint
ALTER TABLE "user_groups" DROP CONSTRAINT "user_groups_name_unique";--> statement-breakpoint
CREATE UNIQUE INDEX "admin_tables_unique_1" ON "admin_tables" USING btree (lower("name"),"type");--> statement-breakpoint
CREATE UNIQUE INDEX "allowances_unique_1" ON "allowances" USING btree (organisation_id,lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "analysis_tags_unique_1" ON "analysis_tags" USING btree (organisation_id,lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "assist_articles_unique_1" ON "assist_articles" USING btree (lower("slug"));--> statement-breakpoint
CREATE UNIQUE INDEX "benchmarking_groups_unique_1" ON "benchmarking_groups" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "bfr_codes_unique_1" ON "bfr_codes" USING btree (lower("code"),"type");--> statement-breakpoint
CREATE UNIQUE INDEX "budget_codes_unique_1" ON "budget_codes" USING btree (organisation_id,lower("code"));--> statement-breakpoint
CREATE UNIQUE INDEX "clusters_unique_1" ON "clusters" USING btree (organisation_id,lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "contract_types_unique_1" ON "contract_types" USING btree (organisation_id,lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "cost_centres_unique_1" ON "cost_centres" USING btree (organisation_id,lower("code"));--> statement-breakpoint
CREATE UNIQUE INDEX "extended_leave_rule_sets_unique_1" ON "extended_leave_rule_sets" USING btree (organisation_id,lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "extended_leave_types_unique_1" ON "extended_leave_types" USING btree (lower("name"),"admin_table_id");--> statement-breakpoint
CREATE UNIQUE INDEX "financial_reporting_codes_unique_1" ON "financial_reporting_codes" USING btree (coalesce(organisation_id, 0),lower("code"),"type");--> statement-breakpoint
CREATE UNIQUE INDEX "fund_codes_unique_1" ON "fund_codes" USING btree (organisation_id,lower("code"));--> statement-breakpoint
CREATE UNIQUE INDEX "gag_pool_tables_unique_1" ON "gag_pool_tables" USING btree (organisation_id,lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "income_types_unique_1" ON "income_types" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "inflations_unique_1" ON "inflations" USING btree (organisation_id,lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "local_authorities_unique_1" ON "local_authorities" USING btree (lower("code"));--> statement-breakpoint
CREATE UNIQUE INDEX "local_authorities_unique_2" ON "local_authorities" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "locations_unique_1" ON "locations" USING btree (organisation_id,lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "locations_unique_2" ON "locations" USING btree (organisation_id,lower("dfe_number"));--> statement-breakpoint
CREATE UNIQUE INDEX "locations_unique_3" ON "locations" USING btree (organisation_id,lower("reference_number"));--> statement-breakpoint
CREATE UNIQUE INDEX "locations_unique_4" ON "locations" USING btree (organisation_id,lower("budget_code_filter"));--> statement-breakpoint
CREATE UNIQUE INDEX "locations_unique_5" ON "locations" USING btree (organisation_id,lower("payroll_rec_id"));--> statement-breakpoint
CREATE UNIQUE INDEX "organisations_unique_1" ON "organisations" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "organisations_unique_2" ON "organisations" USING btree (lower("unique_group_identifier"));--> statement-breakpoint
CREATE UNIQUE INDEX "pay_scale_points_unique_1" ON "pay_scale_points" USING btree (coalesce(organisation_id, 0),lower("scale"),lower("point"),"admin_table_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payroll_codes_unique_1" ON "payroll_codes" USING btree (organisation_id,lower("code"));--> statement-breakpoint
CREATE UNIQUE INDEX "profile_templates_unique_1" ON "profile_templates" USING btree (organisation_id,lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "service_terms_unique_1" ON "service_terms" USING btree (organisation_id,lower("code"));--> statement-breakpoint
CREATE UNIQUE INDEX "staff_assumptions_unique_1" ON "staff_assumptions" USING btree (organisation_id,lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "student_groups_unique_1" ON "student_groups" USING btree (organisation_id,lower("code"));--> statement-breakpoint
CREATE UNIQUE INDEX "top_slice_tables_unique_1" ON "top_slice_tables" USING btree (organisation_id,lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "user_groups_unique_1" ON "user_groups" USING btree (lower("name"));