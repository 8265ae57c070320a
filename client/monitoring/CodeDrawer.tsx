import { Button, Drawer, Group, NumberInput, SegmentedControl, Select, Skeleton, Textarea } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import clsx from 'clsx'
import { useState } from 'react'
import { budgetYearOf, periodName } from '../../domain/calendar.ts'
import { figure, money, penniesOf } from '../../domain/format.ts'
import { actualType, monitoringNoteType } from '../../domain/lookupIds.ts'
import { type CalendarMonth, type ForecastMethod, forecastMethods, monthText, monthWords } from '../../domain/monitoring/monitoring.ts'
import type { Versus } from '../../domain/monitoring/rows.ts'
import { notices } from '../../domain/notices.ts'
import { either } from '../../domain/permissions.ts'
import { problemOf, trpc } from '../shell/api.ts'
import { useCore, useMay, useTerm } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { failed, said } from '../shell/notify.tsx'
import { mayDiscard, useUnsaved } from '../shell/unsaved.ts'
import { Card, CardHead, Note } from '../ui/Card.tsx'
import { Empty } from '../ui/Empty.tsx'
import figuresStyles from '../ui/Figures.module.css'
import { FigureHead, Figures } from '../ui/Figures.tsx'
import { Hint } from '../ui/Hint.tsx'
import { Stack } from '../ui/Stack.tsx'
import scrollStyles from '../ui/scroll.module.css'
import textStyles from '../ui/text.module.css'
import classes from './MonitoringTable.module.css'
import type { Asked, MonitoringRow, Scope } from './scope.ts'
import { YearCard } from './YearCard.tsx'

const methodNames: Record<ForecastMethod, string> = {
  budget: 'As budgeted',
  whatIsLeft: 'What is left of the budget',
  runRate: 'At the rate so far',
  typed: 'Typed month by month',
}

/** The lines behind a code, its note and adjustment, and how its open months are forecast (behaviours B-229 to B-233). */
export function CodeDrawer({
  row,
  asked,
  month,
  versus,
  scope,
  isReadOnly,
  isEnded,
  onClose,
}: {
  row: MonitoringRow
  asked: Asked
  month: CalendarMonth
  versus: Versus
  scope: Scope
  isReadOnly: boolean
  /** The month is closed: what stands is read. */
  isEnded: boolean
  onClose: () => void
}) {
  const [isChanged, setChanged] = useState(false)
  useUnsaved(isChanged)
  const close = async (): Promise<void> => {
    if (!isChanged || (await mayDiscard())) onClose()
  }
  const name = `${row.code ?? ''} ${row.description}`.trim()
  return (
    <Drawer opened onClose={() => void close()} position="right" size="xl" title={`${name}, ${monthWords(month)}`}>
      <Stack>
        {isEnded && <p className={textStyles.since}>{monthWords(month)} is closed. Reopen it on Month end to change anything.</p>}
        <Explanation row={row} month={month} versus={versus} scope={scope} isReadOnly={isReadOnly} onChanged={setChanged} />
        <YearCard of={row.budgetCodeId!} asked={asked} />
        {versus === 'forecast' && <Forecast codeId={row.budgetCodeId!} asked={asked} scope={scope} isReadOnly={isReadOnly} />}
        <Lines codeId={row.budgetCodeId!} asked={asked} isConsole={scope.kind === 'console'} />
      </Stack>
    </Drawer>
  )
}

