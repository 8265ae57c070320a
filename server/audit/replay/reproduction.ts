import { findEngine } from '../../../domain/calculation/engines/engines.ts'
import type { ReplayedBudget } from './replayLog.ts'

export interface ReproductionSummary {
  /** Recalculated from stored inputs by the recorded engine, with the same result to the penny. */
  reproduced: { recalculations: number; entries: number }
  /** Accepted as recorded: pools and top slices, and amounts that came from a calculation or prediction. */
  recorded: { entries: number; transfers: number }
  /** Calculated by an engine that this version does not have. */
  notReproduced: { recalculations: number; entries: number; engines: string[] }
}

export function summariseReproduction({ state, recalculations }: ReplayedBudget): ReproductionSummary {
  const entries = [...state.items.values()].flatMap((stored) => (stored.kind === 'entry' ? [stored.item] : []))
  const typed = entries.filter(({ source }) => source === null)
  const lostEntries = typed.filter(({ basis }) => !findEngine(basis.engine))
  const lostRuns = recalculations.filter(({ outcome }) => outcome === 'notReproduced')
  return {
    reproduced: {
      recalculations: recalculations.filter(({ outcome }) => outcome === 'same').length,
      entries: typed.length - lostEntries.length,
    },
    recorded: { entries: entries.length - typed.length, transfers: state.transfers?.transfers.length ?? 0 },
    notReproduced: {
      recalculations: lostRuns.length,
      entries: lostEntries.length,
      engines: [...new Set([...lostRuns.map(({ engine }) => engine), ...lostEntries.flatMap(({ basis }) => basis.engine ?? [])])],
    },
  }
}
