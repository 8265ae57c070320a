import { useMay, useTerm } from '../state/core.ts'
import { screens } from './areas.ts'
import type { Screen } from './screens.ts'

/** The screens a user may open; what may not be used is not shown (behaviour B-007). */
export function useScreens(): Screen[] {
  const may = useMay()
  return screens.filter((screen) => may(screen.view))
}

export function useTitle(): (screen: Pick<Screen, 'title'>) => string {
  const term = useTerm()
  return ({ title }) => (typeof title === 'string' ? term(title).plural : title.text)
}
