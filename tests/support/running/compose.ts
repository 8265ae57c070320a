import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** A service of this project’s compose file. */
export interface Service {
  image?: string
  build?: string
  init?: boolean
  read_only?: boolean
  stop_grace_period?: string
  environment?: Record<string, string>
  command?: string[]
  secrets?: string[]
  volumes?: string[]
  healthcheck?: { test: string[] }
  logging?: { options: Record<string, string> }
  mem_limit?: string
}

export interface Compose {
  services: Record<string, Service>
  secrets: Record<string, { file: string }>
  volumes: Record<string, null>
}

/** The position of the `}` that closes the `${` at this position. */
function findClosingBrace(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text.startsWith('${', at)) depth++
    else if (text[at] === '}' && --depth === 0) return at
  }
  throw new Error(`${text} is not closed`)
}

/** Substitutes variables as compose does: `${A}`, `${A:-else}`, `${A:+instead}`, `${A:?why}`, nested, and `$$` for a `$`. */
function substitute(text: string, env: Record<string, string>): string {
  const at = text.indexOf('$')
  if (at < 0) return text
  const before = text.slice(0, at)
  if (text[at + 1] === '$') return `${before}$${substitute(text.slice(at + 2), env)}`
  const end = findClosingBrace(text, at)
  const [, name, operator, rest] = /^(\w+)(?::([-+?])(.*))?$/s.exec(text.slice(at + 2, end))!
  const value = env[name!] ?? ''
  if (operator === '?' && !value) throw new Error(rest)
  const put = operator === '+' ? (value ? substitute(rest!, env) : '') : value || (operator === '-' ? substitute(rest!, env) : '')
  return before + put + substitute(text.slice(end + 1), env)
}

function all(value: unknown, env: Record<string, string>): unknown {
  if (typeof value === 'string') return substitute(value, env)
  if (Array.isArray(value)) return value.map((one) => all(one, env))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, all(one, env)]))
  return value
}

/** The compose file with its variables substituted. @throws Error with the file’s own message for a required variable */
export function readCompose(env: Record<string, string>): Compose {
  const text = readFileSync(join(import.meta.dirname, '../../../docker-compose.yml'), 'utf8')
  return all(parse(text, { merge: true }), env) as Compose
}
