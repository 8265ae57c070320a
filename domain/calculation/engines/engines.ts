import { conflict } from '../../errors.ts'
import { type Engine, engine as newestEngine } from '../engine.ts'
import { engine as engine100 } from './1.0.0/calculation/engine.ts'

/** Every engine that worked out a figure of some log, each as it was then: only the newest may change (rules.md §16). */
const engines: readonly Engine[] = [
  // It reads inputs of its time alone, in which every point has a rate in every pay area.
  engine100 as Engine,
  newestEngine,
]

/** The engine of whatever was kept before it named one. */
const first = '1.0.0'

/** The engine of a version; undefined for one that this version of the product does not have. */
export function knownEngine(version = first): Engine | undefined {
  return engines.find((engine) => engine.version === version)
}

/** The engine of a version. @throws DomainError 409 for one that this version of the product does not have */
export function engineOf(version?: string): Engine {
  const engine = knownEngine(version)
  if (!engine) throw conflict('engineMissing', `This version of Bursar does not have engine ${version}, which worked this out.`)
  return engine
}
