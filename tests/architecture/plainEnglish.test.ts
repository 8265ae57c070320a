import { execFileSync } from 'node:child_process'
import { beforeAll, expect, it } from 'vitest'
import { root } from '../../server/core/root.ts'
import { type Sentence, sentencesIn } from '../words/sentences.ts'

/** Words that no text for users may contain, and what to write instead. */
const ruledOut: [RegExp, string][] = [
  [/\banew\b/i, 'again'],
  [/\bwho(so)?ever\b|\bwhom\b/i, 'the person who, anyone who'],
  [/\bsomebody\b(?! else has changed this\. Load it again)/i, 'someone'],
  [/\bthat there (is|are)\b/i, 'say what exists'],
  [/\b(below|to) nothing\b/i, 'zero, none'],
  [/\bis no (date(?! of)|number|code|column|measure|period|row|sum)\b/i, 'is not a …'],
  [/\b(is|are|was|were) told\b/i, 'is shown, is notified'],
  [/\bstands? (in|on|at|for|beside|above|below|so|here|there)\b/i, 'is'],
  [/\blooks? after\b/i, 'manages'],
  [/\bof before\b/i, 'previous'],
  [/\bgood (for nothing|no longer)\b/i, 'stop working'],
  [/\bnot any more\b|\bthere any more\b/i, 'no longer'],
]

/** Ways of joining pieces of text that do not read as one sentence, and what to do instead. */
const badJoints: [RegExp, string][] = [
  [/\}s\b/, 'say one and several with displayCount'],
  [/\{(\w+) \| \1e?s\}/, 'say one and several with displayCount'],
  [/\{(?!display|numberWord)[^{}|]*(\.length|\.size|[cC]ount|\bmissing)\} ([a-z]+ )?[a-z]+s\b/, 'say one and several with displayCount'],
  [/\ban? \{(?!['\w. ]* \| )/i, 'do not write a or an before a value: the value decides which'],
  [/\{[^{}]*\.toLowerCase\(\)\}/, 'lower a label with toMidSentence, which keeps BFR and GAG'],
  [/[a-z,] \{(?!toMidSentence)[^{}]*\.(singular|plural)\}/, 'lower a term with toMidSentence'],
  [/\b(accruals?|actuals|forecasts?|packs?|payrolls?|reconciliations?) of \{(formatMonth|words)/i, 'write for and the month'],
]

let sentences: Sentence[] = []
beforeAll(() => {
  const files = execFileSync('git', ['ls-files', 'client', 'domain', 'server', 'worker'], { cwd: root, encoding: 'utf8' }).split('\n')
  sentences = files.filter((file) => /\.tsx?$/.test(file) && !/engines\/\d|^server\/demo|\.d\.ts$/.test(file)).flatMap(sentencesIn)
}, 240_000)

it('no sentence for users contains a ruled-out word', () => {
  const found = sentences.flatMap(({ file, line, text }) => {
    const words = text.replace(/\{[^{}|]*\}/g, '{}')
    return ruledOut.flatMap(([pattern, instead]) => (pattern.test(words) ? [`${file}:${line} “${text}”: write ${instead}`] : []))
  })
  expect(found).toEqual([])
})

it('no sentence for users is joined from pieces that do not read as one', () => {
  const joined = sentences.filter(({ text }) => text.includes('{'))
  expect(joined.length).toBeGreaterThan(1_000)
  const found = joined.flatMap(({ file, line, text }) =>
    badJoints.flatMap(([pattern, instead]) => (pattern.test(text) ? [`${file}:${line} “${text}”: ${instead}`] : [])),
  )
  expect(found).toEqual([])
})

it.each([
  'Search {label}s',
  'Create {count} {budget | budgets}',
  'Show all {own.length} columns',
  'This needs a {thing} that is gone',
  'Add {term.singular.toLowerCase()}',
  'One of the {term.plural}',
  'The pack of {formatMonth(month)} is finished',
])('“%s” is recognised as such a sentence', (text) => {
  expect(badJoints.some(([pattern]) => pattern.test(text))).toBe(true)
})
