import { and, asc, eq, gt, inArray, isNotNull, sql } from 'drizzle-orm'
import {
  type BulkSelection,
  compareValues,
  filterRows,
  type ListRequest,
  type Paged,
  refuseUnknownColumns,
} from '../../../domain/lists/lists.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { type LocationId, type OrganisationId, type StaffId, toStaffId } from '../../../domain/values/ids.ts'
import { staffChangeVersions } from '../../../drizzle/consoleTables.ts'
import { staffMembers, vaultKeys } from '../../../drizzle/schema.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { type DataVersion, isVersionCurrent, readDataVersion } from '../../core/database/dataVersion.ts'
import { unsealKey } from '../../core/database/vault.ts'
import { sortWithYields } from '../../core/inTurns.ts'
import { createYielder } from '../../core/yielding.ts'
import { decryptStaffMember, type StaffMember, worksAt } from './people.ts'

/*
 * Personal details are encrypted with a key for each person, so the database cannot search or sort by them. It also must not be able to: an
 * index of names, or of their order, would remain after the key is deleted to erase the person. A server therefore caches the decrypted
 * people of the organisations in use, together with the database's change counter, so a page of people or contracts reads only that
 * counter. After a change, only the changed people are read and decrypted, in batches that do not block other requests.
 *
 * Erasing a person deletes the key, which counts as a change, so the next read removes the person from the cache. An organisation that
 * nobody uses is removed from the cache after five minutes, so an erased person stays in no process's memory for longer than that. The
 * cache holds at most `maxPeople` people.
 */
const idleMs = 5 * 60_000
const maxPeople = 200_000
const peoplePerTurn = 250
const idsPerBatch = 2000

/** Above this number of changes, sorting the whole list again is faster than moving each changed person. */
const maxMovedPeople = 500

interface CachedDirectory {
  version: DataVersion
  directory: StaffDirectory
  timer: NodeJS.Timeout
}

const directories = new Map<number, CachedDirectory>()

type StaffOrder = (a: StaffMember, b: StaffMember) => number

/** Compares people by a field, or by `name` as contract lists show it. */
function createOrder(field: string): StaffOrder {
  const fieldOf = (member: StaffMember): unknown => (field === 'name' ? formatListedName(member) : Reflect.get(member, field))
  return (a, b) => compareValues(fieldOf(a), fieldOf(b)) || a.id - b.id
}

/** The staff of an organisation at one version, decrypted. Immutable. */
export class StaffDirectory {
  readonly people: ReadonlyMap<StaffId, StaffMember>
  readonly #orders: Map<string, Promise<readonly StaffMember[]>>
  readonly #ranks = new Map<string, ReadonlyMap<number, number>>()

  constructor(people: ReadonlyMap<StaffId, StaffMember>, orders: readonly (readonly [string, Promise<readonly StaffMember[]>])[] = []) {
    this.people = people
    this.#orders = new Map(orders)
  }

  /**
   * Returns a directory with some people changed, or removed where the value is null. Existing sort orders are
   * adjusted, not rebuilt.
   */
  withChanges(changed: ReadonlyMap<StaffId, StaffMember | null>): StaffDirectory {
    const people = new Map(this.people)
    for (const [id, member] of changed) {
      if (member) people.set(id, member)
      else people.delete(id)
    }
    if (changed.size > maxMovedPeople) return new StaffDirectory(people)
    const present = [...changed.values()].filter((member) => member !== null)
    const orders = [...this.#orders].map(([field, sorted]) => {
      const moved = sorted.then((members) => {
        const unchanged = members.filter((member) => !changed.has(member.id))
        for (const member of present) unchanged.splice(findPosition(unchanged, member, createOrder(field)), 0, member)
        return unchanged
      })
      return [field, moved] as const
    })
    return new StaffDirectory(people, orders)
  }

  /** Finds people whose employee number or listed name contains a lower-case text. */
  findByNumberOrName(wanted: string): StaffMember[] {
    return [...this.people.values()].filter((member) => holderText(member).includes(wanted))
  }

  /**
   * Finds people at some locations (null: all) whose number, names or e-mail contain every one of some lower-case
   * words. Erased people are left out.
   */
  searchActive(words: readonly string[], locationIds: readonly LocationId[] | null): StaffMember[] {
    return [...this.people.values()].filter(
      (member) => !member.erased && worksAt(member, locationIds) && words.every((word) => searchText(member).includes(word)),
    )
  }

  /** Returns everyone sorted by a field, or by `name`. */
  sortBy(field: string): Promise<readonly StaffMember[]> {
    const cached = this.#orders.get(field)
    if (cached) return cached
    const sorted = sortWithYields([...this.people.values()], createOrder(field))
    this.#orders.set(field, sorted)
    return sorted
  }

  /** Returns the position of each person in the order of a field. */
  async rankBy(field: string): Promise<ReadonlyMap<number, number>> {
    const cached = this.#ranks.get(field)
    if (cached) return cached
    const ranks = new Map((await this.sortBy(field)).map((member, rank) => [member.id, rank]))
    this.#ranks.set(field, ranks)
    return ranks
  }

  /** Returns one page of the people at some locations (null: all). */
  async selectPage(request: Partial<ListRequest>, locationIds: readonly LocationId[] | null): Promise<Paged<StaffMember>> {
    refuseUnknownColumns(request, Object.keys(sortableFields))
    const sort = request.sort || 'surname'
    const wanted = request.search?.trim().toLowerCase()
    const present = (await this.sortBy(sort)).filter(
      (member) => worksAt(member, locationIds) && (!wanted || searchText(member).includes(wanted)),
    )
    const matching = filterRows(present, { filters: request.filters }, [])
    if (request.sortDirection === 'desc') matching.reverse()
    const size = request.pageSize ?? matching.length
    const start = ((request.pageNumber ?? 1) - 1) * size
    return { rows: matching.slice(start, start + size), total: matching.length }
  }

  /**
   * Returns the people that a bulk action selects.
   * @returns null if a selected person does not work at these locations
   */
  async selectForBulk({ state, ...selection }: BulkSelection, locationIds: readonly LocationId[] | null): Promise<StaffMember[] | null> {
    const toggled = new Set(state.toggledNodes.map((node) => toStaffId(Number(node))))
    if (state.selectAll) {
      const { rows } = await this.selectPage(selection, locationIds)
      return rows.filter((member) => !toggled.has(member.id))
    }
    const named = [...toggled].flatMap((id) => this.people.get(id) ?? []).filter((member) => worksAt(member, locationIds))
    return named.length < toggled.size ? null : named
  }
}

