import { createContext } from 'react'

/** Whether the content is shown beside a page that has its own heading and document title. */
export const IsInSidePanelContext = createContext(false)
