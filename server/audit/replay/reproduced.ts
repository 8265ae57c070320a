import { knownEngine } from '../../../domain/calculation/engines/engines.ts'
import type { Replayed } from './replayLog.ts'

/** How much of a budget a replay proves. */
export interface Reproduced {
  /** Worked out again from kept inputs by the engine that each names, with the same pennies. */
  reproduced: { recalculations: number; entries: number }
  /** Taken as the log has it: sides of pools and top slices, and amounts that a calculation or prediction gave. */
  recorded: { entries: number; transfers: number }
  /** Worked out by an engine that this version of the product does not have. */
  notReproduced: { recalculations: number; entries: number; engines: string[] }
}

/** Counts what a replay worked out again, what it took as recorded, and what it could not work out. */
export function reproducedBy({ state, recalculations }: Replayed): Reproduced {
  const entries = [...state.items.values()].flatMap((stored) => (stored.kind === 'entry' ? [stored.item] : []))
  const typed = entries.filter(({ source }) => source === null)
  const lost = typed.filter(({ basis }) => !knownEngine(basis.engine))
  const lostRuns = recalculations.filter(({ outcome }) => outcome === 'notReproduced')
  return {
    reproduced: {
      recalculations: recalculations.filter(({ outcome }) => outcome === 'same').length,
      entries: typed.length - lost.length,
    },
    recorded: { entries: entries.length - typed.length, transfers: state.transfers?.transfers.length ?? 0 },
    notReproduced: {
      recalculations: lostRuns.length,
      entries: lost.length,
      engines: [...new Set([...lostRuns.map(({ engine }) => engine), ...lost.flatMap(({ basis }) => basis.engine ?? [])])],
    },
  }
}
