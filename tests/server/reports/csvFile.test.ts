import { expect, it } from 'vitest'
import { writeCsvFile } from '../../../server/resources/files.ts'

it('a file contains no cell that a spreadsheet would execute, and its figures stay figures', () => {
  const cells = [
    '=HYPERLINK("http://evil.example","click")',
    '+1+1',
    '@SUM(A1)',
    '-cmd',
    '\t=1',
    '＝1+1',
    '-1,234.50',
    '+3',
    'Sato, Bilal: =1+cmd',
  ]
  const { body } = writeCsvFile('Comparison.csv', cells, [cells])
  const [, heading, line] = body.replace('\uFEFF', '\r\n').split('\r\n')
  for (const written of [heading, line])
    expect(written).toBe(
      `"'=HYPERLINK(""http://evil.example"",""click"")",'+1+1,'@SUM(A1),'-cmd,'\t=1,'＝1+1,"-1,234.50",+3,"Sato, Bilal: =1+cmd"`,
    )
})
