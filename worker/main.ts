import { readConfig } from '../server/config.ts'
import { runProcess } from '../server/process.ts'
import { work } from './work.ts'

/** The process of a worker. */
await runProcess(() => work(readConfig()))
