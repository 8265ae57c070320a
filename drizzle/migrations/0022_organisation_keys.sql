-- The key of every record of an organisation leads with the organisation, so that the database can be divided by it. What is looked for by its
-- number alone has an index for that. Foreign keys stand on the keys they point to: they are taken away and made again as they were.
DO $$ DECLARE
  t text;
  pointing record;
  again text[] := '{}';
BEGIN
  FOREACH t IN ARRAY ARRAY[
    'allowances', 'analysis_tags', 'apprenticeship_levies', 'budget_codes', 'clusters', 'contract_types', 'cost_centres',
    'extended_leave_rule_sets', 'extended_leave_rules', 'fund_codes', 'gag_pool_tables', 'gag_pools', 'inflation_rates', 'inflations',
    'locations', 'payroll_codes', 'profile_templates', 'service_terms', 'staff_assumptions', 'staff_er_pension_rates',
    'staff_inflation_rates', 'staff_members', 'student_groups', 'top_slice_tables', 'top_slices', 'applied_extended_leave'] LOOP
    FOR pointing IN SELECT conname, conrelid::regclass AS relation, pg_get_constraintdef(oid) AS means FROM pg_constraint
      WHERE contype = 'f' AND confrelid = t::regclass LOOP
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', pointing.relation, pointing.conname);
      -- The five that named a record by its number alone lead with the organisation below.
      IF pointing.means LIKE 'FOREIGN KEY (organisation_id, %' THEN
        again := again || format('ALTER TABLE %s ADD CONSTRAINT %I %s', pointing.relation, pointing.conname, pointing.means);
      END IF;
    END LOOP;
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I, DROP CONSTRAINT IF EXISTS %I, ADD CONSTRAINT %I PRIMARY KEY (organisation_id, id)',
      t, t || '_pkey', t || '_of_organisation', t || '_organisation_id_id_pk');
    EXECUTE format('CREATE INDEX %I ON %I (id)', t || '_id', t);
  END LOOP;
  FOREACH t IN ARRAY again LOOP EXECUTE t; END LOOP;
END $$;
--> statement-breakpoint
ALTER TABLE "vault_keys" DROP CONSTRAINT "vault_keys_pkey", ADD CONSTRAINT "vault_keys_organisation_id_subject_pk" PRIMARY KEY ("organisation_id","subject");
--> statement-breakpoint
CREATE INDEX "vault_keys_subject" ON "vault_keys" ("subject");
--> statement-breakpoint
ALTER TABLE "terms" DROP CONSTRAINT "terms_pkey", ADD CONSTRAINT "terms_organisation_id_id_pk" PRIMARY KEY ("organisation_id","id");
--> statement-breakpoint
ALTER TABLE "payroll_lines" ADD CONSTRAINT "payroll_lines_code_fk" FOREIGN KEY ("organisation_id","payroll_code_id") REFERENCES "payroll_codes"("organisation_id","id");
--> statement-breakpoint
ALTER TABLE "payroll_provider_texts" ADD CONSTRAINT "payroll_provider_texts_code_fk" FOREIGN KEY ("organisation_id","payroll_code_id") REFERENCES "payroll_codes"("organisation_id","id") ON DELETE CASCADE;
--> statement-breakpoint
ALTER TABLE "ledger_texts"
  ADD CONSTRAINT "ledger_texts_fund_code_fk" FOREIGN KEY ("organisation_id","fund_code_id") REFERENCES "fund_codes"("organisation_id","id") ON DELETE CASCADE,
  ADD CONSTRAINT "ledger_texts_analysis_tag_fk" FOREIGN KEY ("organisation_id","analysis_tag_id") REFERENCES "analysis_tags"("organisation_id","id") ON DELETE CASCADE;
--> statement-breakpoint
ALTER TABLE "ledgers" ADD CONSTRAINT "ledgers_cost_centre_fk" FOREIGN KEY ("organisation_id","cost_centre_id") REFERENCES "cost_centres"("organisation_id","id") ON DELETE SET NULL ("cost_centre_id");
--> statement-breakpoint
-- Positions are counted by the log itself; one that is divided could not hold them to be single.
DO $$ DECLARE t text; BEGIN
  FOREACH t IN ARRAY ARRAY['budget_events', 'monitoring_events', 'payroll_events'] LOOP
    EXECUTE format('DROP INDEX %I', t || '_position');
    EXECUTE format('CREATE INDEX %I ON %I (position)', t || '_position', t);
  END LOOP;
END $$;
