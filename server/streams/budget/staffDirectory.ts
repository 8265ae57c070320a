import { and, asc, eq, gt, inArray, isNotNull, sql } from 'drizzle-orm'
import { type BulkSelection, checkColumns, compareValues, type ListRequest, type Paged, selected } from '../../../domain/lists/lists.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { type LocationId, type OrganisationId, type StaffId, toStaffId } from '../../../domain/values/ids.ts'
import { staffChanges } from '../../../drizzle/consoleTables.ts'
import { staffMembers, vaultKeys } from '../../../drizzle/schema.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { type DataVersion, dataVersion, isCurrent } from '../../core/database/dataVersion.ts'
import { unsealKey } from '../../core/database/vault.ts'
import { sortInTurns } from '../../core/inTurns.ts'
import { createYielder } from '../../core/yielding.ts'
import { openMember, type StaffMember, worksAt } from './people.ts'

/*
 * Who a person is stands sealed with a key for each person, so the database can neither search nor sort by it, and must not be able to: an
 * index of names, or of their order, would outlive the key that erases the person. A server therefore keeps the people of the organisations
 * that are being worked in, opened, in its memory, under the count of changes that the database keeps: a page of people or contracts costs
 * the reading of that count. After a change only the people that changed are read and opened again, in parts, so that nobody waits.
 *
 * Erasing a person removes the key, which is a change like any other: the next look drops the person here too. Nothing is kept of an
 * organisation for longer than five minutes after the last look, and of all of them together no more people than `mostPeople`, so a person
 * who was erased is in no process's memory for longer than that, looked at or not.
 */
const idleMs = 5 * 60_000
const mostPeople = 200_000
const peoplePerTurn = 250
const idsPerTurn = 2000

/** With more changes than this, sorting anew costs no more than putting each in its place. */
const mostMoved = 500

interface Kept {
  version: DataVersion
  directory: StaffDirectory
  timer: NodeJS.Timeout
}

const kept = new Map<number, Kept>()

type Order = (a: StaffMember, b: StaffMember) => number

/** By a field of people, or by `name` as lists of contracts show it. */
function orderBy(field: string): Order {
  const fieldOf = (member: StaffMember): unknown => (field === 'name' ? listedName(member) : Reflect.get(member, field))
  return (a, b) => compareValues(fieldOf(a), fieldOf(b)) || a.id - b.id
}

/** The people of an organisation, opened, as they stand at one moment. */
export class StaffDirectory {
  readonly people: ReadonlyMap<StaffId, StaffMember>
  readonly #orders: Map<string, Promise<readonly StaffMember[]>>
  readonly #ranks = new Map<string, ReadonlyMap<number, number>>()

  constructor(people: ReadonlyMap<StaffId, StaffMember>, orders: readonly (readonly [string, Promise<readonly StaffMember[]>])[] = []) {
    this.people = people
    this.#orders = new Map(orders)
  }