/** Note and adjustment, kept together by one Save. */
function Explanation({
  row,
  month,
  versus,
  scope,
  isReadOnly,
  onChanged,
}: {
  row: MonitoringRow
  month: CalendarMonth
  versus: Versus
  scope: Scope
  isReadOnly: boolean
  onChanged: (isChanged: boolean) => void
}) {
  const [note, setNote] = useState(row.note ?? '')
  const [action, setAction] = useState(row.action ?? '')
  const [adjustment, setAdjustment] = useState<number | string>(row.adjustment || '')
  const [problems, setProblems] = useState<{ note?: string; action?: string; adjustment?: string }>({})
  const [isSaving, setSaving] = useState(false)
  const [seen, setSeen] = useState(row)
  const [theirs, setTheirs] = useState<string | null>(null)
  // What others save, or is taken over, is taken in where nobody typed; where somebody did, nothing typed is lost.
  if (seen.note !== row.note || seen.action !== row.action || seen.adjustment !== row.adjustment) {
    if (seen.action !== row.action && action.trim() === (seen.action ?? '')) setAction(row.action ?? '')
    if (seen.note !== row.note) {
      if (note.trim() === (seen.note ?? '')) setNote(row.note ?? '')
      else setTheirs(note.trim() === (row.note ?? '') ? null : row.note)
    }
    if (Number(adjustment || 0) === seen.adjustment) setAdjustment(row.adjustment || '')
    setSeen(row)
  }
  const { mutateAsync: keepNote } = trpc.monitoring.note.useMutation()
  const { mutateAsync: keepNoteOfAll } = trpc.monitoring.noteConsole.useMutation()
  const { mutateAsync: removeNote } = trpc.monitoring.noteDelete.useMutation()
  const { mutateAsync: removeNoteOfAll } = trpc.monitoring.noteDeleteConsole.useMutation()
  const { mutateAsync: keepAdjustment } = trpc.monitoring.adjustment.useMutation()
  const { mutateAsync: keepAdjustmentOfAll } = trpc.monitoring.adjustmentConsole.useMutation()
  const { mutateAsync: removeAdjustment } = trpc.monitoring.adjustmentDelete.useMutation()
  const { mutateAsync: removeAdjustmentOfAll } = trpc.monitoring.adjustmentDeleteConsole.useMutation()
  const { mutateAsync: takeOverLast } = trpc.monitoring.takeOver.useMutation()
  const type = versus === 'actuals' ? monitoringNoteType.versusActuals : monitoringNoteType.versusForecast
  const groupId = scope.kind === 'budget' ? scope.groupId : null
  const about = { ...month, type } as const
  const budgetCodeId = row.budgetCodeId!
  const isNoteChanged = note.trim() !== (row.note ?? '') || action.trim() !== (row.action ?? '')
  const isAdjustmentChanged = Number(adjustment || 0) !== row.adjustment
  const saveNote = async (): Promise<void> => {
    const notes = note.trim()
    const words = { ...about, budgetCodeId, notes, action: action.trim() || null }
    if (notes) await (groupId ? keepNote({ ...words, group: groupId }) : keepNoteOfAll(words))
    else
      await (groupId
        ? removeNote({ ...about, budgetCode: budgetCodeId, group: groupId })
        : removeNoteOfAll({ ...about, budgetCode: budgetCodeId }))
    said(notes ? notices.savedNote : notices.removedNote)
  }
  const saveAdjustment = async (): Promise<void> => {
    const value = Number(adjustment || 0)
    if (value)
      await (groupId
        ? keepAdjustment({ ...about, budgetCodeId, value, group: groupId })
        : keepAdjustmentOfAll({ ...about, budgetCodeId, value }))
    else
      await (groupId
        ? removeAdjustment({ ...about, budgetCode: budgetCodeId, group: groupId })
        : removeAdjustmentOfAll({ ...about, budgetCode: budgetCodeId }))
    said(notices.savedAdjustment)
  }
  const save = async (): Promise<void> => {
    if (isReadOnly || isSaving || !(isNoteChanged || isAdjustmentChanged)) return
    if (action.trim() && !note.trim()) return setProblems({ note: 'Write why it is so as well.' })
    setSaving(true)
    setProblems({})
    const found: typeof problems = {}
    const keep = async (field: keyof typeof problems, isDue: boolean, run: () => Promise<void>): Promise<void> => {
      if (!isDue) return
      try {
        await run()
      } catch (error) {
        found[field] = problemOf(error).message
      }
    }
    await keep('note', isNoteChanged, saveNote)
    await keep('adjustment', isAdjustmentChanged, saveAdjustment)
    setProblems(found)
    setSaving(false)
    if (!Object.keys(found).length) onChanged(false)
  }
  const takeOver = async (kind: 'note' | 'adjustment'): Promise<void> => {
    try {
      const { taken } = await takeOverLast({ ...about, group: groupId, kind, budgetCodeIds: [budgetCodeId] })
      if (!taken) return setProblems({ [kind]: `Last month has no ${kind} for this code.` })
      said(kind === 'note' ? notices.savedNote : notices.savedAdjustment)
    } catch (error) {
      failed(error)
    }
  }
  useHotkeys([['mod+S', () => void save()]], [])
  const words = row.variance < 0 ? 'adverse' : 'favourable'
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <p style={{ margin: '0 0 10px' }}>
        Variance{' '}
        <b className={clsx(row.variance < 0 && textStyles.up, row.variance > 0 && textStyles.down)}>{money(penniesOf(row.variance))}</b>
        {row.variancePercent !== null && ` (${row.variancePercent.toFixed(1)} %)`}, {row.variance === 0 ? 'as budgeted' : words}.
        {row.needsExplaining && ' It is over the threshold and needs a reason and an action.'}
        {row.needsAction && ' It is over the threshold and needs an action.'}
      </p>
      <Textarea
        label="Note"
        description={theirs === null ? 'Why it is so.' : `Somebody else saved meanwhile: ${theirs}`}
        autosize
        minRows={2}
        maxLength={2000}
        readOnly={isReadOnly}
        value={note}
        error={problems.note}
        onChange={(event) => {
          setNote(event.currentTarget.value)
          onChanged(true)
        }}
      />
      <Textarea
        label="Action"
        description="What is done about it. A line over the threshold needs it before the month is closed."
        mt="sm"
        autosize
        minRows={1}
        maxLength={2000}
        readOnly={isReadOnly}
        value={action}
        error={problems.action}
        onChange={(event) => {
          setAction(event.currentTarget.value)
          onChanged(true)
        }}
      />
      <NumberInput
        label="Adjustment"
        description={`Pounds put to the figures of ${monthWords(month)} only; they do not run on.`}
        mt="sm"
        w={220}
        decimalScale={2}
        fixedDecimalScale
        thousandSeparator=","
        prefix="£"
        readOnly={isReadOnly}
        value={adjustment}
        error={problems.adjustment}
        onChange={(value) => {
          setAdjustment(value)
          onChanged(true)
        }}
      />
      {!isReadOnly && (
        <Group mt="sm" gap="xs">
          <Button type="submit" loading={isSaving} disabled={!isNoteChanged && !isAdjustmentChanged} rightSection={<Hint>Ctrl S</Hint>}>
            Save
          </Button>
          {!row.note && (
            <Button variant="subtle" onClick={() => void takeOver('note')}>
              Take over last month’s note
            </Button>
          )}
          {row.adjustment === 0 && (
            <Button variant="subtle" onClick={() => void takeOver('adjustment')}>
              Take over last month’s adjustment
            </Button>
          )}
        </Group>
      )}
      {scope.kind === 'budget' && scope.groupId === null && (
        <p className={textStyles.since}>The budget is in no group, so notes and adjustments count for the whole organisation.</p>
      )}
    </form>
  )
}

