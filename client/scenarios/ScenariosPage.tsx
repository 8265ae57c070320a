import { Alert, Button, Checkbox, Group, SegmentedControl, Skeleton, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useState } from 'react'
import type { ScenarioChange } from '../../domain/budget/items/scenario.ts'
import { displayCount } from '../../domain/values/format.ts'
import { notices } from '../../domain/words/notices.ts'
import { useBudgetUndo } from '../budget/useBudgetUndo.ts'
import { useIsBudgetLocked } from '../budget/useChangeObstacle.ts'
import { answerCache, type RouterOutputs, trpc } from '../shell/api.ts'
import { updateOptimistically } from '../shell/calls/updateOptimistically.ts'
import { usePermissionCheck } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { notifyFailure, notifySuccess } from '../shell/notify.tsx'
import { RemoveButton } from '../ui/dialogs/RemoveButton.tsx'
import emptyStyles from '../ui/Empty.module.css'
import { Pill } from '../ui/labels/Pill.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardBody, CardHead } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { SectionStack } from '../ui/layout/SectionStack.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import momentsStyles from '../ui/moments.module.css'
import { RenameScenarioDialog } from './RenameScenarioDialog.tsx'
import { ScenarioChangeDialog } from './ScenarioChangeDialog.tsx'
import { type Scenario, ScenarioComparison } from './ScenarioComparison.tsx'

/** The cached scenarios of the open budget, for optimistic updates. */
const cachedScenarios = { query: answerCache.scenarios.list, input: undefined }

type Scenarios = RouterOutputs['scenarios']['list']

/** Returns the scenarios with one of them changed or removed. */
const withOne =
  (id: string, shown: ((one: Scenario) => Scenario) | null) =>
  (now: Scenarios): Scenarios => ({
    ...now,
    scenarios: now.scenarios.flatMap((one) => (one.id !== id ? [one] : shown ? [shown(one)] : [])),
  })

function prepare(): void {
  void answerCache.scenarios.list.prefetch()
}

