import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { waitForStopMs } from '../core/process.ts'
import { root } from '../core/root.ts'
import type { Env } from '../core/settings.ts'

/** How long a process that died rests before it is started again. */
const restMs = 1000

/** How long a program may take until it is ready: one that hangs would keep whoever started it waiting for ever. */
const readyWithinMs = 60_000

/** A program that runs as a process of its own. */
export interface Child {
  /** Ends it for good, by force when it does not listen. */
  end(): Promise<void>
}

/** How a program is run. */
export interface Program {
  /** The file that node runs. */
  script: string
  env: Env
  /** Options of node itself. */
  nodeOptions?: readonly string[]
}

/** The processes of a launcher. One that dies is started again: what it was doing is in the database. */
export class Children {
  private readonly children = new Set<Child>()

  /**
   * Starts a program.
   * @param name what people call it
   * @returns once it says that it is ready
   * @throws Error when it ends before, or is not ready in time
   */
  async start(name: string, program: Program): Promise<Child> {
    let running = this.fork(name, program)
    let isEnding = false
    const restartWhenItEnds = (): void =>
      void running.once('exit', (code) => {
        if (isEnding) return
        console.error(`The ${name} ended (${code}); starting it again.`)
        setTimeout(() => {
          if (isEnding) return
          running = this.fork(name, program)
          restartWhenItEnds()
        }, restMs)
      })
    const child: Child = {
      end: async () => {
        isEnding = true
        this.children.delete(child)
        await endProcess(running)
      },
    }
    this.children.add(child)
    const outcome = await Promise.race([isReady(running), wait(readyWithinMs, 'late' as const, { ref: false })])
    if (outcome !== 'ready') {
      await child.end()
      throw new Error(
        outcome === 'late' ? `The ${name} was not ready after ${readyWithinMs / 1000} s.` : `The ${name} ended before it was ready.`,
      )
    }
    restartWhenItEnds()
    return child
  }

  /** Runs a program to its end. @throws Error with this sentence when it fails */
  async finish(sentence: string, { script, env, nodeOptions = [] }: Program): Promise<void> {
    const running = fork(script, { cwd: root, env, execArgv: [...nodeOptions] })
    const child: Child = { end: () => endProcess(running) }
    this.children.add(child)
    const code = await new Promise((done) => running.once('exit', done))
    this.children.delete(child)
    if (code !== 0) throw new Error(sentence)
  }

  /** Ends all of them. */
  async endAll(): Promise<void> {
    await Promise.all([...this.children].map((child) => child.end()))
  }

  private fork(name: string, { script, env, nodeOptions = [] }: Program): ChildProcess {
    return fork(script, { cwd: root, env: { ...env, BURSAR_PROCESS: name }, execArgv: [...nodeOptions] })
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
  const late = setTimeout(() => child.kill('SIGKILL'), waitForStopMs)
  await ended
  clearTimeout(late)
}
