import { useRef } from 'react'
import { assertDefined } from '../../domain/values/assertDefined.ts'

/** React keys that stay with their rows when rows move, so that the focus moves with them. */
export interface RowKeys {
  of(index: number): number
  move(from: number, to: number): void
  remove(index: number): void
}

/**
 * Creates the keys of a list of rows.
 * @param count the number of rows; rows added at the end get new keys
 */
export function useRowKeys(count: number): RowKeys {
  const keys = useRef<number[]>([])
  const next = useRef(0)
  while (keys.current.length < count) keys.current.push(next.current++)
  keys.current.length = count
  return {
    of: (index) => assertDefined(keys.current[index]),
    move: (from, to) => keys.current.splice(to, 0, ...keys.current.splice(from, 1)),
    remove: (index) => void keys.current.splice(index, 1),
  }
}