  /** The same people but for some who changed: null for those who are gone. Everybody else stays in the order that was sorted before. */
  with(changed: ReadonlyMap<StaffId, StaffMember | null>): StaffDirectory {
    const people = new Map(this.people)
    for (const [id, member] of changed) {
      if (member) people.set(id, member)
      else people.delete(id)
    }
    if (changed.size > mostMoved) return new StaffDirectory(people)
    const present = [...changed.values()].filter((member) => member !== null)
    const orders = [...this.#orders].map(([field, sorted]) => {
      const moved = sorted.then((members) => {
        const stayed = members.filter((member) => !changed.has(member.id))
        for (const member of present) stayed.splice(placeOf(stayed, member, orderBy(field)), 0, member)
        return stayed
      })
      return [field, moved] as const
    })
    return new StaffDirectory(people, orders)
  }

  /** Whose employee number, or name as lists of contracts show it, contains a text in small letters. */
  holdersNamed(wanted: string): StaffMember[] {
    return [...this.people.values()].filter((member) => holderText(member).includes(wanted))
  }

  /** Who works at some locations, null: at any, and has every one of some words in small letters in their number, names or e-mail. Nobody who was erased. */
  named(words: readonly string[], locationIds: readonly LocationId[] | null): StaffMember[] {
    return [...this.people.values()].filter(
      (member) => !member.erased && worksAt(member, locationIds) && words.every((word) => searchedIn(member).includes(word)),
    )
  }

  /** Everybody by a field of theirs, or by `name`. */
  inOrder(field: string): Promise<readonly StaffMember[]> {
    const known = this.#orders.get(field)
    if (known) return known
    const sorted = sortInTurns([...this.people.values()], orderBy(field))
    this.#orders.set(field, sorted)
    return sorted
  }

  /** The place of everybody in such an order. */
  async ranks(field: string): Promise<ReadonlyMap<number, number>> {
    const known = this.#ranks.get(field)
    if (known) return known
    const ranks = new Map((await this.inOrder(field)).map((member, rank) => [member.id, rank]))
    this.#ranks.set(field, ranks)
    return ranks
  }

  /** One page of those who work at some locations; null: at any. */
  async page(request: Partial<ListRequest>, locationIds: readonly LocationId[] | null): Promise<Paged<StaffMember>> {
    checkColumns(request, Object.keys(anybody))
    const sort = request.sort || 'surname'
    const wanted = request.search?.trim().toLowerCase()
    const present = (await this.inOrder(sort)).filter(
      (member) => worksAt(member, locationIds) && (!wanted || searchedIn(member).includes(wanted)),
    )
    const found = selected(present, { filters: request.filters }, [])
    if (request.sortDirection === 'desc') found.reverse()
    const size = request.pageSize ?? found.length
    const start = ((request.pageNumber ?? 1) - 1) * size
    return { rows: found.slice(start, start + size), total: found.length }
  }

  /** The people that a bulk action takes. @returns null when one that is named is not among those of the locations */
  async chosen({ state, ...selection }: BulkSelection, locationIds: readonly LocationId[] | null): Promise<StaffMember[] | null> {
    const toggled = new Set(state.toggledNodes.map((node) => toStaffId(Number(node))))
    if (state.selectAll) {
      const { rows } = await this.page(selection, locationIds)
      return rows.filter((member) => !toggled.has(member.id))
    }
    const named = [...toggled].flatMap((id) => this.people.get(id) ?? []).filter((member) => worksAt(member, locationIds))
    return named.length < toggled.size ? null : named
  }
}

/** The fields that lists of people can be sorted by. */
const anybody: Record<keyof StaffMember, true> = {
  id: true,
  version: true,
  created: true,
  employeeNumber: true,
  niNumber: true,
  title: true,
  forename: true,
  surname: true,
  gender: true,
  dateOfBirth: true,
  continuousServiceDate: true,
  email: true,
  archive: true,
  locations: true,
  erased: true,
}

/** A text in small letters about each person, worked out once for as long as the person does not change. */
function textOf(parts: (member: StaffMember) => (string | null)[]): (member: StaffMember) => string {
  const texts = new WeakMap<StaffMember, string>()
  return (member) => {
    const known = texts.get(member)
    if (known !== undefined) return known
    const text = parts(member).join('\n').toLowerCase()
    texts.set(member, text)
    return text
  }
}

const searchedIn = textOf(({ employeeNumber, forename, surname, email }) => [employeeNumber, forename, surname, email])
const holderText = textOf((member) => [member.employeeNumber, listedName(member)])

