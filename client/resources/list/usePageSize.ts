import { useState } from 'react'
import { maximumListRows } from '../../../domain/words/notices.ts'
import { type PageSizeChoice, readPageSize, readRowDensity, rowHeights, storePageSize } from './listState.ts'
import { estimateInitialRows } from './pageFit.ts'

/** The page size of a list, and functions to change it. */
export interface PageSize {
  choice: PageSizeChoice
  rows: number
  choose: (choice: PageSizeChoice) => void
  /** Sets the number of rows measured to fit. */
  fit: (rows: number) => void
  /** The list has one page with all rows, to be printed. */
  isPrinting: boolean
  setPrinting: (isPrinting: boolean) => void
}

const fittingRows = (list: string): number => estimateInitialRows(list, rowHeights[readRowDensity()])

/** Returns the number of rows to request when a list opens. */
export function countInitialRows(list: string): number {
  const choice = readPageSize()
  return choice === 'fit' ? fittingRows(list) : choice
}

/**
 * Returns the chosen page size and the number of rows that it means for a list.
 * @param list the list whose last measurement is used for “As many as fit”
 */
export function usePageSize(list: string): PageSize {
  const [choice, setChoice] = useState(readPageSize)
  const [isPrinting, setPrinting] = useState(false)
  const [fitting, setFitting] = useState(() => fittingRows(list))
  return {
    choice,
    rows: isPrinting ? maximumListRows : choice === 'fit' ? fitting : choice,
    choose: (next) => {
      storePageSize(next)
      setChoice(next)
    },
    fit: setFitting,
    isPrinting,
    setPrinting,
  }
}
