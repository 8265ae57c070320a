ALTER TABLE "users" ADD COLUMN "salt" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "erased_at" timestamp with time zone;
--> statement-breakpoint
-- As before, but keys of the platform, which are those of users, are not counted: nobody keeps users in memory.
CREATE OR REPLACE FUNCTION count_data_version() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE changed record; owner integer; place text; person integer;
BEGIN
  IF TG_OP = 'DELETE' THEN changed := OLD; ELSE changed := NEW; END IF;
  IF TG_ARGV[1] = 'organisation' THEN owner := changed.id; ELSIF TG_ARGV[1] = 'own' THEN owner := changed.organisation_id; END IF;
  IF owner = 0 AND TG_TABLE_NAME = 'vault_keys' THEN RETURN NULL; END IF;
  place := format('app.counted_%s_%s', TG_ARGV[0], coalesce(owner::text, 'national'));
  IF coalesce(current_setting(place, true), '') = '' THEN
    INSERT INTO data_versions (organisation_id, subject, version) VALUES (owner, TG_ARGV[0], 1)
      ON CONFLICT ON CONSTRAINT data_versions_subject DO UPDATE SET version = data_versions.version + 1;
    PERFORM set_config(place, '1', true);
  END IF;
  IF TG_TABLE_NAME = 'staff_members' THEN person := changed.id;
  ELSIF TG_TABLE_NAME = 'vault_keys' AND TG_OP <> 'INSERT' THEN SELECT id INTO person FROM staff_members WHERE subject = changed.subject;
  END IF;
  IF person IS NOT NULL THEN
    INSERT INTO staff_changes AS known (organisation_id, staff_id, version)
    SELECT owner, person, version FROM data_versions WHERE organisation_id = owner AND subject = TG_ARGV[0]
    ON CONFLICT (organisation_id, staff_id) DO UPDATE SET version = excluded.version WHERE known.version < excluded.version;
  END IF;
  RETURN NULL;
END $$;
