import clsx from 'clsx'
import type { ComponentProps } from 'react'
import classes from './Figures.module.css'

/**
 * A table of figures that stand below each other, each row named by its first cell.
 * @param isTight for many columns
 * @param isWords words stand beside the names, not figures
 */
export function Figures({ isTight, isWords, className, ...rest }: ComponentProps<'table'> & { isTight?: boolean; isWords?: boolean }) {
  return <table {...rest} className={clsx(classes.figures, isTight && classes.tight, isWords && classes.words, className)} />
}

/** Whether a column is there, and whether words stand in it. */
interface Column {
  label: string
  isText?: boolean
  isLeftOut?: boolean
}

/** The heads of columns: those of figures stand at the right, those of words at the left. */
export function FigureHead({ columns }: { columns: readonly Column[] }) {
  return (
    <thead>
      <tr>
        {columns
          .filter((one) => !one.isLeftOut)
          .map(({ label, isText }) => (
            <th key={label} scope="col" className={clsx(isText && classes.text)}>
              {label}
            </th>
          ))}
      </tr>
    </thead>
  )
}

/** The head of figures that have a column for each year. @param label what the rows are */
export function YearHead({ label, years }: { label: string; years: readonly string[] }) {
  return (
    <thead>
      <tr>
        <th scope="col" className={classes.text}>
          {label}
        </th>
        {years.map((year) => (
          <th key={year} scope="col">
            {year}
          </th>
        ))}
      </tr>
    </thead>
  )
}
