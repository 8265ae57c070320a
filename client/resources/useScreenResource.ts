import type { FilterItem } from '../../domain/lists/lists.ts'
import { getResource } from '../../domain/resources/all.ts'
import type { Field } from '../../domain/resources/fields.ts'
import type { AnyRecord } from '../../domain/resources/resource.ts'
import { appliesOutsideLocations, hasLocationField } from '../../domain/resources/sharing.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { useCoreData, usePermissionCheck } from '../shell/core.ts'
import type { Screen } from '../shell/screens/screen.ts'
import { useSelection } from '../shell/selection.ts'
import { useNationalTables } from './inputs/NationalTablePicker.tsx'
import { getResourceCalls, getResourceHooks, useResourceMutations } from './resourceApi.ts'

/** Returns what the generic pages need for their screen: the declaration, calls, hidden fields and permissions. */
export function useScreenResource(screen: Screen) {
  const resource = getResource(assertDefined(screen.resource))
  const { organisations, locationIds } = useCoreData()
  const { organisationId } = useSelection()
  const may = usePermissionCheck()
  const flags = screen.area === 'Administrator' ? {} : (organisations.find((one) => one.id === organisationId)?.flags ?? {})
  const isHidden = (field: Field): boolean =>
    Boolean(field.hiddenUnless && !flags[field.hiddenUnless]) || Boolean(screen.hide?.some((name) => resource.fields[name] === field))
  const limitedTo = screen.area === 'Administrator' ? null : locationIds
  const mayEdit = screen.edit !== 'nobody' && may(screen.edit) && (limitedTo === null || hasLocationField(resource))
  const offers = (operation: 'create' | 'delete' | 'bulkDelete' | 'import' | 'edit'): boolean =>
    mayEdit && !screen.without?.includes(operation) && (!screen.own || !resource.own || resource.own.operations.includes(operation))
  return {
    resource,
    calls: getResourceCalls(resource, screen.own),
    hooks: getResourceHooks(resource, screen.own),
    saves: useResourceMutations(resource, screen.own),
    isHidden,
    /** The boolean settings of the organisation. */
    flags,
    mayEdit,
    /** Whether a record also belongs to locations that the user cannot see. If so, it is read-only for the user. */
    isShared: (record: AnyRecord): boolean => appliesOutsideLocations(resource, limitedTo, record),
    mayBulk: mayEdit || may(resource.access.bulk ?? ['ConsoleUsersReadUpdate']),
    offers,
    titleScope: screen.area,
  }
}

/** Returns the name of the field that refers to the national table of a row. */
export function findTableField(screen: Screen): string {
  const fields = Object.entries(getResource(assertDefined(screen.resource)).fields)
  return fields.find(([, field]) => field.kind === 'reference' && field.to === 'adminTable')?.[0] ?? 'adminTableId'
}

/** Creates filters from the field values that a screen fixes. */
export function createFixedFilters({ fixed = {} }: Screen): FilterItem[] {
  return Object.entries(fixed).map(([filter, value]) => ({ filter, filterType: 'set', values: [value], static: true }))
}

/**
 * Returns the filters that always apply on a screen: the chosen national table or, if none is chosen, all tables of its types, and the
 * field values that the screen fixes.
 */
export function useStaticFilters(screen: Screen, table?: number | null): { filters: FilterItem[]; ready: boolean } {
  const types = screen.tableTypes
  const tables = useNationalTables(types)
  const filters = createFixedFilters(screen)
  if (typeof table === 'number') filters.push({ filter: findTableField(screen), filterType: 'set', values: [table], static: true })
  else if (types)
    filters.push({
      filter: findTableField(screen),
      filterType: 'set',
      values: (tables.data?.rows ?? []).map((row) => row.id),
      static: true,
    })
  return { filters, ready: !types || (tables.isSuccess && table !== undefined) }
}
