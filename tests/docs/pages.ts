import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Project } from './checks.ts'
import type { Page } from './markdown.ts'

export const root = resolve(import.meta.dirname, '../..')

const text = (path: string): string => readFileSync(join(root, path), 'utf8')

export function readProject(): Project {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  return {
    files: listed.split('\n').filter((file) => file && existsSync(join(root, file))),
    ignored: text('.gitignore')
      .split('\n')
      .filter((line) => line.endsWith('/') && !line.includes('*')),
    scripts: Object.keys(JSON.parse(text('package.json')).scripts),
  }
}

const isPage = (file: string): boolean => /^(README|CONTRIBUTING|SECURITY|CHANGELOG)\.md$|^docs\/.*\.md$/.test(file)

/** The pages of the documentation. */
export function readPages({ files }: Project): Page[] {
  return files.filter(isPage).map((path) => ({ path, text: text(path) }))
}
