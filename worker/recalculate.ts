import type { OrganisationId } from '../domain/values/ids.ts'
import type { Store } from '../server/core/database/database.ts'
import { publish } from '../server/core/live/announce.ts'
import { log } from '../server/core/log.ts'
import type { BudgetsJob, FanOut, Queues, RunJob } from '../server/core/queue/queues.ts'
import { countRecalculation } from '../server/core/watch/counted.ts'
import { announceEnd } from '../server/shared/recalculation/announce.ts'
import { tryToEnd, tryToRecalculate } from '../server/shared/recalculation/commands.ts'
import { progressNow, recalculationRow, unannounced, unfinished } from '../server/shared/recalculation/queries.ts'

/** How long nobody is told how far a run is after they were told. */
const quietMs = 200
/** A run that began so lately has jobs of its own on their way. */
const freshMs = 10_000

/** What a worker does for recalculations. Every step may run twice, late or not at all; the rows say what is left. */
export function recalculator({ store, queues, fanOut }: { store: Store; queues: Queues; fanOut: FanOut }) {
  /** How many budgets each run still had to do at the last look. */
  let leftBefore = new Map<string, number>()
  /** When people were last told how far a run is. */
  let toldAt = Number.NEGATIVE_INFINITY

  /** Whether nobody seems to be at a run: nothing of it was done since the last look, or it began long before the first. */
  function stands({ id, startedAt, count }: { id: string; startedAt: string; count: number }): boolean {
    const before = leftBefore.get(id)
    return before === undefined ? Date.now() - Date.parse(startedAt) > freshMs : count >= before
  }

  async function end(organisationId: OrganisationId, id: string): Promise<void> {
    if (await tryToEnd(store, organisationId, id)) await tellOfEnd(organisationId, id)
  }

  /** Tells people how far a run is, unless they were told a moment ago. @returns whether all of its budgets are done */
  async function tellHowFar(organisationId: OrganisationId, id: string): Promise<boolean> {
    const argument = await progressNow(store, organisationId, id)
    const isOver = argument.done === argument.of
    if (isOver || performance.now() - toldAt > quietMs) {
      toldAt = performance.now()
      await publish({ fanOut }, { target: 'RecalculationProgress', argument }, { organisationId })
    }
    return isOver
  }

  async function tellOfEnd(organisationId: OrganisationId, id: string): Promise<void> {
    await announceEnd({ store, fanOut }, organisationId, id)
    queues.lookOutside()
    const run = await store.inOrganisation(organisationId, (tx) => recalculationRow(tx, organisationId, id))
    if (run?.finishedAt) countRecalculation((Date.parse(run.finishedAt) - Date.parse(run.startedAt)) / 1000)
  }

  return {
    async budgets({ organisationId, recalculationId, budgetIds }: BudgetsJob): Promise<void> {
      let isOver = false
      for (const budgetId of budgetIds) {
        const outcome = await tryToRecalculate(store, { organisationId, recalculationId, budgetId })
        if (outcome === 'ended') return tellOfEnd(organisationId, recalculationId)
        if (outcome === 'done') isOver = await tellHowFar(organisationId, recalculationId)
      }
      if (isOver) await end(organisationId, recalculationId)
    },
    finish: ({ organisationId, recalculationId }: RunJob): Promise<void> => end(organisationId, recalculationId),
    /**
     * Ends what is done, wakes every run that has not moved since the last look, and tells of ends that nobody was told of. Waiting
     * is not failing: a run is given up only for what its own budgets meet.
     */
    async sweep(): Promise<void> {
      try {
        const runs = await store.asPlatform(unfinished)
        for (const run of runs)
          if (!run.count) await end(run.organisationId, run.id)
          else if (stands(run) && run.left.length) await queues.wake(run)
        leftBefore = new Map(runs.map((run) => [run.id, run.count]))
        for (const { organisationId, id } of await store.asPlatform(unannounced)) await announceEnd({ store, fanOut }, organisationId, id)
      } catch (error) {
        log.warn({ err: error }, 'sweep')
      }
    },
  }
}
