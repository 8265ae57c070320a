import { createContext, useContext } from 'react'
import { useMay, useTerm } from '../core.ts'
import type { Screen } from './screen.ts'

/** Every screen of the product, handed down from where the areas are put together. */
export const AllScreens = createContext<readonly Screen[]>([])

/** The page that leads on to the screens of an area, where the area has one; the others begin with their first screen. */
export const areaIndexes: Partial<Record<Screen['area'], string>> = { Console: '/console', Administrator: '/administrator' }

/** The screens a user may open; what may not be used is not shown (behaviour B-007). */
export function useScreens(): Screen[] {
  const may = useMay()
  return useContext(AllScreens).filter((screen) => may(screen.view))
}

export function useTitle(): (screen: Pick<Screen, 'title'>) => string {
  const term = useTerm()
  return ({ title }) => (typeof title === 'string' ? term(title).plural : title.text)
}
