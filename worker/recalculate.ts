import { poundsOf } from '../domain/format.ts'
import { log } from '../server/log.ts'
import type { BudgetJob, FanOut, Queues, RunJob } from '../server/queue/queues.ts'
import { anchorChains } from '../server/store/anchors.ts'
import type { Store } from '../server/store/database.ts'
import { progressOf } from '../server/store/groupStore.ts'
import {
  budgetIdsOf,
  finishRecalculation,
  type RecalculationRow,
  recalculateBudget,
  recalculationRow,
  unfinished,
} from '../server/store/recalculationStore.ts'

/** A run that the workers tried this often without ending is given up, so that the lock cannot stay on. */
const mostSweeps = 60

/** What a worker does for recalculations. Every step may run twice, late or not at all; the rows say what is left. */
export function recalculator({ store, queues, fanOut }: { store: Store; queues: Queues; fanOut: FanOut }) {
  const woken = new Map<string, { left: number; tries: number }>()

  async function announceEnd(run: RecalculationRow, budgetIds: string[]): Promise<void> {
    const argument = {
      budgetGroupId: run.groupId,
      budgetIds,
      totals: run.totals?.years.map(poundsOf) ?? [],
      position: run.position ?? 0,
      failed: run.failure !== null,
    }
    await fanOut.publish(run.organisationId, { target: 'BudgetsRecalculated', argument })
  }

  async function end(organisationId: number, id: string, failure: string | null = null): Promise<void> {
    const { run, budgetIds } = await store.inOrganisation(organisationId, async (tx) => {
      const run = await finishRecalculation(tx, organisationId, id, new Date(), failure)
      return { run, budgetIds: run ? await budgetIdsOf(tx, organisationId, id) : [] }
    })
    if (run) await announceEnd(run, budgetIds)
  }

  return {
    async budget({ organisationId, recalculationId, budgetId }: BudgetJob): Promise<void> {
      const isDone = await store.inOrganisation(organisationId, (tx) =>
        recalculateBudget(tx, organisationId, recalculationId, budgetId, new Date()),
      )
      if (!isDone) return
      // Counted after the commit: of two budgets that end side by side, neither sees the other before.
      const { progress, run } = await store.inOrganisation(organisationId, async (tx) => ({
        progress: await progressOf(tx, organisationId, recalculationId),
        run: await recalculationRow(tx, organisationId, recalculationId),
      }))
      await fanOut
        .publish(organisationId, { target: 'RecalculationProgress', argument: { budgetGroupId: run?.groupId, ...progress } })
        .catch(() => undefined)
      if (progress.done === progress.of) await end(organisationId, recalculationId)
    },
    finish: ({ organisationId, recalculationId }: RunJob): Promise<void> => end(organisationId, recalculationId),
    /** Wakes every run that has not moved since the last look, and writes out the anchors of the day. */
    async sweep(): Promise<void> {
      try {
        const runs = await store.asPlatform((tx) => unfinished(tx))
        for (const run of runs) {
          const before = woken.get(run.id)
          const stuck = before?.left === run.budgetIds.length
          woken.set(run.id, { left: run.budgetIds.length, tries: stuck ? before.tries + 1 : 0 })
          if (!run.budgetIds.length) await end(run.organisationId, run.id)
          else if (stuck && before.tries >= mostSweeps) await end(run.organisationId, run.id, 'The recalculation did not finish.')
          else if (stuck || !before) await queues.wake(run)
        }
        for (const id of woken.keys()) if (!runs.some((run) => run.id === id)) woken.delete(id)
        await anchorChains(store, new Date())
      } catch (error) {
        log.warn({ err: error }, 'sweep')
      }
    },
  }
}