/** The months of the year, actual where they are closed, and how the others are worked out. */
function Forecast({ codeId, asked, scope, isReadOnly }: { codeId: number; asked: Asked; scope: Scope; isReadOnly: boolean }) {
  const values = trpc.monitoring.forecastValues.useQuery({ ...asked, id: codeId })
  const place = scope.kind === 'budget' ? scope : null
  const year = place ? budgetYearOf(`${monthText(asked)}-01`, place.startMonth) : asked.year
  const methods = trpc.monitoring.forecastMethods.useQuery({ year, locationIds: place && [place.locationId] }, { enabled: place !== null })
  const { mutateAsync: chooseForecast } = trpc.monitoring.chooseForecast.useMutation()
  const kept = methods.data?.find((one) => one.budgetCodeId === codeId)
  const [chosen, setChosen] = useState<ForecastMethod | null>(null)
  const [typed, setTyped] = useState<(number | string)[] | null>(null)
  if (values.isLoadingError) return <LoadFailed query={values} />
  if (!values.data || (place && !methods.data)) return <Skeleton height={120} />
  const method = chosen ?? kept?.method ?? 'budget'
  const shown = typed ?? kept?.values ?? values.data.values
  const startMonth = place?.startMonth ?? null
  const monthAt = (period: number): string => (startMonth ? periodName(startMonth, period + 1).slice(0, 3) : `P${period + 1}`)
  const isClosed = (period: number): boolean =>
    startMonth !== null && values.data.closedMonths.includes(((startMonth - 1 + period) % 12) + 1)
  const save = async (next: ForecastMethod, months: readonly (number | string)[] | null): Promise<void> => {
    if (!place) return
    try {
      await chooseForecast({
        locationId: place.locationId,
        year,
        budgetCodeIds: [codeId],
        method: next,
        values: next === 'typed' ? (months ?? shown).map((value) => Number(value || 0)) : null,
      })
      said(notices.saved)
      setChosen(null)
      setTyped(null)
    } catch (error) {
      failed(error)
    }
  }
  const total = values.data.values.reduce((sum, value) => sum + penniesOf(value), 0)
  return (
    <Card>
      <CardHead>
        Months <Note>actual where a month is closed, else the forecast</Note>
        <span style={{ flex: 1 }} />
        {place && (
          <Select
            aria-label="Open months are forecast"
            size="xs"
            w={210}
            allowDeselect={false}
            disabled={isReadOnly}
            data={forecastMethods.map((value) => ({ value, label: methodNames[value] }))}
            value={method}
            onChange={(value) => {
              if (value === 'typed') setChosen('typed')
              else if (value) void save(value as ForecastMethod, null)
            }}
          />
        )}
      </CardHead>
      <div className={scrollStyles.scroll}>
        <Figures isTight>
          <tbody>
            {values.data.values.map((value, period) => (
              <tr key={period} className={clsx(isClosed(period) && classes.closedMonth)}>
                <th scope="row">
                  {monthAt(period)} {isClosed(period) && <span className={textStyles.dim}>actual</span>}
                </th>
                <td>
                  {method === 'typed' && place && !isReadOnly && !isClosed(period) ? (
                    <NumberInput
                      aria-label={`Forecast of ${monthAt(period)}`}
                      size="xs"
                      w={130}
                      ml="auto"
                      decimalScale={2}
                      thousandSeparator=","
                      hideControls
                      value={shown[period] ?? 0}
                      onChange={(next) => setTyped(shown.map((one, index) => (index === period ? next : one)))}
                    />
                  ) : (
                    figure(penniesOf(value))
                  )}
                </td>
              </tr>
            ))}
            <tr className={figuresStyles.total}>
              <th scope="row">Year</th>
              <td>{figure(total)}</td>
            </tr>
          </tbody>
        </Figures>
      </div>
      {method === 'typed' && place && !isReadOnly && (chosen === 'typed' || typed) && (
        <Group p="sm">
          <Button size="xs" onClick={() => void save('typed', typed)}>
            Save the typed months
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              setChosen(null)
              setTyped(null)
            }}
          >
            Cancel
          </Button>
        </Group>
      )}
    </Card>
  )
}

