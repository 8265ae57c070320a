import { hasAnyPermission } from '../../domain/people/permissions.ts'
import { getResource } from '../../domain/resources/all.ts'
import {
  type CellField,
  type FileColumn,
  getColumnField,
  listAllowedValues,
  listColumns,
  nameColumn,
} from '../../domain/resources/columns.ts'
import type { AnyResource } from '../../domain/resources/resource.ts'
import type { ImportTemplate, TemplateChoice, TemplateColumn } from '../../domain/resources/template.ts'
import type { CallerRights } from '../core/calls/context.ts'
import type { RowScope } from '../core/calls/scope.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { listHiddenFields } from './files.ts'
import { listPickerPermissions } from './pick.ts'
import * as queries from './queries.ts'
import { readTerms } from './terms.ts'

interface Asking {
  rows: RowScope
  holder: CallerRights
}

/** The longest list of allowed values in a template. Nobody can choose from a longer one. */
const longestList = 3000
const people = new Set(['staffMember', 'user'])

/**
 * Builds what a client needs to make an import file: the columns, and the allowed values of those that refer to other records or to a short
 * list. Lists only records that the caller may see, and never people.
 */
export async function buildTemplate(tx: OrganisationTx, resource: AnyResource, asking: Asking): Promise<ImportTemplate> {
  const { organisationId } = asking.rows
  const hidden = await listHiddenFields(tx, resource, organisationId)
  const lists = new Map<string, TemplateChoice[]>()
  const columns: TemplateColumn[] = []
  for (const column of listColumns(resource, (field) => hidden.some((name) => resource.fields[name] === field))) {
    const field = getColumnField(resource, column)
    columns.push({
      heading: column.heading,
      name: nameColumn(resource, column),
      isRequired: column.required,
      kind: getColumnKind(column, field),
      choices: await listColumnChoices(tx, resource, { column, asking, lists }),
      isSeveral: field.kind === 'references',
    })
  }
  return { name: (await readTerms(tx, organisationId))[resource.key].plural, columns }
}

function getColumnKind(column: FileColumn, { kind }: CellField): TemplateColumn['kind'] {
  if (column.index !== undefined || kind === 'percent' || kind === 'money' || kind === 'decimal' || kind === 'integer') return 'number'
  return kind === 'date' ? 'date' : 'text'
}

async function listColumnChoices(
  tx: OrganisationTx,
  resource: AnyResource,
  { column, asking: { rows, holder }, lists }: { column: FileColumn; asking: Asking; lists: Map<string, TemplateChoice[]> },
): Promise<TemplateChoice[]> {
  const words = listAllowedValues(resource, column)
  if (words.length) return words.map((value) => ({ value, meaning: null }))
  const field = getColumnField(resource, column)
  if ((field.kind !== 'reference' && field.kind !== 'references') || people.has(field.to)) return []
  const which = field.kind === 'reference' ? (field.where ?? {}) : {}
  const key = `${field.to} ${JSON.stringify(which)}`
  const known = lists.get(key)
  if (known) return known
  const target = getResource(field.to)
  if (!hasAnyPermission(holder, listPickerPermissions(target))) return []
  const where = Object.entries(which).map(([filter, value]) => ({
    filter,
    filterType: 'set' as const,
    values: [Number(value)],
  }))
  const records = await queries.listAllRecords({ tx, scope: rows }, target, {
    filters: [...where, ...queries.buildUnarchivedFilter(target)],
  })
  const [first, second] = target.naming
  const meaningByValue = new Map(records.map((record) => [String(record[first]), second ? String(record[second] ?? '') || null : null]))
  const found = meaningByValue.size > longestList ? [] : [...meaningByValue].map(([value, meaning]) => ({ value, meaning }))
  lists.set(key, found)
  return found
}
