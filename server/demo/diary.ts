import type { CommentInput } from '../../domain/budget/items/comment.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import type { BudgetId, OrganisationId, UserId } from '../../domain/values/ids.ts'
import type { Actor } from '../core/calls/actor.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import { markCommentsRead, runAddComment, runChangeComment } from '../shared/approval/commands.ts'

export interface DemoPerson {
  id: UserId
  name: string
}

export interface Diary {
  /** Ruth Mensah, the trust's finance lead. */
  finance: DemoPerson
  /** Sam Turner, business manager of Northgate. */
  manager: DemoPerson
  /** Alex Grant, the administrator. */
  administrator: DemoPerson
  /** Grace Hall, governor of Northgate. */
  governor: DemoPerson
  /**
   * Returns a person as the actor of a change at a past time.
   * @param at ISO 8601 to the minute, in UTC
   */
  by(person: DemoPerson, at: string): Actor
}

/**
 * Creates a trust's diary. Its dates are fixed in the code, so that every installation has the same history. A date later than the
 * machine's clock is replaced by the current time, because nothing may happen in the future.
 * @param people by email address
 */
export function createDiary(people: ReadonlyMap<string, DemoPerson>, requestId: string, now: Date): Diary {
  const findPerson = (email: string): DemoPerson => assertDefined(people.get(email))
  return {
    finance: findPerson('finance@harbour.example'),
    manager: findPerson('northgate@harbour.example'),
    administrator: findPerson('admin@bursar.example'),
    governor: findPerson('governor@harbour.example'),
    by: ({ id: userId }, at) => ({ userId, requestId, now: toDiaryTime(at, now) }),
  }
}

/** Returns a time of the diary, but no later than now. @param at ISO 8601 to the minute, in UTC */
export function toDiaryTime(at: string, now: Date): Date {
  return new Date(Math.min(Date.parse(`${at}:00Z`), now.getTime()))
}

export interface DemoConversation {
  /** @returns the id of the comment */
  say(
    person: DemoPerson,
    at: string,
    comment: { about: CommentInput['about']; text: string; mentioned?: readonly DemoPerson[] },
  ): Promise<string>
  read(person: DemoPerson, at: string, ids: readonly string[]): Promise<void>
  resolve(person: DemoPerson, at: string, ids: readonly string[]): Promise<void>
}

/** @param budget the budget that the comments are about */
export function openConversation(
  tx: OrganisationTx,
  budget: { organisationId: OrganisationId; budgetId: BudgetId },
  diary: Diary,
): DemoConversation {
  const { finance, manager, governor, by } = diary
  return {
    say: (person, at, { about, text, mentioned = [] }) =>
      runAddComment({ tx, ...budget, actor: by(person, at) }, { about, text, mentionIds: mentioned.map(({ id }) => id) }, [
        finance,
        manager,
        governor,
      ]),
    read: (person, at, ids) => markCommentsRead({ tx, ...budget, now: by(person, at).now }, person.id, ids),
    async resolve(person, at, ids) {
      for (const id of ids) await runChangeComment({ tx, ...budget, actor: by(person, at) }, id, 'resolve')
    },
  }
}
