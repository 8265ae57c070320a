import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { stopTimeoutMs } from '../core/process.ts'
import { root } from '../core/root.ts'
import type { Env } from '../core/settings.ts'

/** Milliseconds before a process that died is restarted. */
const restartDelayMs = 1000

/** How long a program may take to become ready, so that one that hangs does not block the start for ever. */
const maxStartMs = 60_000

export interface ChildProgram {
  end(): Promise<void>
}

export interface ProgramCommand {
  script: string
  env: Env
  words?: readonly string[]
  nodeOptions?: readonly string[]
}

/** The child processes of a launcher. A process that dies is restarted. Its work is in the database, so none is lost. */
export class ChildPrograms {
  private readonly children = new Set<ChildProgram>()

  /**
   * Starts a program and resolves once it is ready.
   * @param name the name of the program in messages
   * @throws Error if it ends early or is not ready in time
   */
  async start(name: string, program: ProgramCommand): Promise<ChildProgram> {
    let running = this.fork(name, program)
    let isEnding = false
    const restartWhenItEnds = (): void =>
      void running.once('exit', (code) => {
        if (isEnding) return
        console.error(`The ${name} ended (${code}); restarting it.`)
        setTimeout(() => {
          if (isEnding) return
          running = this.fork(name, program)
          restartWhenItEnds()
        }, restartDelayMs)
      })
    const child: ChildProgram = {
      end: async () => {
        isEnding = true
        this.children.delete(child)
        await endProcess(running)
      },
    }
    this.children.add(child)
    const outcome = await Promise.race([isReady(running), wait(maxStartMs, 'late' as const, { ref: false })])
    if (outcome !== 'ready') {
      await child.end()
      throw new Error(
        outcome === 'late' ? `The ${name} was not ready after ${maxStartMs / 1000} s.` : `The ${name} ended before it was ready.`,
      )
    }
    restartWhenItEnds()
    return child
  }

  /**
   * Runs a program until it ends.
   * @param sentence what to say if it fails
   * @throws Error with `sentence` if it fails
   */
  async runToEnd(sentence: string, { script, env, nodeOptions = [] }: ProgramCommand): Promise<void> {
    const running = fork(script, { cwd: root, env, execArgv: [...nodeOptions] })
    const child: ChildProgram = { end: () => endProcess(running) }
    this.children.add(child)
    const code = await new Promise((done) => running.once('exit', done))
    this.children.delete(child)
    if (code !== 0) throw new Error(sentence)
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.children].map((child) => child.end()))
  }

  private fork(name: string, { script, env, words = [], nodeOptions = [] }: ProgramCommand): ChildProcess {
    return fork(script, words, { cwd: root, env: { ...env, BURSAR_PROCESS: name }, execArgv: [...nodeOptions] })
  }
}

function isReady(child: ChildProcess): Promise<'ready' | 'ended'> {
  return new Promise((done) => {
    child.on('message', (message) => message === 'ready' && done('ready'))
    child.once('exit', () => done('ended'))
  })
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((done) => child.once('exit', done))
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
  await ended
  clearTimeout(late)
}
