import { useRef } from 'react'
import { assertDefined } from '../../domain/values/assertDefined.ts'

/** Keys that stay with the rows of a table while these are moved, so that the focus goes along with its row. */
export interface RowKeys {
  of(index: number): number
  move(from: number, to: number): void
  remove(index: number): void
}

/** @param count how many rows there are; rows that come in anew at the end get keys of their own */
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
