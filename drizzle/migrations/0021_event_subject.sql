-- What an event is about as a column: under row-level security an index of an expression is passed over, as the expression is not leakproof.
DROP INDEX "budget_events_about";--> statement-breakpoint
ALTER TABLE "budget_events" ADD COLUMN "about" text GENERATED ALWAYS AS (data ->> 'id') STORED;--> statement-breakpoint
CREATE INDEX "budget_events_about" ON "budget_events" USING btree ("organisation_id","budget_id","about","version") WHERE about is not null;
