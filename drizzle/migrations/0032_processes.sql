CREATE TABLE "backups" (
	"made_at" timestamp with time zone PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE "processes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"version" text NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"clock_seconds" double precision NOT NULL
);
--> statement-breakpoint
ALTER TABLE processes ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE processes FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
-- Which processes run belongs to no organisation.
CREATE POLICY everybodys ON processes USING (true) WITH CHECK (true);
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON processes TO bursar_app;
--> statement-breakpoint
ALTER TABLE backups ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE backups FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
-- Everybody may read when backups were made; only the owner, who makes them, records them.
CREATE POLICY everyone_reads ON backups FOR SELECT USING (true);
--> statement-breakpoint
CREATE POLICY owner_writes ON backups USING (session_user <> 'bursar_app') WITH CHECK (session_user <> 'bursar_app');
--> statement-breakpoint
GRANT SELECT ON backups TO bursar_app;
