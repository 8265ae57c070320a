import { useEffect } from 'react'
import { useSelection } from '../selection.ts'
import { connectHub, setFocusedField, setPresence } from './hub.ts'
import { focusedField, pagePosition } from './liveState.ts'

/** Holds the connection for live updates, and reports over it what this page has open. */
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