/** Where somebody belongs among people in order. */
function placeOf(sorted: readonly StaffMember[], member: StaffMember, order: Order): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (order(assertDefined(sorted[middle]), member) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** A person as lists of contracts name them. */
export function listedName({ surname, forename }: Pick<StaffMember, 'surname' | 'forename'>): string {
  return `${surname}, ${forename}`
}

/** The people of an organisation as the transaction sees them. */
export async function staffDirectory(tx: OrganisationTx, organisationId: OrganisationId): Promise<StaffDirectory> {
  const version = await dataVersion(tx, organisationId, 'staff')
  const known = kept.get(organisationId)
  const before = known?.version.place === version.place ? known : undefined
  const directory =
    before && isCurrent(before.version, version)
      ? before.directory
      : before && version.isForAll && before.version.own < version.own
        ? before.directory.with(await changedSince(tx, organisationId, before.version.own))
        : new StaffDirectory(await readPeople(tx, organisationId, before?.directory.people ?? new Map()))
  if (version.isForAll) keep(organisationId, version, directory)
  return directory
}

/** Who changed after a count of changes: null for those who are gone. */
async function changedSince(tx: OrganisationTx, organisationId: OrganisationId, after: number): Promise<Map<StaffId, StaffMember | null>> {
  const rows = await tx
    .select({ id: staffChanges.staffId })
    .from(staffChanges)
    .where(and(eq(staffChanges.organisationId, organisationId), gt(staffChanges.version, after)))
  const changed = new Map<StaffId, StaffMember | null>(rows.map(({ id }) => [id, null]))
  for (const member of await openPeople(tx, organisationId, [...changed.keys()])) changed.set(member.id, member)
  return changed
}

function keep(organisationId: OrganisationId, version: DataVersion, directory: StaffDirectory): void {
  clearTimeout(kept.get(organisationId)?.timer)
  kept.delete(organisationId)
  const timer = setTimeout(() => kept.delete(organisationId), idleMs).unref()
  kept.set(organisationId, { version, directory, timer })
  let people = [...kept.values()].reduce((sum, one) => sum + one.directory.people.size, 0)
  for (const [oldest, one] of kept) {
    if (people <= mostPeople || oldest === organisationId) break
    clearTimeout(one.timer)
    kept.delete(oldest)
    people -= one.directory.people.size
  }
}

/** Reads everybody, opening only those who are not known as they stand. */
async function readPeople(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  known: ReadonlyMap<StaffId, StaffMember>,
): Promise<Map<StaffId, StaffMember>> {
  const people = new Map<StaffId, StaffMember>()
  const missing: StaffId[] = []
  for (let after = toStaffId(0), isMore = true; isMore; ) {
    const rows = await tx
      .select({
        id: staffMembers.id,
        version: staffMembers.version,
        hasKey: sql<boolean>`${isNotNull(vaultKeys.subject)}`,
      })
      .from(staffMembers)
      .leftJoin(vaultKeys, eq(vaultKeys.subject, staffMembers.subject))
      .where(and(eq(staffMembers.organisationId, organisationId), gt(staffMembers.id, after)))
      .orderBy(asc(staffMembers.id))
      .limit(idsPerTurn)
    for (const { id, version, hasKey } of rows) {
      const member = known.get(id)
      if (member && member.version === version && member.erased === !hasKey) people.set(id, member)
      else missing.push(id)
    }
    after = rows.at(-1)?.id ?? toStaffId(0)
    isMore = rows.length === idsPerTurn
  }
  for (const member of await openPeople(tx, organisationId, missing)) people.set(member.id, member)
  return people
}

/** Some people by id, opened in parts. */
async function openPeople(tx: OrganisationTx, organisationId: OrganisationId, ids: readonly StaffId[]): Promise<StaffMember[]> {
  const people: StaffMember[] = []
  const breathe = createYielder()
  for (let start = 0; start < ids.length; start += peoplePerTurn) {
    const rows = await tx
      .select({ member: staffMembers, key: vaultKeys.key })
      .from(staffMembers)
      .leftJoin(vaultKeys, eq(vaultKeys.subject, staffMembers.subject))
      .where(and(eq(staffMembers.organisationId, organisationId), inArray(staffMembers.id, ids.slice(start, start + peoplePerTurn))))
    for (const { member, key } of rows) {
      people.push(openMember(member, key ? unsealKey(tx, member.subject, key) : undefined))
      await breathe()
    }
  }
  return people
}
