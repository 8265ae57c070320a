CREATE TABLE "restore_rehearsals" (
	"made_at" timestamp with time zone PRIMARY KEY NOT NULL,
	"problem" text
);

--> statement-breakpoint
ALTER TABLE restore_rehearsals ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
ALTER TABLE restore_rehearsals FORCE ROW LEVEL SECURITY;
--> statement-breakpoint
-- Everybody may read how rehearsals ended; only the owner, who carries them out, records them.
CREATE POLICY everyone_reads ON restore_rehearsals FOR SELECT USING (true);
--> statement-breakpoint
CREATE POLICY owner_writes ON restore_rehearsals USING (session_user <> 'bursar_app') WITH CHECK (session_user <> 'bursar_app');
--> statement-breakpoint
GRANT SELECT ON restore_rehearsals TO bursar_app;
