import { createServer } from 'node:http'
import { initTRPC, TRPCError } from '@trpc/server'
import { nodeHTTPRequestHandler } from '@trpc/server/adapters/node-http'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import postgres from 'postgres'
import { z } from 'zod'
import { getApiAudience, getIssuerUrl } from '../../server/auth/provider.ts'
import type { Config } from '../../server/core/config.ts'

/**
 * The floor for each call: the smallest tRPC server that verifies a token and returns the same rows with one query under row-level
 * security.
 */
const config: Config = JSON.parse(process.argv[2]!)
const [port, organisationId] = process.argv.slice(3) as [string, string]
const sql = postgres(config.databaseUrl, { max: 10, onnotice: () => undefined, connection: { role: 'bursar_app' } })
const keys = createRemoteJWKSet(new URL(`${getIssuerUrl(config)}/jwks`))
const t = initTRPC.context<{ token: string }>().create()

const router = t.router({
  rows: t.procedure
    .use(async ({ ctx, next }) => {
      const known = await jwtVerify(ctx.token, keys, { issuer: getIssuerUrl(config), audience: getApiAudience(config) }).catch(() => null)
      if (!known) throw new TRPCError({ code: 'UNAUTHORIZED' })
      return next()
    })
    .input(z.object({ call: z.string() }))
    .query(async ({ input }) => {
      const [, rows] = await sql.begin('read only', (tx) => [
        tx`select set_config('app.organisation_id', ${organisationId}, true)`,
        tx<
          { data: unknown }[]
        >`select data from floor_rows where organisation_id = ${organisationId}::int and call = ${input.call} order by place`,
      ])
      return { rows: rows.map(({ data }) => data), total: rows.length }
    }),
})

createServer((req, res) => {
  const { pathname } = new URL(req.url!, 'http://localhost')
  const createContext = () => ({ token: req.headers.authorization?.slice('Bearer '.length) ?? '' })
  return nodeHTTPRequestHandler({ req, res, path: pathname.slice(1), router, createContext })
}).listen(Number(port), () => process.send?.('ready'))
