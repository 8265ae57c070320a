import { resolve } from 'node:path'
import { buildClient } from '../launch/buildClient.ts'

/** Builds the client for an image; `npm start` does so by itself. */
await buildClient(resolve(import.meta.dirname, '../..'))