/** Scenarios based on the selected budget. Each is a list of changes, which still apply when the budget changes. */
export function ScenariosPage() {
  const may = usePermissionCheck()
  const isLocked = useIsBudgetLocked()
  const mayEdit = !isLocked && may(['BudgetingOverviewReadUpdate', 'ConsoleBudgetManagementReadUpdate'])
  const mayApply =
    !isLocked &&
    may(['ConsoleBudgetManagementReadUpdate']) &&
    may(['BudgetingStaffingReadUpdate']) &&
    may(['BudgetingNonStaffingReadUpdate'])
  const [hidden, setHidden] = useState<string[]>([])
  const [yearName, setYear] = useState<string | null>(null)
  const [renamed, setRenamed] = useState<Scenario | null>(null)
  const [adding, setAdding] = useState<Scenario | 'new' | null>(null)
  const list = trpc.scenarios.list.useQuery()
  const { mutateAsync: save } = trpc.scenarios.save.useMutation()
  const { mutateAsync: createFromScenario } = trpc.scenarios.become.useMutation()
  const store = async (scenario: Scenario | null, name: string, changes: ScenarioChange[]): Promise<void> => {
    const work = () => save({ id: scenario?.id, version: scenario?.version, name, changes })
    // Only the server can calculate a new change. Until it replies, show the other changes under the new name.
    const shown = (one: Scenario): Scenario => ({ ...one, name, changes: one.changes.filter(({ change }) => changes.includes(change)) })
    await (scenario ? updateOptimistically(cachedScenarios, withOne(scenario.id, shown), work) : work())
    notifySuccess(notices.saved)
  }
  const createUndo = useBudgetUndo()
  const { mutateAsync: send } = trpc.scenarios.delete.useMutation()
  const remove = async ({ id }: Scenario): Promise<void> => {
    try {
      const versions = await updateOptimistically(cachedScenarios, withOne(id, null), () => send({ id }))
      notifySuccess(notices.deleted('Scenario'), createUndo(versions))
    } catch (error) {
      notifyFailure(error)
    }
  }
  const apply = (scenario: Scenario): void =>
    void modals.openConfirmModal({
      title: 'Apply to budget',
      children: (
        <Text size="sm">
          The {displayCount(scenario.changes.length, 'change')} in {scenario.name} {scenario.changes.length === 1 ? 'is' : 'are'} applied to
          the budget, and the scenario is deleted. The budget’s history keeps the previous figures.
        </Text>
      ),
      labels: { cancel: 'Cancel', confirm: 'Apply to budget' },
      onConfirm: async () => {
        try {
          await createFromScenario({ id: scenario.id })
          notifySuccess(notices.saved)
        } catch (error) {
          notifyFailure(error)
        }
      },
    })
  if (list.isError) return <LoadFailed query={list} />
  if (!list.data) return <Skeleton height={320} />
  const scenarios = list.data
  const year = Math.max(0, scenarios.yearNames.indexOf(yearName ?? ''))
  const chosen = scenarios.scenarios.filter(({ id, isWithheld }) => !isWithheld && !hidden.includes(id)).slice(0, scenarios.mostCompared)
  return (
    <>
      <PageHead
        title="Scenarios"
        documentTitle="Scenarios - Overview"
        facts="Each scenario is a list of changes to this budget, not a copy of it: when the budget changes, the scenario’s figures change too."
      >
        {mayEdit && <Button onClick={() => setAdding('new')}>Add scenario</Button>}
      </PageHead>
      {scenarios.scenarios.length === 0 ? (
        <Card className={emptyStyles.empty}>
          <h2>No scenarios yet</h2>
          <p>Try another award, one class fewer or a post removed, and compare every year with the budget.</p>
          {mayEdit && <Button onClick={() => setAdding('new')}>Add scenario</Button>}
        </Card>
      ) : (
        <SectionStack>
          {scenarios.yearNames.length > 1 && (
            <div>
              <SegmentedControl
                data={scenarios.yearNames}
                value={scenarios.yearNames[year]}
                onChange={setYear}
                aria-label="Year"
                className={scrollStyles.ways}
              />
            </div>
          )}
          <ScenarioComparison scenarioList={scenarios} chosen={chosen} year={year} />
          {scenarios.scenarios.map((scenario) => {
            const inConflict = scenario.changes.filter((one) => one.conflict).length
            return (
              <Card key={scenario.id} aria-label={scenario.name}>
                <CardHead style={{ display: 'flex', gap: 10, alignItems: 'center', flexWrap: 'wrap' }}>
                  <Checkbox
                    aria-label={`Show ${scenario.name} beside the budget`}
                    checked={chosen.includes(scenario)}
                    disabled={scenario.isWithheld || (!chosen.includes(scenario) && chosen.length >= scenarios.mostCompared)}
                    onChange={(event) =>
                      setHidden(event.currentTarget.checked ? hidden.filter((id) => id !== scenario.id) : [...hidden, scenario.id])
                    }
                  />
                  {scenario.name}
                  {inConflict > 0 && <Pill tone="bad">{displayCount(inConflict, 'conflict')}</Pill>}
                  {scenario.notCalculated > scenarios.base.notCalculated && (
                    <Pill tone="warn">{scenario.notCalculated} not calculated</Pill>
                  )}
                  <Group gap={4} ml="auto">
                    {mayEdit && (
                      <>
                        <Button size="compact-sm" variant="default" onClick={() => setAdding(scenario)}>
                          Add change
                        </Button>
                        <Button size="compact-sm" variant="subtle" onClick={() => setRenamed(scenario)}>
                          Rename
                        </Button>
                      </>
                    )}
                    {mayApply && (
                      <Button
                        size="compact-sm"
                        variant="subtle"
                        onClick={() => apply(scenario)}
                        disabled={!scenario.changes.length || inConflict > 0}
                      >
                        Apply to budget
                      </Button>
                    )}
                    {mayEdit && (
                      <Button size="compact-sm" variant="subtle" color="red" onClick={() => void remove(scenario)}>
                        Delete
                      </Button>
                    )}
                  </Group>
                </CardHead>
                {scenario.isWithheld && (
                  <CardBody className={textStyles.dim}>
                    Its figures would reveal what fewer than three people are paid. Only people who can view staff can see them.
                  </CardBody>
                )}
                {scenario.changes.length === 0 ? (
                  <CardBody className={textStyles.dim}>No changes yet.</CardBody>
                ) : (
                  <ul className={momentsStyles.moments}>
                    {scenario.changes.map((one, index) => (
                      <li className={momentsStyles.moment} key={`${index} ${one.words}`}>
                        <div>
                          {one.words}
                          {one.notes.map((note) => (
                            <div className={textStyles.dim} key={note}>
                              {note}
                            </div>
                          ))}
                          {one.conflict && (
                            <Alert color="red" mt={6} p="xs" role="status">
                              {one.conflict} This change is left out.
                            </Alert>
                          )}
                        </div>
                        {mayEdit && (
                          <RemoveButton
                            label={`Remove: ${one.words}`}
                            onRemove={() =>
                              void store(
                                scenario,
                                scenario.name,
                                scenario.changes.filter((_one, at) => at !== index).map((remaining) => remaining.change),
                              ).catch(notifyFailure)
                            }
                          />
                        )}
                      </li>
                    ))}
                  </ul>
                )}
              </Card>
            )
          })}
        </SectionStack>
      )}
      {renamed && (
        <RenameScenarioDialog
          start={renamed.name}
          onClose={() => setRenamed(null)}
          onSave={(name) =>
            store(
              renamed,
              name,
              renamed.changes.map((one) => one.change),
            )
          }
        />
      )}
      {adding && (
        <ScenarioChangeDialog
          scenarioList={scenarios}
          isNew={adding === 'new'}
          onClose={() => setAdding(null)}
          onAdd={(change, name) =>
            adding === 'new'
              ? store(null, name, [change])
              : store(adding, adding.name, [...adding.changes.map((one) => one.change), change])
          }
        />
      )}
    </>
  )
}
ScenariosPage.prepare = prepare
