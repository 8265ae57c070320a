import { describe, expect, it } from 'vitest'
import { refuseUnknownColumns } from '../../../domain/lists/lists.ts'
import { findUnknownFields } from '../../../server/core/calls/unknownFields.ts'
import { allProcedures } from '../../../server/rest/routes.ts'

const said = (path: string, input: unknown): string[] => {
  const procedure = allProcedures[path]
  if (!procedure) throw new Error(`There is no procedure ${path}`)
  return findUnknownFields({ path, type: procedure._def.type }, input).map(({ message }) => message)
}

describe('a filter with an unknown field', () => {
  it('is refused with a sentence that names the field and suggests one, instead of filtering nothing', () => {
    expect(said('reports.lines', { budgetCodeId: [12], row: '' })).toEqual([
      'There is no field budgetCodeId. Use budgetCodeIds, or leave it out.',
    ])
    expect(said('reports.lines', { yearName: ['2026/27'], xyz: 1 })).toEqual([
      'There is no field yearName. Use yearNames, or leave it out.',
      'There is no field xyz. Leave it out.',
    ])
    expect(said('reports.lines', { budgetCodeIds: [12], row: '', column: '' })).toEqual([])
  })
  it('is refused at any depth, whatever else the request contains', () => {
    const filters = [{ filter: 'code', filterType: 'text', type: 'contains', valu: 'x' }]
    expect(said('resources.budgetCode.list', { pageNumber: 1, pageSize: 10, filters })).toEqual([
      'There is no field filters.valu. Use value, or leave it out.',
    ])
    expect(said('resources.budgetCode.get', { id: 1, organisation: 2 })).toHaveLength(1)
    expect(said('contracts.list', { pageNo: 1 })).toEqual(['There is no field pageNo. Use pageNumber, or leave it out.'])
  })
  it('is refused by every query', () => {
    const looks = Object.entries(allProcedures).filter(([, { _def }]) => _def.type === 'query' && _def.inputs?.length)
    const silent = looks.filter(([path]) => said(path, { nobodyKnowsThis: 1 }).length === 0).map(([path]) => path)
    expect(looks.length).toBeGreaterThan(150)
    expect(silent).toEqual([])
  })
})

describe('a change with an unknown field', () => {
  it('is refused, while one that was read with the record is ignored', () => {
    const read = { id: 3, version: 2, created: '2026-09-01', organisationId: 1, code: '4300', description: 'Books', type: 1 }
    expect(said('resources.budgetCode.update', read)).toEqual([])
    expect(said('resources.budgetCode.create', read)).toEqual([])
    expect(said('resources.budgetCode.create', { ...read, tags: [], colour: null })).toEqual([])
    expect(said('resources.budgetCode.update', { ...read, descripton: 'Books and so on' })).toEqual([
      'There is no field descripton. Use description, or leave it out.',
    ])
  })
  it('is refused by every mutation', () => {
    const changes = Object.entries(allProcedures).filter(([, { _def }]) => _def.type === 'mutation' && _def.inputs?.length)
    expect(changes.length).toBeGreaterThan(500)
    expect(changes.filter(([path]) => said(path, { nobodyKnowsThis: 1 }).length === 0).map(([path]) => path)).toEqual([])
  })
  it('may contain everything that its record was read with, for every declared entity', () => {
    for (const path of Object.keys(allProcedures).filter((name) => /^resources\.\w+\.update$/.test(name)))
      expect([path, said(path, { id: 1, version: 1, created: '2026-09-01', organisationId: null })]).toEqual([path, []])
  })
})

describe('an unknown column of a list', () => {
  it('is refused in a sort and in a filter, and a column is suggested', () => {
    expect(() => refuseUnknownColumns({ sort: 'descripton' }, ['code', 'description'])).toThrow(
      'There is no column to sort by called descripton. Use description, or leave it out.',
    )
    expect(() => refuseUnknownColumns({ filters: [{ filter: 'cod', filterType: 'text' }] }, ['code', 'description'])).toThrow(
      'There is no column to filter by called cod. Use code, or leave it out.',
    )
  })
})
