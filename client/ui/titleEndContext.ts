import { createContext } from 'react'

/** The end of every document title, such as ` - Northgate Primary School`, to tell tabs and history entries apart. */
export const TitleEndContext = createContext('')
