import { type CodingScheme, isTrust, listCodingSchemes } from '../../domain/lookups/codingSchemes.ts'
import { useCoreData } from '../shell/core.ts'
import { useSelection } from '../shell/selection.ts'

/** Returns whether the selected organisation is a trust, and its coding schemes. The scheme of its statutory returns comes first. */
export function useOrganisationTypeAndSchemes(): { isTrust: boolean; schemes: readonly CodingScheme[] } {
  const { organisations } = useCoreData()
  const { organisationId } = useSelection()
  const organisation = organisations.find((one) => one.id === organisationId)
  return { isTrust: isTrust(organisation?.type), schemes: organisation ? listCodingSchemes(organisation) : [] }
}
