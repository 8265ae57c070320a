import { assertDefined } from '../domain/values/assertDefined.ts'
import '@fontsource-variable/inter'
import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/global.css'
import { MantineProvider } from '@mantine/core'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { Calls } from './shell/calls/Calls.tsx'
import { theme } from './theme.ts'
import { Questions } from './ui/dialogs/Dialog.tsx'
import './shell/base.css'

createRoot(assertDefined(document.getElementById('root'))).render(
  <MantineProvider theme={theme} defaultColorScheme="auto">
    <Calls>
      <Questions>
        <App />
      </Questions>
    </Calls>
  </MantineProvider>,
)
