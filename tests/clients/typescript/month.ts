import createClient from 'openapi-fetch'
import type { components, paths } from './bursar.d.ts'

// What a ledger does at the end of a month: it imports the actuals, then reads the budget’s position and the month’s events.
// This command generates the types:
//   npx openapi-typescript http://localhost:3000/api/openapi.json -o bursar.d.ts
const settings = {
  BURSAR: 'http://localhost:3000',
  CLIENT_ID: 'harbour-payroll',
  CLIENT_SECRET: 'harbour-payroll-demo-secret',
  ORGANISATION: '1',
  MONTH: '2026-10',
  ...process.env,
}

/** Signs in with client credentials. The access token is valid for ten minutes. */
async function token(): Promise<string> {
  const reply = await fetch(`${settings.BURSAR}/oidc/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: settings.CLIENT_ID,
      client_secret: settings.CLIENT_SECRET,
      scope: 'api',
    }),
  })
  const answer = (await reply.json()) as { access_token?: string }
  if (!answer.access_token) throw new Error(`No token: ${reply.status}`)
  return answer.access_token
}

/** The data of a successful reply. @throws Error with the sentence of a refusal */
function answered<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data === undefined) throw new Error(`${response.status}: ${typeof error === 'string' ? error : JSON.stringify(error)}`)
  return data
}

const bursar = createClient<paths>({
  baseUrl: settings.BURSAR,
  headers: { ApiVersion: '2', Authorization: `Bearer ${await token()}` },
})
const params = { header: { OrganisationId: Number(settings.ORGANISATION) } }

const places = answered(await bursar.POST('/api/MyLocations/list', { params, body: { pageNumber: 1, pageSize: 100 } }))
const codes = answered(await bursar.POST('/api/BudgetCodes/list', { params, body: { pageNumber: 1, pageSize: 100 } }))
const centres = answered(await bursar.POST('/api/CostCentres/list', { params, body: { pageNumber: 1, pageSize: 100 } }))
const [place, code, centre] = [places.rows[0], codes.rows.find((row) => row.type === 2), centres.rows[0]]
if (!place?.budgetCodeFilter || !code || !centre) throw new Error('Nothing to import for.')

const report = answered(await bursar.POST('/api/Reporting/TrialBudget', { params, body: { locationIds: [place.id] } }))

const lines: components['schemas']['ActualCommitmentImportRequestRow'][] = [
  {
    Type: 'Actual',
    BudgetCodeFilter: place.budgetCodeFilter,
    Value: '1250.50',
    BudgetCode: code.code,
    CostCentre: centre.code,
    Description: 'Supply cover',
  },
]
const [year, month] = settings.MONTH.split('-').map(Number)
const imported = answered(
  await bursar.POST('/api/monitoring/actuals-commitments/import/{year}/{month}/{type}', {
    params: { ...params, path: { year: year ?? 0, month: month ?? 0, type: 1 } },
    body: lines,
  }),
)

const types: string[] = []
for (let after = 0; ; ) {
  const page = answered(await bursar.GET('/api/events', { params: { ...params, query: { after, most: 500 } } }))
  types.push(...page.events.map((event) => event.type))
  if (page.next === after) break
  after = page.next
}

console.log(JSON.stringify({ codes: codes.total, report: report.title, rows: report.rows.length, imported: imported.imported, types }))
