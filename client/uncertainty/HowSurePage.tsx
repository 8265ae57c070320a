import { Alert, Button, Group, Loader } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { driverInput } from '../../domain/uncertainty/budget/driver.ts'
import { defaultDraws } from '../../domain/uncertainty/draws.ts'
import { displayNumber } from '../../domain/values/format.ts'
import { OutOfDateNotice } from '../budget/OutOfDateNotice.tsx'
import { useSelectedBudget } from '../budget/useBudget.ts'
import { validateWith } from '../resources/editor/validateWith.ts'
import { answerCache, fetchRest, type RouterOutputs, toPublicError, trpc } from '../shell/api.ts'
import { useUnsavedChanges } from '../shell/unsavedChanges.ts'
import emptyStyles from '../ui/Empty.module.css'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardBody, CardHead } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { SectionStack } from '../ui/layout/SectionStack.tsx'
import { DriverDialog } from './DriverDialog.tsx'
import { DriverTable } from './DriverTable.tsx'
import { blankDriver, type DriverDraft, findPairProblem, isComplete, type PairDraft } from './driverDraft.ts'
import { FuturesResult } from './FuturesResult.tsx'
import { PairRows } from './PairRows.tsx'

type Result = RouterOutputs['uncertainty']['run']

/** What is drawn: the drivers, and which of them move together. */
interface Plan {
  drivers: readonly DriverDraft[]
  pairs: readonly PairDraft[]
}

/** Runs a plan. A REST call, because a query's URL could not hold sixty drivers. */
async function run(
  budgetId: string,
  { drivers, pairs }: Plan,
  { seed, signal }: { seed: number | undefined; signal: AbortSignal },
): Promise<Result> {
  const reply = await fetchRest('/api/Uncertainty/run', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ budgetId, drivers, correlations: pairs.filter(isComplete), seed }),
    signal,
  }).catch((error: unknown) => {
    if (signal.aborted) throw error
    throw new Error('The server cannot be reached. Check your connection and try again.')
  })
  if (!reply.ok) throw new Error(await reply.text())
  return reply.json()
}

/** Short ids in the order of entry, so that the same drivers and seed give the same figures when they are entered again. */
const nextId = (drivers: readonly DriverDraft[]): string => `d${Math.max(0, ...drivers.map(({ id }) => Number(id.slice(1)))) + 1}`

const problemsOf = (driver: DriverDraft) => validateWith(driverInput, driver).problems

function prepare(): void {
  void answerCache.overview.summary.prefetch()
}

/** How likely the budget is to end below zero, given what nobody knows yet. */
export function HowSurePage() {
  const { mongoId } = useSelectedBudget()
  return <Futures key={mongoId} budgetId={mongoId} />
}
HowSurePage.prepare = prepare

function Futures({ budgetId }: { budgetId: string }) {
  const [plan, setPlan] = useState<Plan>({ drivers: [], pairs: [] })
  const [open, setOpen] = useState<DriverDraft | 'new' | null>(null)
  const [isChecked, setChecked] = useState(false)
  const [isRunning, setRunning] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [found, setFound] = useState<{ result: Result; plan: Plan } | null>(null)
  const running = useRef<AbortController>(null)
  const summary = trpc.overview.summary.useQuery()
  const { drivers, pairs } = plan
  useUnsavedChanges(drivers.length > 0)
  useEffect(() => () => running.current?.abort(), [])
  const change = (part: Partial<Plan>): void => setPlan({ ...plan, ...part })
  const store = (driver: DriverDraft): void =>
    change({
      drivers: drivers.some(({ id }) => id === driver.id)
        ? drivers.map((one) => (one.id === driver.id ? driver : one))
        : [...drivers, driver],
    })
  const work = async (): Promise<void> => {
    setChecked(true)
    setFailure(null)
    if (drivers.some((driver) => problemsOf(driver).length) || pairs.some((pair, at) => findPairProblem(pair, pairs.slice(0, at)))) return
    const ends = new AbortController()
    running.current = ends
    setRunning(true)
    try {
      setFound({ result: await run(budgetId, plan, { seed: found?.result.seed, signal: ends.signal }), plan })
    } catch (error) {
      if (!ends.signal.aborted) setFailure(toPublicError(error).message)
    } finally {
      setRunning(false)
    }
  }
  const floorShare = summary.data?.reserveFloor ?? null
  const floor = floorShare === null ? null : (summary.data?.years.map(({ income }) => (income * floorShare) / 100) ?? null)
  return (
    <>
      <PageHead
        title="How sure are we"
        documentTitle="How sure are we - Overview"
        facts="Bursar tries out many futures of this budget and counts how many end below zero. The budget itself does not change."
      />
      {summary.data?.recalculation && (
        <Alert color="orange" mb="md">
          <OutOfDateNotice />
        </Alert>
      )}
      <SectionStack>
        {drivers.length === 0 ? (
          <Card className={emptyStyles.empty}>
            <h2>What is still uncertain?</h2>
            <p>Add the next pay award, the intake, energy: each with a low, a likely and a high value.</p>
            <Button onClick={() => setOpen('new')}>Add driver</Button>
          </Card>
        ) : (
          <Card aria-label="Drivers" className={textStyles.unprinted}>
            <CardHead style={{ display: 'flex', alignItems: 'center' }}>
              What is still uncertain
              <Button size="compact-sm" variant="default" ml="auto" onClick={() => setOpen('new')}>
                Add driver
              </Button>
            </CardHead>
            <DriverTable
              drivers={drivers}
              problemOf={(driver, field) =>
                isChecked ? problemsOf(driver).find((problem) => problem.field === field)?.message : undefined
              }
              onChange={store}
              onOpen={setOpen}
              onRemove={({ id }) =>
                change({
                  drivers: drivers.filter((one) => one.id !== id),
                  pairs: pairs.filter(({ first, second }) => first !== id && second !== id),
                })
              }
            />
            <CardBody>
              {drivers.length > 1 && (
                <PairRows drivers={drivers} pairs={pairs} isChecked={isChecked} onChange={(next) => change({ pairs: next })} />
              )}
              <Group mt="md">
                {isRunning ? (
                  <>
                    <span role="status">
                      <Loader size={14} /> Working out {displayNumber(defaultDraws)} futures.
                    </span>
                    <Button variant="default" onClick={() => running.current?.abort()}>
                      Stop
                    </Button>
                  </>
                ) : (
                  <Button onClick={() => void work()}>Work it out</Button>
                )}
                <span className={textStyles.dim}>Drivers are not saved: they are kept only while this page is open.</span>
              </Group>
              {failure && (
                <Alert color="red" mt="sm" role="alert">
                  {failure}
                </Alert>
              )}
            </CardBody>
          </Card>
        )}
        {found && found.plan !== plan && (
          <Alert color="orange" role="status">
            The drivers have changed since these figures were worked out.
          </Alert>
        )}
        {found && <FuturesResult result={found.result} drivers={found.plan.drivers} floor={floor} />}
      </SectionStack>
      {open && (
        <DriverDialog
          start={open === 'new' ? blankDriver(nextId(drivers)) : open}
          isNew={open === 'new'}
          onSave={store}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}
