import type { Limit } from './limits.ts'

/** What is known of a call before it is read: it is asked by the name of the procedure, whatever the address that led there looks like. */
export interface Policy {
  /** What it is counted by beside being a call. */
  limit: Limit | null
  /** Whether it works long on what it is given, and is answered by a thread of its own. */
  isLong: boolean
  /** Bytes its body may have. */
  mostBytes: number
  /** Whether its body is a form with one picture. */
  isPicture: boolean
}

/** Bytes a call may have. */
const largestBody = 2_000_000
/** Bytes an import may have. */
const largestImport = 10_000_000
/** Bytes the file of a ledger may have: a hundred thousand transactions with what they say of themselves. */
const largestLedger = 32_000_000

/** Calls that ask for a password or a code again. */
const ofCodes = new Set(
  ['beginPasskey', 'beginSecondStep', 'confirmSecondStep', 'renewRecoveryCodes', 'removeSecondStep'].map((name) => `account.${name}`),
)
const ofImports = /\.(import|consoleImport)$/
const ofLedgers = new Set(['ledgers.compare', 'ledgers.import', 'payroll.providers.import'])
const ofExports =
  /\.(\w*[eE]xport(ByLocation|Centres|Codes|Locations)?|workbook(Console)?|paper(Console)?|print|pack|csv|compareFile)$|^filesOut\.file$|^files\.fetch$/

/** Calls of payroll that go through everybody of a school, a group or the whole organisation. */
const wholePayrolls =
  /^payroll\.(backPay\.(ledger|take)|causes\.explain|consoleImport|reconcile|overview(Console)?|locations|complete(Console)?|carryMany|report\.workbook(Console)?)$/

/**
 * Calls that work long: whole files and payrolls, budgets compared item by item or folded from their whole log, also to come back from the
 * bin, the figures of a whole pack, all that is held on a person, leavers of every budget and payroll, and histories of mappings of thousands
 * of texts.
 */
const long =
  /\.(import|export|compare|compareFile|bridge)$|^bin\.restoreBudgets$|^moments\.at$|^monitoring\.(past(Actuals|Forecast)|trackRecord)$|^packs\.(start|get|save|finish)$|^(ledgers|payroll\.providers)\.history$|^subjectAccess\.|^retention\.list$|^reports\.(csv|staffing|workbook|\w+(BySingleLocation|Export))$/

function limitOf(procedure: string, isLong: boolean): Limit | null {
  if (ofCodes.has(procedure)) return 'codes'
  if (ofImports.test(procedure)) return 'imports'
  if (ofExports.test(procedure)) return 'exports'
  return isLong ? 'long' : null
}

/** @param procedure its name, `staff.export` */
export function policyOf(procedure: string): Policy {
  const isLong = long.test(procedure) || wholePayrolls.test(procedure)
  const ofFiles = ofImports.test(procedure) ? largestImport : largestBody
  return {
    limit: limitOf(procedure, isLong),
    isLong,
    mostBytes: ofLedgers.has(procedure) ? largestLedger : ofFiles,
    isPicture: procedure === 'images.upload',
  }
}
