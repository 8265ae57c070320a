/** Ids of lookup items used in code; the lists and names are in `lookups.ts`. */

/** The purpose of a budget. */
export const versionType = { working: 1, approved: 2, forecast: 3, whatIf: 4 } as const

export const organisationType = { multiAcademyTrust: 1, singleAcademyTrust: 2, localAuthority: 3, maintainedSchool: 4 } as const

export const financialCodeType = { cfr: 1, gag: 2, acoa: 3, custom: 4 } as const

export const budgetCodeType = { income: 1, expenditure: 2 } as const

export const budgetCodeCategory = { staffing: 1, nonStaffing: 2, capital: 3, balance: 4 } as const

export const bfrCodeType = { main: 1, secondary: 2 } as const

/** How a contract type expresses working time. */
export const calculationType = { fte: 1, hoursAndWeeks: 2, hourly: 3 } as const

/** Bits, because a contract type may allow several. */
export const payScaleType = { teacher: 1, customTeacher: 2, support: 4, customSupport: 8 } as const

export const payScaleRegion = { main: 1, innerLondon: 2, outerLondon: 3, londonFringe: 4 } as const

export const adminTableType = {
  teacherPayScales: 1,
  supportPayScales: 2,
  nationalInsurance: 3,
  extendedLeave: 4,
  fundingRates: 5,
  allowances: 6,
  topSlice: 7,
} as const

/** The basis of employer pension contributions during leave. */
export const employerPension = { none: 0, onPayReceived: 1, onNormalPay: 2 } as const

export const inflationSetting = { none: 0, staffInflation: 1 } as const

export const gagPoolMethod = { percentage: 1, all: 2 } as const

export const gagPoolShare = { byPupils: 1, byWeights: 2 } as const

export const topSliceMethod = { percentage: 1, perPupil: 2, fixed: 3 } as const

export const openingBalanceType = { revenue: 1, capital: 2, extended: 3 } as const

export const budgetState = { open: 1, locked: 2 } as const

export const recalculationState = { upToDate: 1, required: 2, running: 3, failed: 4 } as const

/** Which records a request for a list includes: the organisation's own, national ones, or both. */
export const requestType = { unknown: 0, own: 1, national: 2, both: 3 } as const

export const reminderType = { personal: 1, organisation: 2, everyone: 3 } as const

export const severity = { information: 1, success: 2, warning: 3, critical: 4 } as const

/** The kind of a ledger line: an actual amount, or a commitment for an order. */
export const actualType = { actual: 1, commitment: 2 } as const

export const importType = { replace: 1, add: 2 } as const

/** The monitoring screen that a note or adjustment belongs to. */
export const monitoringNoteType = { versusActuals: 1, versusForecast: 2 } as const

/** The phases of the funding formula. */
export const fundingPhase = { earlyYears: 1, primary: 2, keyStage3: 3, keyStage4: 4, sixthForm: 5, highNeeds: 6 } as const

/** The last year group of each phase; high-needs places are not a year group. */
export const lastYearGroup = { nursery: 1, year6: 8, year9: 11, year11: 13, year13: 15, highNeedsPlaces: 16 } as const

/** The kind of a payroll line. */
export const payrollCodeType = { payment: 1, deduction: 2, employerCost: 3 } as const

/** The cost component that the pay code of a payroll provider is compared with. */
export const payrollElement = {
  basic: 1,
  allowance: 2,
  employerNi: 3,
  employerPension: 4,
  extendedLeave: 5,
  apprenticeshipLevy: 6,
  other: 7,
} as const

export const payrollMonthState = { open: 1, complete: 2 } as const

/** How a payroll month is completed. */
export const completionType = { complete: 1, carryForward: 2 } as const

/** The parts of a payroll month that can be cleared. */
export const payrollClearOption = { actuals: 1, notes: 2, carriedForward: 3, everything: 4 } as const

/** Ids of `financialIntegrationTypes`: the kind of link to another system. */
export const integrationType = { none: 0, fileExchange: 1, webService: 2 } as const

/** Ids of `communicationStates`: the display state of a message, article or help page. */
export const communicationState = { off: 1, scheduled: 2, showing: 3, expired: 4 } as const

/** Ids of `integrationStates`: the state of a link to another system. */
export const integrationState = { notSetUp: 1, connected: 2, failing: 3 } as const
