import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { startKitPermissions } from '../../domain/startKits/startKits.ts'
import { usePermissionCheck } from '../shell/core.ts'

/** A button on an empty list of budget codes that leads to the start kits, for users who may add a kit. */
export function StartKitButton() {
  const may = usePermissionCheck()
  if (!startKitPermissions.every((permission) => may([permission]))) return null
  return (
    <Button component={Link} to="/console/coding/budget-codes/start-kit" variant="default" ml="xs">
      Use a start kit
    </Button>
  )
}
