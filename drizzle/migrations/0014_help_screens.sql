ALTER TABLE "assist_articles" ADD COLUMN "screens" text;--> statement-breakpoint
ALTER TABLE "assist_articles" ADD COLUMN "words" text;