import { createContext, useContext } from 'react'
import { usePermissionCheck, useTerm } from '../core.ts'
import type { Screen } from './screen.ts'

/** Every screen of the product. A context, because only the root of the client may import all areas. */
export const ScreensContext = createContext<readonly Screen[]>([])

/** Landing pages of the areas that have one; other areas start at their first screen. */
export const areaLandingPaths: Partial<Record<Screen['area'], string>> = { Console: '/console', Administrator: '/administrator' }

/** The screens that the user can open (behaviour B-007). */
export function useScreens(): Screen[] {
  const may = usePermissionCheck()
  return useContext(ScreensContext).filter((screen) => may(screen.view))
}

export function useScreenTitle(): (screen: Pick<Screen, 'title'>) => string {
  const term = useTerm()
  return ({ title }) => (typeof title === 'string' ? term(title).plural : title.text)
}
