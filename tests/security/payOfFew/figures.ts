import { isFile } from '../../../server/core/calls/procedures.ts'
import { readCells } from '../../support/samples/workbookCells.ts'

/** Every number in a reply, in whole pennies, whether the reply is JSON, text or a file’s rows. */
export function collectFigures(answer: unknown): Set<number> {
  const found = new Set<number>()
  const add = (value: number): void => {
    const pennies = Math.round(Math.abs(value) * 100)
    if (pennies > 0 && Number.isSafeInteger(pennies)) found.add(pennies)
  }
  const addText = (text: string): void => {
    for (const [number] of text.matchAll(/\d[\d,]*(?:\.\d+)?/g)) add(Number(number.replaceAll(',', '')))
  }
  const walk = (value: unknown): void => {
    if (typeof value === 'number') {
      add(value)
      // The reply may already be in pennies.
      add(value / 100)
    } else if (typeof value === 'string') addText(value)
    else if (isFile(value)) {
      if (typeof value.body === 'string') addText(value.body)
      else if (value.body.subarray(0, 2).toString() === 'PK' && /sheet/.test(value.contentType)) addWorkbook(value.body)
    } else if (Array.isArray(value)) value.forEach(walk)
    else if (value instanceof Set || value instanceof Map) walk([...value])
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk)
  }
  const addWorkbook = (bytes: Uint8Array): void => {
    for (const { cells } of readCells(bytes))
      for (const { value, stored } of cells) {
        walk(value)
        if (stored !== null) walk(stored)
      }
  }
  walk(answer)
  return found
}

/**
 * The secrets that a user can work out from figures: those shown directly, and differences of two figures.
 * @returns each secret with the figures that disclose it
 */
export function findDisclosed(told: ReadonlySet<number>, secrets: ReadonlyMap<number, string>): Map<number, string> {
  const found = new Map<number, string>()
  for (const [secret, whose] of secrets) {
    if (told.has(secret)) {
      found.set(secret, `${whose}: ${secret}`)
      continue
    }
    for (const figure of told)
      if (told.has(figure + secret)) {
        found.set(secret, `${whose}: ${figure + secret} less ${figure}`)
        break
      }
  }
  return found
}
