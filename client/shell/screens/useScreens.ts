import { createContext, useContext } from 'react'
import { usePermissionCheck, useTerm } from '../core.ts'
import type { Screen } from './screen.ts'

/** Every screen of the product. It is a context, because only the root of the client may import all areas. */
export const ScreensContext = createContext<readonly Screen[]>([])

/** Paths of the landing pages of areas. An area without one starts at its first screen. */
export const areaLandingPaths: Partial<Record<Screen['area'], string>> = { Console: '/console', Administrator: '/administrator' }

/** Returns the screens that the user can open (behaviour B-007). */
export function useScreens(): Screen[] {
  const may = usePermissionCheck()
  return useContext(ScreensContext).filter((screen) => may(screen.view))
}

export function useScreenTitle(): (screen: Pick<Screen, 'title'>) => string {
  const term = useTerm()
  return ({ title }) => (typeof title === 'string' ? term(title).plural : title.text)
}
