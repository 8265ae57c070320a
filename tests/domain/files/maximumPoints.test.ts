import { expect, it } from 'vitest'
import { fillMaximumPoints, listScalesWithoutMaximum } from '../../../domain/resources/maximumPoints.ts'

const points = ['Main M1', 'Main M4', 'Main M6', 'Upper U1', 'Upper U3', 'NJC SCP2', 'NJC SCP9'].map((value) => ({ value, meaning: null }))
const rows = ['Main M4', 'm1', 'Main M6', 'Upper U1', 'elsewhere', ''].map((ScalePoint, at) => ({ number: at + 2, cells: { ScalePoint } }))
const withMaximum = { number: 9, cells: { ScalePoint: 'NJC SCP2', MaximumScalePoint: 'NJC SCP9' } }

it('contracts of a file without a maximum point are counted by pay scale, except those at its top', () => {
  expect(listScalesWithoutMaximum([...rows, withMaximum], points)).toEqual([
    { scale: 'Main', rows: 2, points: ['Main M1', 'Main M4', 'Main M6'] },
    { scale: 'Upper', rows: 1, points: ['Upper U1', 'Upper U3'] },
  ])
})

it('the maximum point chosen for a pay scale fills only the rows of that scale that have none', () => {
  const filled = fillMaximumPoints([...rows, withMaximum], points, { Main: 'Main M6', Upper: '', NJC: 'NJC SCP2' })
  expect(filled.map(({ cells }) => cells.MaximumScalePoint)).toEqual([
    'Main M6',
    'Main M6',
    undefined,
    undefined,
    undefined,
    undefined,
    'NJC SCP9',
  ])
})
