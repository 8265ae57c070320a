import { z } from 'zod'
import { resources } from '../../../../domain/resources/all.ts'
import { reply } from '../../../core/calls/reply.ts'
import { createRecordShape, nameItem } from '../../../resources/replies.ts'

/** Declares a reply that lists the tables of one kind that a budget uses, each with its effective date and rows. */
function effectiveTables<Row>(id: string, row: z.ZodType<Row>) {
  return reply(z.array(z.strictObject({ effectiveDate: z.iso.date(), adminTable: nameItem, rows: z.array(row) }).meta({ id })))
}

const { localAuthorityFundingRate } = resources
/** A funding rate with the id of its table under the same field name as in the other summaries. */
const fundingRate = createRecordShape(localAuthorityFundingRate, { adminTableId: z.int() })

export const extendedLeave = effectiveTables('ExtendedLeaveSummary', createRecordShape(resources.extendedLeaveType))
export const erPension = effectiveTables('EmployerPensionSummary', createRecordShape(resources.staffErPensionRate))
export const fundingRates = effectiveTables('FundingRatesSummary', fundingRate)
export const inflation = effectiveTables('StaffInflationSummary', createRecordShape(resources.staffInflationRate))
export const payScales = effectiveTables('PayScaleSummary', createRecordShape(resources.payScalePoint))
export const nationalInsurance = effectiveTables('NationalInsuranceSummary', createRecordShape(resources.nationalInsurance))
export const contractTypes = reply(z.array(createRecordShape(resources.contractType)))
