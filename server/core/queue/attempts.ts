import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { type Thrown, thrown } from '../thrown.ts'

/** Begun this often without an end, a job is over: whatever ends the process that does it leaves no error to compare. */
export const mostAttempts = 10

/** Conditions of the database and the network that pass by themselves: a lost connection, a deadlock, no room, a restart. */
const passing = /^(08|40|53|55P03|57)|^(ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|CONNECTION_|CONNECT_TIMEOUT)/

function root(error: unknown): Thrown {
  let at = thrown(error)
  while (typeof at.cause === 'object' && at.cause !== null) at = thrown(at.cause)
  return at
}

/** Whether trying again later may help without anybody mending anything: that is waiting, not failing. */
export function isPassing(error: unknown): boolean {
  return passing.test(root(error).code ?? '')
}

/** How something failed, so that two failures can be compared; without values, which may be about people. */
export function wayOf(error: unknown): string {
  const { code, name, constraint, message } = root(error)
  if (code && /^[0-9A-Z]{5}$/.test(code)) return `${code} ${constraint ?? ''}`.trim()
  return `${name ?? 'Error'}: ${assertDefined((message ?? '').split('\n')[0]).slice(0, 200)}`
}
