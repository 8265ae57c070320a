import { assertDefined } from '../domain/values/assertDefined.ts'
import '@fontsource-variable/inter'
import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/global.css'
import { MantineProvider } from '@mantine/core'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { TrpcProvider } from './shell/calls/TrpcProvider.tsx'
import { theme } from './theme.ts'
import './shell/base.css'

/** Renders the product into the page. */
export function renderProduct(): void {
  createRoot(assertDefined(document.getElementById('root'))).render(
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <TrpcProvider>
        <App />
      </TrpcProvider>
    </MantineProvider>,
  )
}
