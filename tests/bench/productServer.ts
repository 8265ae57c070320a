import { serve } from '../../server/serve.ts'

/** Serves the product in a process of its own, with the settings passed as JSON. */
await serve(JSON.parse(process.argv[2]!))
process.send?.('ready')
