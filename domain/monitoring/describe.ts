import { describeLeftOutRows } from '../files/leftOut.ts'
import { importType } from '../lookups/lookupIds.ts'
import { lookups } from '../lookups/lookups.ts'
import { formatPackCode } from '../packs/pack.ts'
import { formatBudgetYear } from '../values/calendar.ts'
import { displayCount, displayMoney } from '../values/format.ts'
import type { MonitoringEvent } from './events.ts'
import { type ForecastMethod, formatMonth, type MonthEndStep } from './monitoring.ts'

const methodWords: Record<ForecastMethod, string> = {
  budget: 'the budget',
  whatIsLeft: 'the remaining budget',
  runRate: 'the current rate',
  typed: 'entered values',
}

const stepWords: Record<MonthEndStep, string> = {
  payroll: 'payroll reconciled',
  adjustments: 'adjustments made',
  pack: 'pack made',
}

/** Describes an event as a sentence that follows a name, such as `imported 214 lines for September 2026`. */
export function describeMonitoringEvent(event: MonitoringEvent, nameOfCode: (id: number) => string): string {
  switch (event.type) {
    case 'ActualsImported': {
      const { mode, lines, leftOut } = event.data
      const how = mode === importType.add ? 'added' : 'imported'
      return `${how} ${displayCount(lines.length, 'line')} ${mode === importType.add ? 'to' : 'for'} ${formatMonth(event.data)}${describeLeftOutRows(leftOut)}`
    }
    case 'MonthCleared':
      return `cleared ${formatMonth(event.data)}`
    case 'MonthStepTicked':
      return `ticked ${stepWords[event.data.step]} for ${formatMonth(event.data)}`
    case 'MonthStepUnticked':
      return `unticked ${stepWords[event.data.step]} for ${formatMonth(event.data)}`
    case 'MonthEndClosed':
      return `closed ${formatMonth(event.data)}`
    case 'MonthEndReopened':
      return `reopened ${formatMonth(event.data)}`
    case 'NoteSaved':
      return `wrote a note on ${describeSubject(event.data, nameOfCode)}`
    case 'NoteRemoved':
      return `removed the note on ${describeSubject(event.data, nameOfCode)}`
    case 'AdjustmentSaved':
      return `adjusted ${describeSubject(event.data, nameOfCode)} by ${displayMoney(event.data.value)}${
        event.data.backPay ? `, including ${displayMoney(event.data.backPay)} back pay` : ''
      }`
    case 'AdjustmentRemoved':
      return `removed the adjustment to ${describeSubject(event.data, nameOfCode)}`
    case 'ForecastChosen': {
      const { year, budgetCodeIds, method } = event.data
      const codes = budgetCodeIds.length > 3 ? displayCount(budgetCodeIds.length, 'code') : budgetCodeIds.map(nameOfCode).join(', ')
      return `forecast ${codes} for ${formatBudgetYear(year, 0)} by ${methodWords[method]}`
    }
    case 'SettingsSaved':
      return 'changed what needs explaining'
    case 'OpeningCashSaved': {
      const { year, value } = event.data
      const openingCash = `the opening cash for ${formatBudgetYear(year, 0)}`
      return value === null ? `removed ${openingCash}` : `set ${openingCash} to ${displayMoney(value)}`
    }
    case 'CashLagChosen': {
      const { budgetCodeIds, lag } = event.data
      const codes = budgetCodeIds.length > 3 ? displayCount(budgetCodeIds.length, 'code') : budgetCodeIds.map(nameOfCode).join(', ')
      return lag === null
        ? `reset the cash timing of ${codes} to the default`
        : lag === 0
          ? `set the cash of ${codes} to move in the same month`
          : `set the cash of ${codes} to move ${displayCount(lag, 'month')} later`
    }
    case 'CashFloorSaved':
      return event.data.value === null ? 'removed the cash floor' : `set the cash floor to ${displayMoney(event.data.value)}`
    case 'PackStarted':
      return `started the governors’ pack ${formatPackCode(event.data.code)} for ${formatMonth(event.data)}`
    case 'PackSaved':
      return `saved the governors’ pack ${formatPackCode(event.data.code)}`
    case 'PackFinished':
      return `finished the governors’ pack ${formatPackCode(event.data.code)}`
    case 'PackDiscarded':
      return `discarded the governors’ pack ${formatPackCode(event.data.code)}`
    case 'ChangeUndone':
      return `undid version ${event.data.undoes}`
  }
}

function describeSubject(
  { budgetCodeId, type, ...month }: { budgetCodeId: number; type: number; year: number; month: number },
  nameOfCode: (id: number) => string,
) {
  const screen = lookups.monitoringNoteTypes.find((item) => item.id === type)?.name.toLowerCase() ?? ''
  return `${nameOfCode(budgetCodeId)} in ${formatMonth(month)} (${screen})`
}
