import { z } from 'zod'
import { resources } from '../../../../domain/resources/all.ts'
import { reply } from '../../../core/calls/reply.ts'
import { nameItem, recordOf } from '../../../resources/replies.ts'

/**
 * Declares the reply of a summary: each table of one kind that the budget refers to, with its effective date and
 * rows.
 */
function effective<Row>(id: string, row: z.ZodType<Row>) {
  return reply(z.array(z.strictObject({ effectiveDate: z.iso.date(), adminTable: nameItem, rows: z.array(row) }).meta({ id })))
}

const { localAuthorityFundingRate } = resources
/** A funding rate that names its table under the same field as the other summaries. */
const fundingRate = recordOf(localAuthorityFundingRate, { adminTableId: z.int() })

export const extendedLeave = effective('ExtendedLeaveSummary', recordOf(resources.extendedLeaveType))
export const erPension = effective('EmployerPensionSummary', recordOf(resources.staffErPensionRate))
export const fundingRates = effective('FundingRatesSummary', fundingRate)
export const inflation = effective('StaffInflationSummary', recordOf(resources.staffInflationRate))
export const payScales = effective('PayScaleSummary', recordOf(resources.payScalePoint))
export const nationalInsurance = effective('NationalInsuranceSummary', recordOf(resources.nationalInsurance))
export const contractTypes = reply(z.array(recordOf(resources.contractType)))
