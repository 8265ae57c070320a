import { foldItems, type ItemState, type UndoContext } from '../../../domain/changes/itemLog.ts'
import type { EventEnvelope } from '../../../domain/changes/storedEvent.ts'
import { undoMonitoringChange } from '../../../domain/monitoring/decide.ts'
import type { MonitoringEvent } from '../../../domain/monitoring/events.ts'
import {
  evolve as evolveMonitoring,
  listTouchedKeys as listMonitoringKeys,
  type MonitoringState,
} from '../../../domain/monitoring/evolve.ts'
import { undoPayrollChange } from '../../../domain/payroll/decide.ts'
import type { PayrollEvent } from '../../../domain/payroll/events.ts'
import { evolve as evolvePayroll, listTouchedKeys as listPayrollKeys, type PayrollState } from '../../../domain/payroll/evolve.ts'
import { type LocationId, toLocationId, toOrganisationId, toUserId, type UserId } from '../../../domain/values/ids.ts'
import { Outcome } from './outcome.ts'

/** Does everything in these stories unless another user is named. */
const office = toUserId(1)

type Stored<Event> = Event & EventEnvelope & { locationId: LocationId }

/** How to fold a kind of log and undo its changes. */
interface Kind<Event, Item> {
  evolve: (state: ItemState<Item>, event: Stored<Event>) => void
  touchedKeys: (event: Event) => readonly string[]
  undo: (event: Stored<Event>, context: UndoContext<Item>) => Event[]
}

/** A log after its events. */
interface LogStory<Event, State> {
  state: State
  /** The stored item with this key. */
  item(key: string): unknown
  when(decide: (state: State) => Event[]): Outcome<Event>
  /** Undoes the change of a version. */
  whenUndone(version: number, actorId?: UserId): Outcome<Event>
}

const stream = { organisationId: toOrganisationId(1), locationId: toLocationId(1), requestId: 'story', previousHash: '', hash: '' }

function storyOf<Event extends { data: object }, Item>(
  { evolve, touchedKeys, undo }: Kind<Event, Item>,
  events: readonly Event[],
): LogStory<Event, ItemState<Item>> {
  const log = events.map((event, index): Stored<Event> => {
    const version = index + 1
    const occurredAt = `2027-04-${String(version).padStart(2, '0')}T09:00:00.000Z`
    return { ...event, ...stream, version, position: version, actorId: office, occurredAt }
  })
  const fold = (some: readonly Stored<Event>[]) => foldItems(evolve, some)
  const state = fold(log)
  return {
    state,
    item: (key) => state.items.get(key)?.item,
    when: (decide) => new Outcome(() => decide(state)),
    whenUndone: (version, actorId = office) =>
      new Outcome(() => {
        const event = log[version - 1]!
        const keys = new Set(touchedKeys(event))
        const later = log.slice(version).filter((one) => touchedKeys(one).some((key) => keys.has(key)))
        return undo(event, { actorId, before: fold(log.slice(0, version - 1)), later, nameOf: () => 'Kim Baker' })
      }),
  }
}

/** Starts a story with past events of a payroll log, of a location or of the organisation. */
export function givenPayroll(...events: PayrollEvent[]): LogStory<PayrollEvent, PayrollState> {
  return storyOf({ evolve: evolvePayroll, touchedKeys: listPayrollKeys, undo: undoPayrollChange }, events)
}

/** Starts a story with past events of a monitoring log, of a location or of the organisation. */
export function givenMonitoring(...events: MonitoringEvent[]): LogStory<MonitoringEvent, MonitoringState> {
  return storyOf({ evolve: evolveMonitoring, touchedKeys: listMonitoringKeys, undo: undoMonitoringChange }, events)
}
