import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { resources } from '../../domain/resources/all.ts'
import type { Actor } from '../core/calls/actor.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { root } from '../core/root.ts'
import { importRows } from '../resources/import/commands.ts'
import { administrator } from './adder.ts'

const folder = join(root, 'drizzle/help')

/** A help page that ships with the product, under the headings of its import. */
export interface HelpPage extends Record<string, string> {
  Slug: string
  Title: string
  Article: string
  /** Addresses with spaces between them. */
  Screens: string
  Words: string
  Order: string
}

/**
 * The help pages that ship with the product. Each is a file called by its slug: what is known of it in a comment on top, and below it the article.
 * @throws Error when a file does not begin so
 */
export function helpPages(): HelpPage[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.html'))
    .map((file) => {
      const [, head, article] = /^<!--\n([\s\S]*?)\n-->\n([\s\S]*)$/.exec(readFileSync(join(folder, file), 'utf8')) ?? []
      if (head === undefined || article === undefined) throw new Error(`The help page ${file} does not begin with what is known of it.`)
      const known = Object.fromEntries(head.split('\n').map((line) => line.split(/:\s*(.*)/, 2)))
      return {
        Slug: file.replace(/\.html$/, ''),
        Title: String(known.title ?? ''),
        Article: article.trim(),
        Screens: String(known.screens ?? ''),
        Words: String(known.words ?? ''),
        Order: String(known.order ?? '0'),
      }
    })
}

/** Adds the help pages that are new and brings those up to date that nobody has changed; what an administrator wrote or deleted stays so. */
export async function loadHelp(tx: OrganisationTx, actor: Actor): Promise<void> {
  const touched = await tx.execute<{ slug: string }>(sql`
    select coalesce(after, before) ->> 'slug' as slug from reference_changes
    where resource = ${resources.assist.name} and actor_id is not null`)
  const own = new Set(touched.map((row) => row.slug))
  const rows = helpPages().filter((page) => !own.has(page.Slug))
  if (rows.length) await importRows({ tx, resource: resources.assist, scope: administrator, actor }, rows)
}
