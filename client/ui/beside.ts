import { createContext } from 'react'

/** Whether something stands beside a page that has a heading and a title of its own. */
export const IsBeside = createContext(false)
