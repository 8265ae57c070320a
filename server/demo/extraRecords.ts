import type { OrganisationId } from '../../domain/values/ids.ts'
import type { IdsByName, RecordAdder } from './trustRecords.ts'

/** Clusters: name, description, text colour, background colour, and a pattern of location names. */
const clusters: [string, string, string, string, string][] = [
  ['Primary', 'Infant, junior and primary schools', '0b4a50', 'd3eef0', 'Primary|Infant|Junior'],
  ['Secondary', 'Secondary schools', '1d2f7a', 'dfe5fb', 'Academy|Riverside'],
]

/** Profiles: name, description, and weights from September to August. */
const profiles: [string, string, number[]][] = [
  ['Even', 'The same amount every month', [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]],
  ['Term time', 'Half in months with a holiday, none in August', [2, 1, 2, 1, 2, 1, 2, 1, 2, 2, 1, 0]],
  ['Winter', 'Heating, from October to March', [0, 2, 3, 4, 4, 4, 3, 1, 0, 0, 0, 0]],
]

/** Codes of the payroll provider: code, description, type and element (lookup ids). */
const payrollCodes: [string, string, number, number][] = [
  ['100', 'Basic salary', 1, 1],
  ['110', 'Teaching and learning responsibility', 1, 2],
  ['120', 'First aid', 1, 2],
  ['130', 'Maternity, paternity and adoption pay', 1, 5],
  ['800', 'Employer national insurance', 3, 3],
  ['810', 'Employer pension', 3, 4],
]

const studentGroups: [string, string, string][] = [
  ['YR', 'Reception', '1000'],
  ['KS1', 'Key stage 1', '1000'],
  ['KS2', 'Key stage 2', '1000'],
]

export async function addExtraRecords(
  add: RecordAdder,
  { organisationId, names, locations }: { organisationId: OrganisationId; names: IdsByName; locations: ReadonlyMap<string, number> },
): Promise<void> {
  for (const [name, description, textColor, backgroundColor, pattern] of clusters)
    await add(
      'cluster',
      {
        name,
        description,
        textColor,
        backgroundColor,
        locations: [...locations].flatMap(([name, id]) => (new RegExp(pattern).test(name) ? [id] : [])),
      },
      organisationId,
    )
  for (const [name, description, weights] of profiles) {
    const periods = Object.fromEntries(weights.map((weight, index) => [`period${index + 1}`, weight]))
    const { id } = await add('profileTemplate', { name, description, ...periods }, organisationId)
    names.set(`profileTemplate ${name}`, id)
  }
  for (const [code, description, type, element] of payrollCodes)
    await add('payrollCode', { code, description, type, element }, organisationId)
  for (const [code, description, budgetCode] of studentGroups)
    await add('studentGroup', { code, description, budgetCodeId: names.get(`budgetCode ${budgetCode}`) }, organisationId)
}
