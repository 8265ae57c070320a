import { Button, Group, Skeleton, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { type CalendarMonth, formatIsoMonth, formatMonth, toMonthIndex } from '../../domain/monitoring/monitoring.ts'
import { formatPackCode, parsePackCode } from '../../domain/packs/pack.ts'
import { canMakePacks } from '../../domain/packs/rights.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayDateTime } from '../../domain/values/format.ts'
import { getCurrentMonth, listMonthsAround, parseMonth } from '../budget/months.ts'
import { answerCache, toPublicError, trpc } from '../shell/api.ts'
import { useCoreData } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { Dialog } from '../ui/dialogs/Dialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Choice } from '../ui/fields/Choice.tsx'
import { Pill } from '../ui/labels/Pill.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { Toolbar } from '../ui/layout/Toolbar.tsx'
import { DataTable } from '../ui/table/DataTable.tsx'
import { packsPath } from './packsPath.ts'

function prepare(): void {
  void answerCache.packs.list.prefetch()
}

/** Every governors' pack that the user can see, latest month first. */
export function PacksPage() {
  const [search, setSearch] = useSearchParams()
  const packs = trpc.packs.list.useQuery()
  const mayMake = canMakePacks(useCoreData())
  const month = parseMonth(search.get('month'))
  const isStarting = mayMake && search.has('start')
  const drafts = packs.data?.filter((one) => !one.finished).length ?? 0
  return (
    <>
      <PageHead
        title="Governors’ packs"
        documentTitle="Governors’ packs - Console"
        pills={drafts > 0 && <Pill tone="warn">{drafts === 1 ? '1 draft' : `${drafts} drafts`}</Pill>}
        facts="Monthly reports in chapters, with figures that are fixed when the pack is finished."
      >
        {mayMake && <Button onClick={() => setSearch({ start: '1' })}>Start a pack</Button>}
      </PageHead>
      <OpenByCode />
      {packs.isError ? (
        <LoadFailed query={packs} />
      ) : !packs.data ? (
        <Skeleton height={260} />
      ) : packs.data.length === 0 ? (
        <Card>
          <EmptyState>
            <h2>No pack yet</h2>
            <p>
              {mayMake
                ? 'Start one: its chapters, tables and opening sentences are created for you.'
                : 'Packs appear here once one is finished.'}
            </p>
          </EmptyState>
        </Card>
      ) : (
        <Card className={scrollStyles.scroll} aria-label="Packs">
          <DataTable
            isTight
            columns={[
              { id: 'month', label: 'Month', cell: (one) => <Link to={`${packsPath}/${one.code}`}>{formatMonth(one)}</Link> },
              { id: 'place', label: 'For' },
              { id: 'code', label: 'Code', cell: ({ code }) => formatPackCode(code) },
              {
                id: 'state',
                label: 'State',
                cell: ({ finished }) =>
                  finished ? (
                    <>
                      <Pill tone="good">Finished</Pill>{' '}
                      <span className={textStyles.dim}>
                        {finished.by}, {displayDateTime(finished.at)}
                      </span>
                    </>
                  ) : (
                    <Pill tone="warn">Draft</Pill>
                  ),
              },
              { id: 'begun', label: 'Started', cell: ({ started }) => `${started.by}, ${displayDateTime(started.at)}` },
            ]}
            rows={packs.data}
            keyOf={({ code }) => code}
          />
        </Card>
      )}
      {isStarting && <StartDialog month={month} location={search.get('location')} onClose={() => setSearch({}, { replace: true })} />}
    </>
  )
}
PacksPage.prepare = prepare

/** Opens a pack by the code on a printed page. */
function OpenByCode() {
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const open = (event: FormEvent): void => {
    event.preventDefault()
    const code = parsePackCode(text)
    if (code) void navigate(`${packsPath}/${code}`)
    else setProblem('Codes have eight letters and digits, printed at the foot of each page.')
  }
  return (
    <form onSubmit={open}>
      <Toolbar>
        <TextInput
          aria-label="Code of a printed page"
          placeholder="Code, such as K7QM-3XWD"
          w={230}
          value={text}
          error={problem}
          maxLength={20}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setProblem(null)
          }}
        />
        <Button type="submit" variant="default" disabled={!text.trim()}>
          Open
        </Button>
      </Toolbar>
    </form>
  )
}

const allLocations = 'whole'

function StartDialog({
  month: initialMonth,
  location,
  onClose,
}: {
  month: CalendarMonth | null
  location: string | null
  onClose: () => void
}) {
  const { locations, organisations } = useCoreData()
  const navigate = useNavigate()
  const now = getCurrentMonth()
  const months = trpc.monitoring.months.useQuery({ from: { year: now.year - 2, month: 1 }, to: { year: now.year + 1, month: 12 } })
  const last = [...(months.data ?? [])]
    .filter((one) => one.isClosed)
    .sort((a, b) => toMonthIndex(a) - toMonthIndex(b))
    .at(-1)
  const [chosen, setMonth] = useState<string | null>(initialMonth && formatIsoMonth(initialMonth))
  const month = chosen ?? (last ? formatIsoMonth(last) : formatIsoMonth(now))
  const [locationChoice, setLocationChoice] = useState(
    location ?? (locations.length === 1 ? String(assertDefined(locations[0]).id) : allLocations),
  )
  const [problem, setProblem] = useState<string | null>(null)
  const start = trpc.packs.start.useMutation()
  const startPack = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setProblem(null)
    try {
      const { code } = await start.mutateAsync({
        ...assertDefined(parseMonth(month)),
        locationId: locationChoice === allLocations ? null : Number(locationChoice),
      })
      await navigate(`${packsPath}/${code}`)
    } catch (error) {
      setProblem(toPublicError(error).message)
    }
  }
  return (
    <Dialog onClose={onClose} title="Start a pack">
      <form onSubmit={(event) => void startPack(event)}>
        <Choice label="Month" nothingFoundMessage="Month not found" data={listMonthsAround(now)} value={month} onChange={setMonth} />
        <Choice
          label="For"
          mt="sm"
          nothingFoundMessage="Location not found"
          data={[
            {
              value: allLocations,
              label: organisations.length === 1 ? `${assertDefined(organisations[0]).name}, all schools` : 'All schools',
            },
            ...locations.map((one) => ({ value: String(one.id), label: one.name })),
          ]}
          value={locationChoice}
          error={problem}
          onChange={(value) => value && setLocationChoice(value)}
        />
        <p className={textStyles.dim}>
          Chapters and text are copied from the last finished pack for the same location. Check or rewrite the text from an earlier month
          before you finish.
        </p>
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={start.isPending}>
            Start
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}
