import { useEffect } from 'react'
import { useSelection } from '../selection.ts'
import { connectHub, setFocusedField, setPresence } from './hub.ts'
import { focusedField, pagePosition } from './liveState.ts'

/** Keeps the connection for live updates open, and reports what this page shows. */
export function LiveUpdates() {
  const { organisationId } = useSelection()
  const position = pagePosition.use()
  const field = focusedField.use()
  useEffect(() => {
    void connectHub(organisationId)
    return () => void connectHub(null)
  }, [organisationId])
  useEffect(() => setPresence(position), [position])
  useEffect(() => setFocusedField(field), [field])
  return null
}
