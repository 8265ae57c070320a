import { root } from '../core/root.ts'
import { buildClient } from './buildClient.ts'

/** Builds the client in a process of its own, so that a first start loads its data meanwhile. */
try {
  await buildClient(root, 'quickly')
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
