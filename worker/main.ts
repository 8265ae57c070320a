import { readConfig, takeSecretFiles } from '../server/core/config.ts'
import { runProcess } from '../server/core/process.ts'
import { work } from './work.ts'

/** The process of a worker. */
await runProcess(() => {
  takeSecretFiles()
  return work(readConfig())
})