/** What was imported for the code in the year so far. */
function Lines({ codeId, asked, isConsole }: { codeId: number; asked: Asked; isConsole: boolean }) {
  const { locations } = useCore()
  const term = useTerm()
  const hasWords = useMay()(either('ConsoleMonitoring'))
  const [type, setType] = useState<1 | 2>(actualType.actual)
  const { forecastBudgetId: _unused, ...request } = asked
  const lines = trpc.monitoring.actualsYtd.useQuery({ ...request, id: codeId, type }, { placeholderData: (before) => before })
  if (lines.isError) return <LoadFailed query={lines} />
  const what = type === actualType.actual ? 'actuals' : 'commitments'
  return (
    <Card>
      <CardHead>
        Lines
        <span style={{ flex: 1 }} />
        <SegmentedControl
          size="xs"
          aria-label="Kind of line"
          value={String(type)}
          onChange={(value) => setType(value === String(actualType.commitment) ? actualType.commitment : actualType.actual)}
          data={[
            { value: String(actualType.actual), label: 'Actuals' },
            { value: String(actualType.commitment), label: 'Commitments' },
          ]}
        />
      </CardHead>
      {!lines.data ? (
        <Skeleton height={120} />
      ) : lines.data.lines.length === 0 ? (
        <Empty>No {what} were imported for this code.</Empty>
      ) : (
        <div className={scrollStyles.scroll}>
          <Figures isTight>
            <FigureHead
              columns={[
                { label: 'Month' },
                { label: 'Location', isText: true, isLeftOut: !isConsole },
                { label: term('CostCentre').singular, isText: true },
                { label: 'Description', isText: true, isLeftOut: !hasWords },
                { label: 'Value' },
              ]}
            />
            <tbody>
              {lines.data.lines.map((line, index) => (
                <tr key={index}>
                  <td>{monthWords(line)}</td>
                  {isConsole && <td className={figuresStyles.text}>{locations.find((one) => one.id === line.locationId)?.name ?? ''}</td>}
                  <td className={figuresStyles.text}>{line.costCentre}</td>
                  {hasWords && (
                    <td className={figuresStyles.text} style={{ whiteSpace: 'normal' }}>
                      {line.description}
                    </td>
                  )}
                  <td>{figure(penniesOf(line.value))}</td>
                </tr>
              ))}
              <tr className={figuresStyles.total}>
                <th scope="row">All</th>
                {isConsole && <td />}
                <td />
                {hasWords && <td />}
                <td>{figure(penniesOf(lines.data.total))}</td>
              </tr>
            </tbody>
          </Figures>
        </div>
      )}
    </Card>
  )
}
