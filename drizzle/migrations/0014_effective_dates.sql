ALTER TABLE "admin_tables" ADD COLUMN "effective_date" date;--> statement-breakpoint
-- Until now the date of a table stood in its name only: it is read from there once. Funding of 2026/27 begins by September 2026, which lies in
-- that budget year whether it begins in April or in September.
SELECT set_config('app.organisation_id', '*', true);--> statement-breakpoint
UPDATE admin_tables SET effective_date = CASE
  WHEN type = 5 THEN (substring(name FROM '\m(20\d\d)/\d\d\M') || '-09-01')::date
  WHEN name ~* 'sept?' THEN (substring(name FROM '\m20\d\d\M') || '-09-01')::date
  WHEN name ~ '\d/\d\d' THEN (substring(name FROM '\m20\d\d\M') || '-04-06')::date
  WHEN name ~* '\m(jan|feb|mar|apr|may|jun|jul|aug|oct|nov|dec)[a-z]*\s+20\d\d\M'
    THEN to_date('01 ' || substring(name FROM '(?i)\m((?:jan|feb|mar|apr|may|jun|jul|aug|oct|nov|dec))[a-z]*\s+20\d\d\M') || ' ' || substring(name FROM '\m20\d\d\M'), 'DD Mon YYYY')
END;
