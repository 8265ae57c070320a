/**
 * The rules for imports, types included: they point only downwards (docs/developers/architecture.md). Biome finds import cycles, and knip
 * finds unused exports. The last argument of each rule says how to mend a violation; `npm run imports` prints it.
 */

/** The folders that all areas of the client share. Each imports only the folders before it. */
const sharedRooms = ['ui', 'shell', 'resources', 'budget']
const shared = sharedRooms.join('|')

/** The areas of server/shared/ by rank. Each rank imports only the ranks before it. */
const sharedAreas = [
  [
    'altDescriptions',
    'budgetHistory',
    'events',
    'fewPeople',
    'files',
    'funding',
    'images',
    'importColumns',
    'listViews',
    'lookups',
    'messages',
    'presence',
    'reminders',
    'users',
  ],
  ['coding', 'groupMoney', 'integrations', 'overview', 'staff'],
  ['budgetGroups', 'costing'],
  ['monitoring', 'nonStaffing', 'restoring', 'staffing', 'whatIf'],
  ['payroll', 'recalculation', 'scenarios', 'staffFiles'],
  ['budgets', 'reports'],
  ['approval', 'versions'],
]

function forbid(name, from, to, comment) {
  return { name, severity: 'error', from, to, comment }
}

export default {
  forbidden: [
    forbid(
      'domain-stands-alone',
      { path: '^domain/' },
      { pathNot: ['^domain/', '^node_modules/(zod|big\\.js|@types/big\\.js|fflate)/'] },
      'The domain is pure: apart from its own files it imports only zod, big.js and fflate. Pass outside values as arguments, or move what they share into domain/.',
    ),
    forbid(
      'drizzle-stands-on-domain',
      { path: '^drizzle/' },
      { dependencyTypes: ['local'], pathNot: '^(drizzle|domain)/' },
      'Tables import only the domain. Move what they share into domain/.',
    ),
    forbid(
      'server-stands-on-domain-and-drizzle',
      { path: '^server/' },
      { dependencyTypes: ['local'], pathNot: '^(server|drizzle|domain)/' },
      'The server does not import the worker, the client or the tests. Move what they share into domain/.',
    ),
    forbid(
      'worker-stands-on-the-server',
      { path: '^worker/' },
      { dependencyTypes: ['local'], pathNot: '^(worker|server|drizzle|domain)/' },
      'The worker imports only server, drizzle and domain. Move what they share into domain/.',
    ),
    forbid(
      'worker-takes-what-features-offer',
      { path: '^worker/' },
      {
        path: '^server/',
        pathNot: [
          '^server/(core|streams)/',
          '^server/(features|shared)/.+/(commands|queries|announce)\\.ts$',
          '^server/(launch/databaseChecks|audit/verify/selfCheck)\\.ts$',
        ],
      },
      'The worker imports server/core/ and the commands, queries and announcements of features, not their routers. Move what it needs into one of these.',
    ),
    forbid(
      'client-stands-on-domain',
      { path: '^client/' },
      { dependencyTypes: ['local'], pathNot: '^(client|domain|server)/' },
      'The client imports the domain and types of the server. Move what they share into domain/.',
    ),
    forbid(
      'client-reads-only-types-of-the-server',
      { path: '^client/' },
      { path: '^server/', dependencyTypesNot: ['type-only'] },
      'Write "import type", or move what they share into domain/: the bundle must not contain server code.',
    ),
    forbid(
      'core-stands-below-all-of-the-server',
      { path: '^server/core/' },
      { path: '^server/', pathNot: '^server/core/' },
      'server/core/ knows no entity and no feature. Move what they share into server/core/, or have the caller pass it in.',
    ),
    forbid(
      'streams-stand-on-core',
      { path: '^server/streams/' },
      { path: '^server/', pathNot: '^server/(core|streams)/' },
      'The event streams know no entity and no feature. Move what they share into server/core/ or domain/, or have the caller pass it in.',
    ),
    forbid(
      'resources-stand-below-features',
      { path: '^server/resources/' },
      { path: '^server/', pathNot: '^server/(core|streams|resources)/' },
      'The shared code of resources knows no feature. Move what they share into server/core/ or server/resources/, or have the caller pass it in.',
    ),
    forbid(
      'routers-are-imported-by-their-own',
      { path: '^(.+)/[^/]+$', pathNot: ['/router\\.ts$', '^server/features/appRouter\\.ts$'] },
      { path: '^server/features/.+/router\\.ts$' },
      'Only the list of all routers, or the router of its own area, imports a router. Move what they share into queries.ts, commands.ts or rows.ts.',
    ),
    forbid(
      'routers-import-routers-below-them',
      { path: '^(server/features/.+)/router\\.ts$' },
      { path: '^server/features/.+/router\\.ts$', pathNot: '^$1/' },
      'Only the list of all routers, or the router of its own area, imports a router. Move what they share into queries.ts, commands.ts or rows.ts.',
    ),
    forbid(
      'routers-and-rows-hold-no-sql',
      { path: '^server/(features|shared|resources).*/(router|rows)\\.ts$' },
      { path: '^(drizzle/|node_modules/drizzle-orm/)', dependencyTypesNot: ['type-only'] },
      'A router contains the gate, the input and one call; rows.ts shapes what was read. Move the statement into queries.ts or commands.ts.',
    ),
    forbid(
      'features-import-no-other-feature',
      { path: '^server/features/(\\w+)/' },
      { path: '^server/features/', pathNot: '^server/features/$1/' },
      'Move what two features need into server/shared/, or into domain/ if it is pure.',
    ),
    forbid(
      'shared-stands-below-features',
      { path: '^server/shared/' },
      { path: '^server/', pathNot: '^server/((core|streams|resources|shared)/|auth/accounts\\.ts$)' },
      'server/shared/ imports no feature, and only the accounts of server/auth/. Move what it needs into server/shared/, or have the feature pass it in.',
    ),
    ...sharedAreas.flatMap((areas, rank) => {
      const names = areas.join('|')
      return forbid(
        `shared-rank-${rank + 1}-stands-on-the-ranks-before-it`,
        { path: `^server/shared/(${names})/` },
        { path: '^server/shared/', pathNot: ['^server/shared/$1/', `^server/shared/(${sharedAreas.slice(0, rank).flat().join('|')})/`] },
        'An area of server/shared/ imports only areas of the ranks before it (sharedAreas in .dependency-cruiser.mjs). Move what both need into a lower one.',
      )
    }),
    forbid(
      'shared-areas-have-a-rank',
      { path: '^server/shared/', pathNot: `^server/shared/(${sharedAreas.flat().join('|')})/` },
      { path: '.' },
      'Add the new area to sharedAreas in .dependency-cruiser.mjs, in the rank after everything that it imports.',
    ),
    forbid(
      'areas-of-the-client-keep-their-insides',
      { path: '^client/([^/]+)/', pathNot: `^client/(${shared})/` },
      { path: '^client/', pathNot: ['^client/$1/', `^client/(${shared})/`] },
      'An area imports only the shared folders and its own files; the files at the top put the areas together. Code that two areas need goes to client/budget, resources, shell or ui.',
    ),
    ...sharedRooms.map((room, rank) =>
      forbid(
        `client-${room}-stands-on-the-rooms-before-it`,
        { path: `^client/${room}/` },
        { path: '^client/', pathNot: `^client/(${sharedRooms.slice(0, rank + 1).join('|')})/` },
        `What all areas share stands in this order: ${sharedRooms.join(', ')}. Move what they need into the lower room, or hand it in.`,
      ),
    ),
    forbid(
      'open-telemetry-is-loaded-by-one-file',
      { path: '^(domain|drizzle|server|worker|client)/', pathNot: '^server/core/watch/openTelemetry\\.ts$' },
      { path: '^node_modules/@opentelemetry/' },
      'It takes memory and time to load. Trace work through server/core/watch/tracing.ts, which costs nothing unless tracing is on.',
    ),
    forbid(
      'open-telemetry-is-loaded-only-when-asked-for',
      { path: '^(domain|drizzle|server|worker|client)/' },
      { path: '^server/core/watch/openTelemetry\\.ts$', dynamic: false },
      'startTracing loads it, where a setting asks for it. Import what others need of it from server/core/watch/tracer.ts.',
    ),
    forbid(
      'shipped-code-uses-shipped-packages',
      {
        path: '^(domain|drizzle|server|worker|client)/',
        pathNot: '^server/(launch/(buildClient|bundle|dev)\\.ts|http/longCallThread\\.mjs)$',
      },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: '^node_modules/@types/' },
      'The image has no build tools: only build code may use them. Move the package to "dependencies" of package.json.',
    ),
  ],
  options: {
    parser: 'tsc',
    tsPreCompilationDeps: true,
    moduleSystems: ['es6'],
    doNotFollow: { path: '^node_modules/' },
    exclude: { path: '^client/dist' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['types', 'import', 'node', 'default'] },
  },
}
