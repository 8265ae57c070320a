import { undoMonitoringChange as undoMonitoring } from '../../../domain/monitoring/decide.ts'
import type { MonitoringEvent, StoredMonitoringEvent } from '../../../domain/monitoring/events.ts'
import { createEmptyMonitoring, evolve as evolveMonitoring, type MonitoringState } from '../../../domain/monitoring/evolve.ts'
import { undoPayrollChange as undoPayroll } from '../../../domain/payroll/decide.ts'
import type { PayrollEvent, StoredPayrollEvent } from '../../../domain/payroll/events.ts'
import { createEmptyPayroll, evolve as evolvePayroll, type PayrollState } from '../../../domain/payroll/evolve.ts'
import { toUserId, type UserId } from '../../../domain/values/ids.ts'
import { Outcome } from './outcome.ts'

/** Who does what in these stories, unless another person is named. */
const office = toUserId(1)

/** How the logs of a kind are folded, and their changes taken back. */
interface Kind<Event, Stored, State> {
  empty: () => State
  evolve: (state: State, event: Stored) => void
  undo: (
    event: Stored,
    around: { actorId: UserId | null; before: State; later: readonly Stored[]; nameOf: (actorId: UserId) => string },
  ) => Event[]
}

/** A log as its events leave it. */
interface LogStory<Event, State> {
  state: State
  /** What the log keeps of a thing, by its key. */
  item(key: string): unknown
  when(decide: (state: State) => Event[]): Outcome<Event>
  /** When a change is taken back, by its version. */
  whenUndone(version: number, actorId?: UserId): Outcome<Event>
}

function storyOf<Event extends object, Stored, State extends { items: ReadonlyMap<string, { item: unknown }> }>(
  { empty, evolve, undo }: Kind<Event, Stored, State>,
  events: readonly Event[],
): LogStory<Event, State> {
  const log = events.map((event, index) => {
    const version = index + 1
    return { ...event, version, actorId: office, occurredAt: `2027-04-${String(version).padStart(2, '0')}T09:00:00.000Z` } as Stored
  })
  const fold = (some: readonly Stored[]): State => {
    const state = empty()
    for (const event of some) evolve(state, event)
    return state
  }
  const state = fold(log)
  return {
    state,
    item: (key) => state.items.get(key)?.item,
    when: (decide) => new Outcome(() => decide(state)),
    whenUndone: (version, actorId = office) =>
      new Outcome(() =>
        undo(log[version - 1]!, { actorId, before: fold(log.slice(0, version - 1)), later: log.slice(version), nameOf: () => 'Kim Baker' }),
      ),
  }
}

/** Begins with what has happened in a payroll log, of a location or of the organisation. */
export function givenPayroll(...events: PayrollEvent[]): LogStory<PayrollEvent, PayrollState> {
  return storyOf<PayrollEvent, StoredPayrollEvent, PayrollState>(
    { empty: createEmptyPayroll, evolve: evolvePayroll, undo: undoPayroll },
    events,
  )
}

/** Begins with what has happened in a monitoring log, of a location or of the organisation. */
export function givenMonitoring(...events: MonitoringEvent[]): LogStory<MonitoringEvent, MonitoringState> {
  return storyOf<MonitoringEvent, StoredMonitoringEvent, MonitoringState>(
    { empty: createEmptyMonitoring, evolve: evolveMonitoring, undo: undoMonitoring },
    events,
  )
}
