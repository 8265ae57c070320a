import type { Body, Caller, Selection } from '../product/http.ts'

/** The ids that a contract of the demo trust needs. */
export interface Ids {
  teacher: number
  term: number
  /** The id of a scale point by its name in the newest table: `Main M6`. */
  point(name: string): number
}

const everything = { pageNumber: 1, pageSize: 5000 }

export async function idsFor(caller: Caller, selection: Required<Selection>): Promise<Ids> {
  const types = await caller.call('POST', '/api/ContractTypes/list', everything, selection)
  const terms = await caller.call('POST', '/api/ServiceTerms/list', everything, selection)
  const points = await caller.call('POST', '/api/PayScalePoint/list', { ...everything, requestType: 3 }, selection)
  const tables = await caller.call('POST', '/api/AdminTables/list', everything, selection)
  const newest = tables.body.rows.find((table: Body) => table.name === 'Teachers Sept 2026').id
  return {
    teacher: types.body.rows.find((type: Body) => type.name === 'Teacher').id,
    term: terms.body.rows.find((term: Body) => term.code === 'TCH').id,
    point: (name) => points.body.rows.find((point: Body) => point.adminTableId === newest && `${point.scale} ${point.point}` === name).id,
  }
}

/** A full-time teacher’s contract from the first day of the demo budgets. */
export function teacherContract(ids: Ids, change: Record<string, unknown> = {}, row: Record<string, unknown> = {}): Body {
  return {
    employeeNumber: null,
    type: 1,
    contractName: 'Class teacher',
    contractTypeName: ids.teacher,
    maximumScalePoint: null,
    startDate: '2026-09-01',
    endDate: null,
    position: 'Class teacher',
    department: 'Teaching',
    apprentice: false,
    attritionContract: false,
    notes: null,
    serviceTerms: [ids.term],
    analysisTags: [],
    fundCodes: [],
    salary: [
      {
        effectiveDate: '2026-09-01',
        calculationCeaseDate: null,
        scalePoint: ids.point('Main M6'),
        spotAdjustment: null,
        allowances: [],
        erPension: true,
        fte: 1,
        hoursPerWeek: null,
        weeksPerYear: null,
        ...row,
      },
    ],
    ...change,
  }
}
