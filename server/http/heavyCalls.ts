import { Worker } from 'node:worker_threads'
import { DomainError } from '../../domain/errors.ts'
import type { Config } from '../core/config.ts'
import { log } from '../core/log.ts'
import { type Counted, countHanded } from '../core/watch/counted.ts'
import type { Call, Reply } from './call.ts'

/** Megabytes the long calls of one server may hold in memory together; whatever needs more fails alone. */
const mostMegabytes = 1500

/** Calls of payroll that go through everybody of a school, a group or the whole organisation. */
const wholePayrolls =
  /^payroll\.(backPay\.(ledger|take)|causes\.explain|consoleImport|reconcile|overview(Console)?|locations|complete(Console)?|carryMany|report\.workbook(Console)?)$/

/**
 * Whether a procedure works long on what it is given: whole files and payrolls, budgets compared item by item or folded
 * from their whole log, also to come back from the bin, the figures of a whole pack, all that is held on a person, leavers of every budget and payroll, and histories of
 * mappings of thousands of texts.
 */
export function isHeavy(procedure: string): boolean {
  return (
    /\.(import|export|compare|compareFile|bridge)$|^bin\.restoreBudgets$|^moments\.at$|^monitoring\.(past(Actuals|Forecast)|trackRecord)$|^packs\.(start|get|save|finish)$|^(ledgers|payroll\.providers)\.history$|^subjectAccess\.|^retention\.list$|^reports\.(csv|staffing|workbook|\w+(BySingleLocation|Export))$/.test(
      procedure,
    ) || wholePayrolls.test(procedure)
  )
}

export interface HeavyCalls {
  /** @throws DomainError 503 when the thread ended meanwhile */
  answer(call: Call): Promise<Reply>
  /** Begins the thread now, which takes seconds, so that the first long call does not wait for it. */
  warmUp(): void
  close(): Promise<void>
}

/** What the thread says of a call: its reply, or why it was refused; neither when it failed, which the log tells. */
interface Heard {
  id: number
  reply?: Reply
  refusal?: DomainError
}

interface Waiting {
  done(reply: Reply): void
  failed(error: unknown): void
}

/**
 * A thread for the calls that work long, so that everybody else's are answered meanwhile. It begins with the first of them, or before when
 * it is warmed up, and, should it ever end, again with the next.
 * @param program where the thread begins: beside this file, unless it stands built elsewhere
 */
export function openHeavyCalls(config: Config, program = new URL('./heavyThread.mjs', import.meta.url)): HeavyCalls {
  const waiting = new Map<number, Waiting>()
  let [thread, next]: [Worker | undefined, number] = [undefined, 0]

  function begin(): Worker {
    const worker = new Worker(program, {
      workerData: config,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
    })
    worker.on('message', (heard: Heard | { counted: Counted }) => {
      if ('counted' in heard) return countHanded(heard.counted)
      const { id, reply, refusal } = heard
      const one = waiting.get(id)
      waiting.delete(id)
      if (reply) one?.done(reply)
      else one?.failed(refusal ? refused(refusal) : new Error('A long call failed.'))
    })
    worker.on('error', (error) => log.error({ err: error }, 'the thread of long calls ended'))
    worker.on('exit', () => {
      if (thread === worker) thread = undefined
      for (const one of waiting.values())
        one.failed(
          new DomainError('unavailable', 'ended', 'The server could not finish this. Try it again, with a smaller file if it has one.'),
        )
      waiting.clear()
    })
    worker.unref()
    return worker
  }
  return {
    answer: (call) =>
      new Promise((done, failed) => {
        thread ??= begin()
        const id = next++
        waiting.set(id, { done, failed })
        thread.postMessage(
          { id, call },
          call.body instanceof Uint8Array && call.body.buffer instanceof ArrayBuffer ? [call.body.buffer] : [],
        )
      }),
    warmUp: () => void (thread ??= begin()),
    close: async () => void (await thread?.terminate()),
  }
}

function refused({ kind, code, message, fields, details }: DomainError): DomainError {
  return new DomainError(kind, code, message, { fields, details })
}
