import type { CommentInput } from '../../domain/budget/items/comment.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import type { BudgetId, OrganisationId, UserId } from '../../domain/values/ids.ts'
import type { Actor } from '../core/calls/actor.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { runAddComment, runChangeComment, seeComments } from '../features/versions/approval/commands.ts'

/** Somebody of the demo, as comments mention them. */
export interface DemoPerson {
  id: UserId
  name: string
}

/** Who of the demo trust did what, and when. */
export interface Diary {
  /** Ruth Mensah, who leads the trust's finance. */
  finance: DemoPerson
  /** Sam Turner, who manages Northgate. */
  manager: DemoPerson
  /** Alex Grant, the administrator. */
  administrator: DemoPerson
  /** Grace Hall, governor of Northgate. */
  governor: DemoPerson
  /**
   * Somebody at a moment of the past.
   * @param at ISO 8601 to the minute, in UTC
   */
  by(person: DemoPerson, at: string): Actor
}

/**
 * The diary of a trust whose people are known. Its moments stand in the code, so that the demo tells the same story everywhere; where the
 * clock of an installation is not yet there, they happen as it is loaded: nothing is ever done in the future.
 * @param people by their addresses
 */
export function diaryOf(people: ReadonlyMap<string, DemoPerson>, requestId: string, now: Date): Diary {
  const known = (email: string): DemoPerson => assertDefined(people.get(email))
  return {
    finance: known('finance@harbour.example'),
    manager: known('northgate@harbour.example'),
    administrator: known('admin@bursar.example'),
    governor: known('governor@harbour.example'),
    by: ({ id: userId }, at) => ({ userId, requestId, now: momentOf(at, now) }),
  }
}

/** A moment of the story, or the load where that comes first. @param at ISO 8601 to the minute, in UTC */
export function momentOf(at: string, now: Date): Date {
  return new Date(Math.min(Date.parse(`${at}:00Z`), now.getTime()))
}

/** What is said of the figures of a budget, by whom, and who has read it. */
export interface Conversation {
  /** @returns the id of what was said */
  say(who: DemoPerson, at: string, said: { about: CommentInput['about']; text: string; mentioned?: readonly DemoPerson[] }): Promise<string>
  read(who: DemoPerson, at: string, ids: readonly string[]): Promise<void>
  resolve(who: DemoPerson, at: string, ids: readonly string[]): Promise<void>
}

/** @param place the budget that is spoken of */
export function conversation(
  tx: OrganisationTx,
  place: { organisationId: OrganisationId; budgetId: BudgetId },
  diary: Diary,
): Conversation {
  const { finance, manager, governor, by } = diary
  return {
    say: (who, at, { about, text, mentioned = [] }) =>
      runAddComment({ tx, ...place, actor: by(who, at) }, { about, text, mentionIds: mentioned.map(({ id }) => id) }, [
        finance,
        manager,
        governor,
      ]),
    read: (who, at, ids) => seeComments({ tx, ...place, now: by(who, at).now }, who.id, ids),
    async resolve(who, at, ids) {
      for (const id of ids) await runChangeComment({ tx, ...place, actor: by(who, at) }, id, 'resolve')
    },
  }
}
