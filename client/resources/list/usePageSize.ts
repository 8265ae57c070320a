import { useState } from 'react'
import { rowsToAskFor } from './fit.ts'
import { type PageSizeChoice, rowHeights, storedDensity, storedPageSize, storePageSize } from './listState.ts'

/** How many rows the pages of a list have, as they are chosen for all lists. */
export interface PageSize {
  choice: PageSizeChoice
  rows: number
  choose: (choice: PageSizeChoice) => void
  /** Says how many rows were found to fit. */
  fit: (rows: number) => void
}

const fittingRows = (list: string): number => rowsToAskFor(list, rowHeights[storedDensity()])

/** How many rows a list asks for when it is opened. */
export function startingRows(list: string): number {
  const choice = storedPageSize()
  return choice === 'fit' ? fittingRows(list) : choice
}

/** @param list what is remembered of how many rows fit is remembered for this list */
export function usePageSize(list: string): PageSize {
  const [choice, setChoice] = useState(storedPageSize)
  const [fitting, setFitting] = useState(() => fittingRows(list))
  return {
    choice,
    rows: choice === 'fit' ? fitting : choice,
    choose: (next) => {
      storePageSize(next)
      setChoice(next)
    },
    fit: setFitting,
  }
}
