import { SegmentedControl, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { getLookupName, lookups } from '../../domain/lookups/lookups.ts'
import { numberOrNull } from '../../domain/values/unknownValues.ts'
import { notices } from '../../domain/words/notices.ts'
import { toMidSentence } from '../../domain/words/terms.ts'
import { ServerList } from '../resources/list/ServerList.tsx'
import { useListState } from '../resources/list/useList.ts'
import { useRecordNames } from '../resources/resourceApi.ts'
import { api, toPublicError, trpc } from '../shell/api.ts'
import { useCoreData, usePermissionCheck, useTerm } from '../shell/core.ts'
import { ExportButton } from '../shell/files/ExportButton.tsx'
import { notifyFailure, notifySuccess } from '../shell/notify.tsx'
import { useSelection } from '../shell/selection.ts'
import { findClosestElement } from '../ui/closestElement.ts'
import { PageHead } from '../ui/layout/PageHead.tsx'
import type { TableColumn } from '../ui/table/columns.ts'

type Code = Awaited<ReturnType<typeof api.codes.codes.query>>['rows'][number] & { id: number }
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The location's own name for a budget code, which the user edits in the cell. Pressing Enter or leaving the field saves it. */
function LocalName({ code, disabled }: { code: Code; disabled: boolean }) {
  const saved = text(code.altDescription)
  const [typed, setTyped] = useState(saved)
  const term = useTerm()('BudgetCode')
  const { mutateAsync: saveWord } = trpc.codes.saveWord.useMutation()
  const isGivenUp = useRef(false)
  const keep = async (): Promise<void> => {
    if (typed.trim() === saved) return
    try {
      await saveWord({ id: code.id, altDescription: typed.trim() || null })
      notifySuccess(notices.updated(term.singular))
    } catch (error) {
      notifyFailure(error)
    }
  }
  if (disabled) return <>{saved}</>
  return (
    <TextInput
      size="xs"
      // The table is a single Tab stop; Enter or F2 on a cell moves the focus into its field.
      tabIndex={-1}
      aria-label={`Alternative description of ${text(code.code)}`}
      value={typed}
      placeholder={text(code.description)}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => {
        if (!isGivenUp.current) void keep()
        isGivenUp.current = false
      }}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Escape') {
          isGivenUp.current = true
          setTyped(saved)
        }
        // Moving the focus out of the field saves the text.
        if (event.key === 'Enter' || event.key === 'Escape') findClosestElement(event.target, '[data-column]')?.focus()
      }}
      onClick={(event) => event.stopPropagation()}
      maxLength={200}
    />
  )
}

const schemes = [
  ['cfrCodeId', 'CFR code', 'cfrEnabled'],
  ['gagCodeId', 'GAG code', 'gagEnabled'],
  ['acoaCodeId', 'ACOA code', 'acoaEnabled'],
  ['customCodeId', 'Custom code', 'customEnabled'],
] as const

/** The location's own names for budget codes and cost centres (behaviours B-163 and B-164). */
export function CodingPage() {
  const { locationId, organisationId } = useSelection()
  const term = useTerm()
  const { organisations } = useCoreData()
  const flags = organisations.find((one) => one.id === organisationId)?.flags ?? {}
  const mayEdit = usePermissionCheck()(['BudgetingOverviewReadUpdate'])
  const navigate = useNavigate()
  const [search, setSearch] = useSearchParams()
  const isCentres = search.get('of') === 'cost-centres'
  const codes = useListState(`coding codes ${locationId}`)
  const centres = useListState(`coding centres ${locationId}`)
  const view = isCentres ? centres : codes
  const codeList = trpc.codes.codes.useQuery(codes.request, { enabled: !isCentres, placeholderData: (before) => before })
  const centreList = trpc.codes.centres.useQuery(centres.request, { enabled: isCentres, placeholderData: (before) => before })
  const list = isCentres ? centreList : codeList
  const rows = list.data?.rows
  const shownSchemes = schemes.filter(([, , flag]) => flags[flag])
  const reporting = useRecordNames(
    'financialReportingCode',
    isCentres ? [] : (rows ?? []).flatMap((row) => shownSchemes.flatMap(([field]) => numberOrNull(row[field]) ?? [])),
  )
  const exported = () => {
    const request = { sort: view.state.sort, sortDirection: view.state.sortDirection, ...view.selection }
    return isCentres ? api.codes.exportCentres.query(request) : api.codes.exportCodes.query(request)
  }
  const columns: TableColumn<Code>[] = [
    { id: 'code', label: 'Code', width: 110, flex: 0, cell: (row) => text(row.code) },
    ...(isCentres
      ? []
      : [
          {
            id: 'type',
            label: 'Type',
            width: 124,
            flex: 0,
            cell: (row: Code) => getLookupName('budgetCodeTypes', Number(row.type)),
          },
        ]),
    {
      id: 'description',
      label: 'Description',
      minWidth: 170,
      cell: (row) => text(row.description),
    },
    {
      id: 'altDescription',
      label: 'Alternative description',
      minWidth: 220,
      isSortable: false,
      cell: (row) =>
        isCentres ? text(row.altDescription) : <LocalName key={`${row.id} ${text(row.altDescription)}`} code={row} disabled={!mayEdit} />,
    },
    ...(isCentres
      ? []
      : shownSchemes.map(
          ([field, label]): TableColumn<Code> => ({
            id: field,
            label,
            width: 100,
            flex: 0,
            cell: (row) => reporting.get(numberOrNull(row[field]) ?? -1)?.name ?? '',
          }),
        )),
  ]
  const plural = term(isCentres ? 'CostCentre' : 'BudgetCode').plural
  return (
    <>
      <PageHead
        title="Coding"
        documentTitle="Coding - Overview"
        facts={`This location’s descriptions of its codes; everything else about a code is set in the console`}
      >
        <SegmentedControl
          aria-label="Type of code"
          value={isCentres ? 'cost-centres' : 'budget-codes'}
          onChange={(value) => setSearch(value === 'cost-centres' ? { of: value } : {}, { replace: true })}
          data={[
            { value: 'budget-codes', label: term('BudgetCode').plural },
            { value: 'cost-centres', label: term('CostCentre').plural },
          ]}
        />
        <ExportButton file={exported} disabled={!list.data?.total} />
      </PageHead>
      <ServerList<Code>
        key={String(isCentres)}
        label={plural}
        rows={rows}
        isEarlier={list.isPlaceholderData}
        total={list.data?.total ?? 0}
        columns={columns}
        filterable={[
          { name: 'code', label: 'Code', field: { kind: 'text', label: 'Code', max: 20 } },
          { name: 'description', label: 'Description', field: { kind: 'text', label: 'Description', max: 200 } },
          ...(isCentres ? [] : [{ name: 'type', label: 'Type', field: { kind: 'set' as const, items: [...lookups.budgetCodeTypes] } }]),
        ]}
        {...view.grid}
        searchPlaceholder="Search code or description"
        onOpen={isCentres && mayEdit ? (row) => void navigate(`/overview/coding/${row.id}`) : undefined}
        error={list.isError ? toPublicError(list.error).message : null}
        empty={
          <>
            <h2>No codes</h2>
            <p>This location has no {toMidSentence(plural)} yet. They are set up in the console.</p>
          </>
        }
      />
    </>
  )
}
