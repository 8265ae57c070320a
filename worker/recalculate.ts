import type { OrganisationId } from '../domain/values/ids.ts'
import type { Store } from '../server/core/database/database.ts'
import { publishLiveMessage } from '../server/core/live/announce.ts'
import { log } from '../server/core/log.ts'
import type { BudgetsJob, FanOut, FinishRunJob, Queues } from '../server/core/queue/queues.ts'
import { countRecalculation } from '../server/core/watch/counters.ts'
import { announceRecalculationEnd } from '../server/shared/recalculation/announce.ts'
import { tryToEndRun, tryToRecalculateBudget } from '../server/shared/recalculation/commands.ts'
import {
  listUnannouncedRuns,
  listUnfinishedRuns,
  loadRecalculation,
  readProgressAfterCommit,
} from '../server/shared/recalculation/queries.ts'

const progressIntervalMs = 200
/** A run younger than this may still have its first jobs in the queue, so it does not count as stalled. */
const freshMs = 10_000

/** Recalculates budgets. The queue may repeat, lose or delay a job: the database records what is left to do. */
export function createRecalculator({ store, queues, fanOut }: { store: Store; queues: Queues; fanOut: FanOut }) {
  let previouslyLeft = new Map<string, number>()
  let lastPublishedAt = Number.NEGATIVE_INFINITY

  /**
   * Whether probably no worker is working on a run: it has made no progress since the last sweep or, when a sweep first sees it, was
   * started long ago.
   */
  function isStalled({ id, startedAt, count }: { id: string; startedAt: string; count: number }): boolean {
    const before = previouslyLeft.get(id)
    return before === undefined ? Date.now() - Date.parse(startedAt) > freshMs : count >= before
  }

  async function endRun(organisationId: OrganisationId, id: string): Promise<void> {
    if (await tryToEndRun(store, organisationId, id)) await publishEnd(organisationId, id)
  }

  /** Publishes the progress of a run, at most once in `progressIntervalMs`. @returns whether all budgets of the run are done */
  async function publishProgress(organisationId: OrganisationId, id: string): Promise<boolean> {
    const argument = await readProgressAfterCommit(store, organisationId, id)
    const isOver = argument.done === argument.of
    if (isOver || performance.now() - lastPublishedAt > progressIntervalMs) {
      lastPublishedAt = performance.now()
      await publishLiveMessage({ fanOut }, { target: 'RecalculationProgress', argument }, { organisationId })
    }
    return isOver
  }

  async function publishEnd(organisationId: OrganisationId, id: string): Promise<void> {
    await announceRecalculationEnd({ store, fanOut }, organisationId, id)
    queues.requestOutsideCheck()
    const run = await store.inOrganisation(organisationId, (tx) => loadRecalculation(tx, organisationId, id))
    if (run?.finishedAt) countRecalculation((Date.parse(run.finishedAt) - Date.parse(run.startedAt)) / 1000)
  }

  return {
    async budgets({ organisationId, recalculationId, budgetIds }: BudgetsJob): Promise<void> {
      let isOver = false
      for (const budgetId of budgetIds) {
        const outcome = await tryToRecalculateBudget(store, { organisationId, recalculationId, budgetId })
        if (outcome === 'ended') return publishEnd(organisationId, recalculationId)
        if (outcome === 'done') isOver = await publishProgress(organisationId, recalculationId)
      }
      if (isOver) await endRun(organisationId, recalculationId)
    },
    finish: ({ organisationId, recalculationId }: FinishRunJob): Promise<void> => endRun(organisationId, recalculationId),
    /**
     * Ends finished runs, queues stalled ones again, and announces ends that were not announced. Waiting is not an error: a run fails only
     * if one of its own budgets does.
     */
    async sweep(): Promise<void> {
      try {
        const runs = await store.asPlatform(listUnfinishedRuns)
        for (const run of runs)
          if (!run.count) await endRun(run.organisationId, run.id)
          else if (isStalled(run) && run.left.length) await queues.wake(run)
        previouslyLeft = new Map(runs.map((run) => [run.id, run.count]))
        for (const { organisationId, id } of await store.asPlatform(listUnannouncedRuns))
          await announceRecalculationEnd({ store, fanOut }, organisationId, id)
      } catch (error) {
        log.warn({ err: error }, 'the sweep of recalculations failed')
      }
    },
  }
}
