SELECT set_config('app.organisation_id', '*', true);--> statement-breakpoint
-- The levy of a budget that was never given a share of the allowance is not calculated, where it has pay; it was left out before.
INSERT INTO budget_lines (organisation_id, budget_id, source_kind, source_id, component, year, amounts)
SELECT p.organisation_id, p.budget_id, 'levy', p.budget_id, 'levy', p.year,
  ARRAY(SELECT CASE WHEN p.missing[m] = 0 AND p.amounts[m] <= 0 THEN 0 END FROM generate_series(1, 12) m ORDER BY m)
FROM budget_pay p
JOIN budgets b ON b.organisation_id = p.organisation_id AND b.id = p.budget_id
WHERE (b.levy_shares IS NULL OR b.levy_shares = 'null'::jsonb) AND p.year < (b.head ->> 'numberOfYears')::int
  AND EXISTS (SELECT FROM generate_series(1, 12) m WHERE p.missing[m] > 0 OR p.amounts[m] > 0);--> statement-breakpoint
-- Open budgets that go by tables of pools or top slices and are in no group are brought up to date by recalculating them.
INSERT INTO recalculation_marks (organisation_id, budget_id, since, reason)
SELECT b.organisation_id, b.id, now(), 'What is calculated of pools and top slices'
FROM budgets b
WHERE NOT coalesce((b.head ->> 'locked')::boolean, false)
  AND (jsonb_array_length(coalesce(b.head -> 'elements' -> 'topSliceTables', '[]')) > 0 OR jsonb_array_length(coalesce(b.head -> 'elements' -> 'gagPoolTables', '[]')) > 0)
  AND NOT EXISTS (SELECT FROM budget_groups g WHERE g.organisation_id = b.organisation_id AND b.id = ANY (g.budget_ids))
ON CONFLICT DO NOTHING;
