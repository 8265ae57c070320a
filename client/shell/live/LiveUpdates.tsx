import { useEffect } from 'react'
import { useSelection } from '../selection.ts'
import { connectHub, reportFocusedField, reportPresence } from './hub.ts'
import { focusedField, pagePresence } from './liveState.ts'

/** Keeps the connection for live updates open, and reports what this page shows. */
export function LiveUpdates() {
  const { organisationId } = useSelection()
  const position = pagePresence.use()
  const field = focusedField.use()
  useEffect(() => {
    void connectHub(organisationId)
    return () => void connectHub(null)
  }, [organisationId])
  useEffect(() => reportPresence(position), [position])
  useEffect(() => reportFocusedField(field), [field])
  return null
}
