import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const rules = readFileSync(join(root, 'domain/calculation/rules.md'), 'utf8')

/** The text of each section of rules.md, by its number. */
const sections = new Map(rules.split(/^## /m).flatMap((text) => (/^\d+/.exec(text) ? [[/^\d+/.exec(text)![0], text] as const] : [])))

/** Whether a cited number exists in rules.md: 7 is the section `## 7. …`, 3.2 the second item of the list in section 3. */
function stands(number: string): boolean {
  const [section, item] = number.split('.')
  const text = sections.get(section!)
  return text !== undefined && (item === undefined || new RegExp(`^${item}\\. `, 'm').test(text))
}

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(ts|tsx|json)$/.test(file) && !file.startsWith('tests/architecture/') && !file.startsWith('drizzle/migrations/'))

/** The numbers cited after the name of the file: "§7", "§3.2", "§5, §7 and §8", "section 14". */
const cited = files.flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/rules\.md ((?:(?:§|section )[\d.]*\d(?:, | and | to )?)+)/g)].flatMap((match) =>
    match[1]!.match(/\d+(\.\d+)?/g)!.map((number) => ({ file, number })),
  ),
)

describe('the rules of calculation', () => {
  it('have every section that the code cites', () => {
    expect(cited.length).toBeGreaterThan(50)
    expect(
      cited.filter(({ number }) => !stands(number)).map(({ file, number }) => `${file} cites §${number} of domain/calculation/rules.md`),
    ).toEqual([])
  })
  it('are cited with the name of their file, so that readers of the code can find them', () => {
    expect(files.filter((file) => /(?<!\w)calculation\.md/.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
  })
  it('no document outside the project is cited', () => {
    const outside = /\bspec [12]\b|\b(?:design|review|findings|style|floors)\.md\b/
    expect(files.filter((file) => outside.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
  })
})
