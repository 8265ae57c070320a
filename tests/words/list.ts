import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { defaultTerms, type TermKey } from '../../domain/words/terms.ts'
import { root } from '../../server/core/root.ts'
import { sentencesIn } from './sentences.ts'

/** `npm run words`: lists every sentence that users read, by folder and file, for an editor to read as one document. */
const files = execFileSync('git', ['ls-files', 'client', 'domain', 'server', 'worker', 'drizzle/help'], {
  cwd: root,
  encoding: 'utf8',
}).split('\n')
/** Shortens the code of long inserted values. */
const shorten = (text: string): string =>
  text.replace(/\{([^{}]{41,})\}/g, (whole, code: string) => (code.includes(' | ') ? whole : `{${code.slice(0, 37)}...}`))
/** A title in a list of screens may be the name of a term. */
const readTitle = (file: string, text: string): string =>
  file.endsWith('/screens.ts') && text in defaultTerms ? defaultTerms[text as TermKey].plural : text
let folder = ''
for (const file of files) {
  const lines = file.endsWith('.html')
    ? readFileSync(join(root, file), 'utf8')
        .replace(/<(style|script)[\s\S]*?<\/\1>|<[^>]+>/g, ' ')
        .split('\n')
        .map((text) => text.replace(/\s+/g, ' ').trim())
        .filter(Boolean)
    : /\.tsx?$/.test(file) && !/engines\/\d|\.d\.ts$/.test(file)
      ? sentencesIn(file).map(({ line, text }) => `${line}\t${shorten(readTitle(file, text))}`)
      : []
  if (!lines.length) continue
  if (dirname(file) !== folder) console.log(`\n# ${dirname(file)}`)
  folder = dirname(file)
  console.log(`\n## ${file}\n${lines.join('\n')}`)
}
