import postgres from 'postgres'

/** Tables that may be read whole, with the reason. */
const fewRows: Record<string, string> = { api_clients: 'an organisation has a handful of other systems' }

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  'Recheck Cond'?: string
  Filter?: string
  'Join Filter'?: string
  'Hash Cond'?: string
  Plans?: PlanNode[]
}

/** An id column (`char(24)`) compared as text, for which the planner cannot use an index. */
const comparedAsText = /\b(budget_id|contract_id|source_id|group_id|comment_id)\)?::text (=|<>)/

/**
 * Asks PostgreSQL for its generic plans of statements, with sequential scans avoided wherever an index can serve.
 * @param url for the server’s role, so that row-level security is part of each plan
 * @returns the statements that read the rows of all organisations, or compare an id in a way that no index serves, with the reason
 */
export async function findWithoutIndex(url: string, statements: Iterable<string>): Promise<string[]> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  const problems: string[] = []
  try {
    // With the few rows of a test all plans are equally cheap, so plans that read whole tables are disabled where there is another.
    for (const way of ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']) await sql`select set_config(${way}, 'off', false)`
    // Tables that grow with the number of organisations. A table whose organisation may be null holds national records and few others.
    const tables = await sql`select attrelid::regclass::text as name from pg_attribute join pg_class on pg_class.oid = attrelid
      where attname = 'organisation_id' and attnotnull and relkind = 'r' and relnamespace = 'public'::regnamespace`
    const ofOrganisations = new Set(tables.map(({ name }) => String(name)).filter((name) => !(name in fewRows)))
    const indexes = await sql`select indexrelid::regclass::text as name from pg_index where indpred is not null`
    const partialIndexes = new Set(indexes.map(({ name }) => String(name)))
    for (const text of new Set(statements)) {
      if (!/^\s*(select|insert|update|delete|with)\b/i.test(text)) continue
      const [row] = await sql.unsafe(`explain (generic_plan, format json) ${text}`)
      const [{ Plan }] = row!['QUERY PLAN']
      const reasons = nodesOf(Plan).flatMap((node: PlanNode) => problemsOf(node, { ofOrganisations, partialIndexes }))
      if (reasons.length) problems.push(`${[...new Set(reasons)].join('; ')}: ${text.replace(/\s+/g, ' ').slice(0, 400)}`)
    }
    return problems
  } finally {
    await sql.end()
  }
}

function nodesOf(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}

function problemsOf(
  node: PlanNode,
  { ofOrganisations, partialIndexes }: { ofOrganisations: ReadonlySet<string>; partialIndexes: ReadonlySet<string> },
): string[] {
  const table = node['Relation Name']
  const kind = node['Node Type']
  // Without a filter, a scan in index order reads no more rows than requested. A partial index holds few.
  const isWholeIndex =
    /^Index (Only )?Scan$/.test(kind) && !node['Index Cond'] && node.Filter !== undefined && !partialIndexes.has(node['Index Name'] ?? '')
  const conditions = [node.Filter, node['Join Filter'], node['Hash Cond'], node['Recheck Cond'], node['Index Cond']]
  const asText = conditions.filter((condition) => condition && comparedAsText.test(condition))
  return [
    ...(table && ofOrganisations.has(table) && (kind === 'Seq Scan' || isWholeIndex) ? [`reads all of ${table}`] : []),
    ...asText.map((condition) => `compares as text ${condition}`),
  ]
}
