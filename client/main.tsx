import '@fontsource-variable/inter'
import '@mantine/core/styles.css'
import '@mantine/charts/styles.css'
import '@mantine/dates/styles.css'
import '@mantine/dropzone/styles.css'
import '@mantine/notifications/styles.css'
import '@mantine/spotlight/styles.css'
import './app.css'
import { MantineProvider } from '@mantine/core'
import { DatesProvider } from '@mantine/dates'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { queries } from './api/api.ts'
import { theme } from './theme.ts'

createRoot(document.getElementById('root')!).render(
  <MantineProvider theme={theme} defaultColorScheme="auto">
    <DatesProvider settings={{ firstDayOfWeek: 1 }}>
      <QueryClientProvider client={queries}>
        <ModalsProvider>
          <Notifications position="bottom-right" limit={4} />
          <App />
        </ModalsProvider>
      </QueryClientProvider>
    </DatesProvider>
  </MantineProvider>,
)
