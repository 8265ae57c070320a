import { z } from 'zod'
import { resources } from '../../../../domain/resources/all.ts'
import { reply } from '../../../core/calls/reply.ts'
import { nameItem, recordOf } from '../../../resources/replies.ts'

/** What stands in a table from a day on, for each of the tables that a budget names. */
function effective<Row>(id: string, row: z.ZodType<Row>) {
  return reply(z.array(z.strictObject({ effectiveDate: z.iso.date(), adminTable: nameItem, rows: z.array(row) }).meta({ id })))
}

const { localAuthorityFundingRate } = resources
/** A rate that also names its table as the other summaries do. */
const fundingRate = recordOf(localAuthorityFundingRate, { adminTableId: z.int() })

export const extendedLeave = effective('ExtendedLeaveSummary', recordOf(resources.extendedLeaveType))
export const erPension = effective('EmployerPensionSummary', recordOf(resources.staffErPensionRate))
export const fundingRates = effective('FundingRatesSummary', fundingRate)
export const inflation = effective('StaffInflationSummary', recordOf(resources.staffInflationRate))
export const payScales = effective('PayScaleSummary', recordOf(resources.payScalePoint))
export const nationalInsurance = effective('NationalInsuranceSummary', recordOf(resources.nationalInsurance))
export const contractTypes = reply(z.array(recordOf(resources.contractType)))
