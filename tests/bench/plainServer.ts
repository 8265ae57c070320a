import { createServer } from 'node:http'
import postgres from 'postgres'

/** The floor for the REST API: a page of budget codes from node:http and postgres.js, without sign-in, rights or checks. */
const [databaseUrl, port, organisationId] = process.argv.slice(2) as [string, string, string]
const sql = postgres(databaseUrl, { max: 10, onnotice: () => undefined })
const columns = sql`id, version, created, organisation_id, code, type, description, category`

createServer((req, res) => {
  let text = ''
  req.on('data', (part) => {
    text += part
  })
  req.on('end', async () => {
    const { pageNumber, pageSize } = JSON.parse(text) as { pageNumber: number; pageSize: number }
    const [rows, [counted]] = await Promise.all([
      sql`select ${columns} from budget_codes where organisation_id = ${organisationId} order by code, id
        limit ${pageSize} offset ${(pageNumber - 1) * pageSize}`,
      sql`select count(*)::int as total from budget_codes where organisation_id = ${organisationId}`,
    ])
    const body = JSON.stringify({ rows, total: counted!.total })
    res.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(body) })
    res.end(body)
  })
}).listen(Number(port), () => process.send?.('ready'))
