import { serve } from '../../server/serve.ts'

/** The product as a process of its own, with the settings it is given. */
await serve(JSON.parse(process.argv[2]!))
process.send?.('ready')
