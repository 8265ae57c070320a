import { type ChildProcess, spawn } from 'node:child_process'

/** Starts Redis, which keeps nothing. @returns once it accepts connections */
export function startRedisOn(port: number, ...words: string[]): Promise<ChildProcess> {
  return startRedisProgram(['--port', String(port), '--save', '', '--appendonly', 'no', '--daemonize', 'no', ...words], 'Ready to accept')
}

/** Starts a sentinel. @param file its settings, which it rewrites @returns once it watches the master */
export function startSentinel(file: string): Promise<ChildProcess> {
  return startRedisProgram([file, '--sentinel'], '+monitor master')
}

function startRedisProgram(words: string[], ready: string): Promise<ChildProcess> {
  return new Promise((done, failed) => {
    const child = spawn('redis-server', words)
    child.stdout?.on('data', (said) => String(said).includes(ready) && done(child))
    child.on('error', failed)
    child.on('exit', () => failed(new Error('Redis ended before it was ready.')))
  })
}
