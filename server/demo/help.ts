import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { resources } from '../../domain/resources/all.ts'
import type { Actor } from '../core/calls/actor.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { root } from '../core/root.ts'
import { importRows } from '../resources/import/commands.ts'
import { nationalScope } from './recordAdder.ts'

const folder = join(root, 'drizzle/help')

export interface HelpPage extends Record<string, string> {
  Slug: string
  Title: string
  Article: string
  /** Paths of screens, separated by spaces. */
  Screens: string
  Words: string
  Order: string
}

/**
 * Reads the help pages shipped with the product. Each file is named after its slug and has a comment with its properties, followed by the
 * article.
 * @throws Error if a file does not start with that comment
 */
export function readHelpPages(): HelpPage[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.html'))
    .map((file) => {
      const [, head, article] = /^<!--\n([\s\S]*?)\n-->\n([\s\S]*)$/.exec(readFileSync(join(folder, file), 'utf8')) ?? []
      if (head === undefined || article === undefined) throw new Error(`The help page ${file} does not begin with what is known of it.`)
      const properties = Object.fromEntries(head.split('\n').map((line) => line.split(/:\s*(.*)/, 2)))
      return {
        Slug: file.replace(/\.html$/, ''),
        Title: String(properties.title ?? ''),
        Article: article.trim(),
        Screens: String(properties.screens ?? ''),
        Words: String(properties.words ?? ''),
        Order: String(properties.order ?? '0'),
      }
    })
}

/** Adds new help pages and updates unchanged ones. Pages that an administrator edited or deleted are left alone. */
export async function loadHelp(tx: OrganisationTx, actor: Actor): Promise<void> {
  const touched = await tx.execute<{ slug: string }>(sql`
    select coalesce(after, before) ->> 'slug' as slug from reference_changes
    where resource = ${resources.assist.name} and actor_id is not null`)
  const editedSlugs = new Set(touched.map((row) => row.slug))
  const rows = readHelpPages().filter((page) => !editedSlugs.has(page.Slug))
  if (rows.length) await importRows({ tx, resource: resources.assist, scope: nationalScope, actor }, rows)
}
