import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './drizzle/schema.ts',
    './drizzle/accessTables.ts',
    './drizzle/consoleTables.ts',
    './drizzle/costTables.ts',
    './drizzle/fileTables.ts',
    './drizzle/integrationTables.ts',
    './drizzle/ledgerTables.ts',
    './drizzle/monitoringTables.ts',
    './drizzle/payrollTables.ts',
  ],
  out: './drizzle/migrations',
})
