import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { root } from '../../server/core/root.ts'
import { sentencesIn } from '../words/sentences.ts'

/** Words that no sentence for people uses, and what to write instead. */
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

it('no sentence that people read uses a word that is ruled out', { timeout: 60_000 }, () => {
  const files = execFileSync('git', ['ls-files', 'client', 'domain', 'server', 'worker'], { cwd: root, encoding: 'utf8' }).split('\n')
  const found = files
    .filter((file) => /\.tsx?$/.test(file) && !/engines\/\d|^server\/demo|\.d\.ts$/.test(file))
    .flatMap(sentencesIn)
    .flatMap(({ file, line, text }) => {
      const words = text.replace(/\{[^{}|]*\}/g, '{}')
      return ruledOut.flatMap(([pattern, instead]) => (pattern.test(words) ? [`${file}:${line} “${text}”: write ${instead}`] : []))
    })
  expect(found).toEqual([])
})
