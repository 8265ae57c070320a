import { root } from '../core/root.ts'
import { buildClient } from './buildClient.ts'

/** Builds the client in a separate process, so that a first start can load its data at the same time. */
try {
  await buildClient(root)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