/** The fields that lists of people can be sorted by. */
const sortableFields: Record<keyof StaffMember, true> = {
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

/** Returns a function that builds a lower-case text about a person and caches it per person object. */
function cacheText(parts: (member: StaffMember) => (string | null)[]): (member: StaffMember) => string {
  const texts = new WeakMap<StaffMember, string>()
  return (member) => {
    const cached = texts.get(member)
    if (cached !== undefined) return cached
    const text = parts(member).join('\n').toLowerCase()
    texts.set(member, text)
    return text
  }
}

const searchText = cacheText(({ employeeNumber, forename, surname, email }) => [employeeNumber, forename, surname, email])
const holderText = cacheText((member) => [member.employeeNumber, formatListedName(member)])

/** Finds the position at which a person belongs in a sorted list. */
function findPosition(sorted: readonly StaffMember[], member: StaffMember, order: StaffOrder): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (order(assertDefined(sorted[middle]), member) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Formats a name as contract lists show it: surname, forename. */
export function formatListedName({ surname, forename }: Pick<StaffMember, 'surname' | 'forename'>): string {
  return `${surname}, ${forename}`
}

/** Loads the people of an organisation as the transaction sees them, from the cache where possible. */
export async function loadStaffDirectory(tx: OrganisationTx, organisationId: OrganisationId): Promise<StaffDirectory> {
  const version = await readDataVersion(tx, organisationId, 'staff')
  const cached = directories.get(organisationId)
  const before = cached?.version.place === version.place ? cached : undefined
  const directory =
    before && isVersionCurrent(before.version, version)
      ? before.directory
      : before && version.isForAll && before.version.own < version.own
        ? before.directory.withChanges(await readChangedPeople(tx, organisationId, before.version.own))
        : new StaffDirectory(await readPeople(tx, organisationId, before?.directory.people ?? new Map()))
  if (version.isForAll) cacheDirectory(organisationId, version, directory)
  return directory
}

/** Reads the people who changed after a change counter; null for those who were deleted. */
async function readChangedPeople(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  after: number,
): Promise<Map<StaffId, StaffMember | null>> {
  const rows = await tx
    .select({ id: staffChangeVersions.staffId })
    .from(staffChangeVersions)
    .where(and(eq(staffChangeVersions.organisationId, organisationId), gt(staffChangeVersions.version, after)))
  const changed = new Map<StaffId, StaffMember | null>(rows.map(({ id }) => [id, null]))
  for (const member of await decryptPeople(tx, organisationId, [...changed.keys()])) changed.set(member.id, member)
  return changed
}

function cacheDirectory(organisationId: OrganisationId, version: DataVersion, directory: StaffDirectory): void {
  clearTimeout(directories.get(organisationId)?.timer)
  directories.delete(organisationId)
  const timer = setTimeout(() => directories.delete(organisationId), idleMs).unref()
  directories.set(organisationId, { version, directory, timer })
  let people = [...directories.values()].reduce((sum, one) => sum + one.directory.people.size, 0)
  for (const [oldest, one] of directories) {
    if (people <= maxPeople || oldest === organisationId) break
    clearTimeout(one.timer)
    directories.delete(oldest)
    people -= one.directory.people.size
  }
}

/** Reads everyone, decrypting only people whose version is not cached. */
async function readPeople(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  cached: ReadonlyMap<StaffId, StaffMember>,
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
      .limit(idsPerBatch)
    for (const { id, version, hasKey } of rows) {
      const member = cached.get(id)
      if (member && member.version === version && member.erased === !hasKey) people.set(id, member)
      else missing.push(id)
    }
    after = rows.at(-1)?.id ?? toStaffId(0)
    isMore = rows.length === idsPerBatch
  }
  for (const member of await decryptPeople(tx, organisationId, missing)) people.set(member.id, member)
  return people
}

/** Reads and decrypts people by id, in batches. */
async function decryptPeople(tx: OrganisationTx, organisationId: OrganisationId, ids: readonly StaffId[]): Promise<StaffMember[]> {
  const people: StaffMember[] = []
  const breathe = createYielder()
  for (let start = 0; start < ids.length; start += peoplePerTurn) {
    const rows = await tx
      .select({ member: staffMembers, key: vaultKeys.key })
      .from(staffMembers)
      .leftJoin(vaultKeys, eq(vaultKeys.subject, staffMembers.subject))
      .where(and(eq(staffMembers.organisationId, organisationId), inArray(staffMembers.id, ids.slice(start, start + peoplePerTurn))))
    for (const { member, key } of rows) {
      people.push(decryptStaffMember(member, key ? unsealKey(tx, member.subject, key) : undefined))
      await breathe()
    }
  }
  return people
}
