import { useQuery } from '@tanstack/react-query'
import type { FilterItem } from '../../domain/lists.ts'
import { resourceNamed } from '../../domain/resources/all.ts'
import type { Field } from '../../domain/resources/fields.ts'
import { api } from '../api/api.ts'
import type { Screen } from '../shell/screens.ts'
import { useCore, useMay } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'
import { callsOf } from './resourceApi.ts'

/** What the generic pages know of their screen: the declaration, the calls, what is hidden, what may be done. */
export function useScreenResource(screen: Screen) {
  const resource = resourceNamed(screen.resource!)
  const { organisations } = useCore()
  const { organisationId } = useSelection()
  const may = useMay()
  const flags = screen.area === 'Administrator' ? {} : (organisations.find((one) => one.id === organisationId)?.flags ?? {})
  const isHidden = (field: Field): boolean => Boolean(field.hiddenUnless && !flags[field.hiddenUnless])
  const mayEdit = screen.edit !== 'nobody' && may(screen.edit)
  const offers = (operation: 'create' | 'delete' | 'bulkDelete' | 'import' | 'edit'): boolean =>
    mayEdit && (!screen.own || Boolean(resource.own?.operations.includes(operation)))
  return {
    resource,
    calls: callsOf(resource, screen.own),
    isHidden,
    mayEdit,
    mayBulk: mayEdit || may(resource.access.bulk ?? ['ConsoleUsersReadUpdate']),
    offers,
    titleScope: screen.area,
  }
}

/** The filters a screen fixes: its admin table type, and values of its own. */
export function useStaticFilters(screen: Screen): { filters: FilterItem[]; ready: boolean } {
  const type = screen.adminTableType
  const tables = useQuery({
    queryKey: ['adminTables', type],
    queryFn: () =>
      api.resources.adminTable!.list.query({
        pageNumber: 1,
        pageSize: 5000,
        filters: [{ filter: 'type', filterType: 'set', values: [type!] }],
      }),
    enabled: type !== undefined,
  })
  const filters: FilterItem[] = Object.entries(screen.fixed ?? {}).map(([filter, value]) => ({
    filter,
    filterType: 'set',
    values: [value],
    static: true,
  }))
  if (type !== undefined)
    filters.push({ filter: 'adminTableId', filterType: 'set', values: (tables.data?.rows ?? []).map((row) => row.id), static: true })
  return { filters, ready: type === undefined || tables.isSuccess }
}
