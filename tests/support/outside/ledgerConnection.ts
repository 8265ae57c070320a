import type { ServerResponse } from 'node:http'
import { presets } from '../../../domain/integrations/files/presets.ts'
import { integrationType } from '../../../domain/lookups/lookupIds.ts'
import { type Body, type Caller, findTrustIds, type Reply } from '../product/http.ts'
import { startWebService } from './otherSystems.ts'

/** Replies to a journal. `count` is the number of journals sent so far. */
export type LedgerReply = (response: ServerResponse, count: number) => void

/** Creates a connection that posts a school’s budget journal to a simulated ledger every night. */
export async function createLedgerConnection(by: Caller, answer: LedgerReply = (response) => response.end()) {
  let count = 0
  const service = await startWebService((request, response) => {
    request.resume()
    if (request.method === 'POST') answer(response, ++count)
    else response.end()
  })
  const { organisationId, locations } = await findTrustIds(by)
  const headers = { OrganisationId: organisationId }
  const call = async (method: string, path: string, body?: unknown): Promise<Body> => {
    const reply: Reply = await by.call(method, `/api/integrations/${path}`, body, headers)
    if (reply.status >= 300) throw new Error(`${path}: ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  const name = `Ledger at ${service.address}`
  const layout = await call('POST', 'layouts', { name, layout: { ...presets[0]!.layout, levyAccount: '7100' } })
  const credential = await call('POST', 'credentials', { description: name, integrationType: integrationType.webService })
  const values = { address: `${service.address}/`, signIn: 'apiKey', keyHeader: 'X-Api-Key', apiKey: 'a-key' }
  const rows = Object.entries(values).map(([setting, value]) => ({ credentialId: credential.id, name: setting, value }))
  await call('PUT', 'credentials/parameters', rows)
  const { id } = await call('POST', 'connections', {
    name,
    kind: 'budgetJournal',
    credentialId: credential.id,
    path: '/journals',
    format: 'csv',
    schedule: { every: 'day', at: '02:30', day: 1 },
    file: { layoutId: layout.id, yearName: '2026/27', locationIds: [locations.Northgate!], from: 1, to: 2 },
  })
  return {
    id: id as number,
    sent: () => count,
    run: () => by.call('POST', `/api/integrations/connections/${id}/run`, undefined, headers),
    outcomes: async (): Promise<string[]> => (await call('GET', `connections/${id}/runs`)).map((run: Body) => run.outcome),
  }
}
