import { and, eq, inArray } from 'drizzle-orm'
import type { Comment, CommentKind } from '../../../../domain/budget/items/comment.ts'
import { either, type Permission, readingComments } from '../../../../domain/permissions.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { budgetItems } from '../../../../drizzle/costTables.ts'
import { staffContracts } from '../../../../drizzle/schema.ts'
import { listedName, staffDirectory } from '../../../core/budget/staffDirectory.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { rowsOf } from '../../../core/database/tables.ts'

type About = Comment['about']

/** Any one of these lets somebody read what is said of such a thing. */
export function readersOf(kind: CommentKind): readonly Permission[] {
  return kind === 'contract' ? either('BudgetingStaffing') : readingComments
}

/** What the things are called that comments are about; of a contract who holds it, for nobody else than who may see staff is told of those. */
export async function thingNames(
  tx: OrganisationTx,
  organisationId: number,
  abouts: readonly About[],
): Promise<(about: About) => string | null> {
  const refs = (kind: CommentKind): string[] => [...new Set(abouts.filter((one) => one.kind === kind).flatMap(({ ref }) => ref ?? []))]
  const names = new Map<string, string>()
  const [contracts, entries, codes] = [refs('contract'), refs('entry'), refs('code')]
  if (contracts.length) {
    const { people } = await staffDirectory(tx, organisationId)
    for (const { id, staffId, name, position } of await tx
      .select({
        id: staffContracts.id,
        staffId: staffContracts.staffId,
        name: staffContracts.contractName,
        position: staffContracts.position,
      })
      .from(staffContracts)
      .where(and(eq(staffContracts.organisationId, organisationId), inArray(staffContracts.id, contracts)))) {
      const person = staffId === null ? undefined : people.get(staffId)
      names.set(`contract ${id}`, [person && listedName(person), position ?? name].filter(Boolean).join(' · '))
    }
  }
  if (entries.length)
    for (const row of await tx
      .select({ id: budgetItems.id, name: budgetItems.description })
      .from(budgetItems)
      .where(and(eq(budgetItems.organisationId, organisationId), eq(budgetItems.kind, 'entry'), inArray(budgetItems.id, entries))))
      names.set(`entry ${row.id}`, row.name ?? '')
  const known = codes.filter((ref) => /^\d{1,9}$/.test(ref)).map(Number)
  for (const row of await rowsOf(tx, resources.budgetCode, 'id', known)) names.set(`code ${row.id}`, `${row.code} ${row.description}`)
  return ({ kind, ref }) => names.get(`${kind} ${ref}`) ?? null
}
