import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const folder = import.meta.dirname
const componentStyles = /@mantine\/core\/esm\/(?:components|utils)\/.*\/(\w+)\.module\.mjs$/

/** Makes the code of each Mantine component import its styles, so that a page loads only the styles of the components it shows. */
function importComponentStyles(): Plugin {
  return {
    name: 'styles-with-components',
    apply: 'build',
    transform: {
      filter: { id: componentStyles },
      handler(code, id) {
        const component = componentStyles.exec(id)?.[1]
        const styles = `@mantine/core/styles/${component}.css`
        if (!existsSync(join(folder, 'node_modules', styles))) return null
        return { code: `import '${styles}'\n${code}`, map: null }
      },
    },
  }
}

/** Imports all styles of Mantine in development, because Vite bundles Mantine's code in advance, without the plugin above. */
function importAllStyles(): Plugin {
  return {
    name: 'all-styles',
    apply: 'serve',
    transform: {
      filter: { id: /\/client\/product\.tsx$/ },
      handler: (code) => ({ code: `import '@mantine/core/styles.css'\n${code}`, map: null }),
    },
  }
}

const typeface = join(folder, 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')

/** Serves the product's typeface at a fixed address, for the pages that are not part of the client, such as sign-in. */
function serveTypeface(): Plugin {
  return {
    name: 'typeface-outside',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'inter.woff2', source: readFileSync(typeface) })
    },
    configureServer: ({ middlewares }) => void middlewares.use('/inter.woff2', (_req, res) => res.end(readFileSync(typeface))),
  }
}

/** Whether a module may go into a file that many pages share. Modules of parts that load later, such as charts and sheets, may not. */
const isShareable = (id: string): boolean =>
  !/ag-grid|recharts|@mantine\/charts|d3-|victory|redux|reselect|immer|es-toolkit|tiptap|prosemirror|dropzone|decimal.js-light|eventemitter|react-is|file-selector|attr-accept|calculation\/(engines?|staffing|exact)|write-excel|fflate|papaparse|react-transition|resources\/(import|sheets)|domain\/(files|payroll\/files)/.test(
    id,
  )

export default defineConfig({
  root: 'client',
  define: { __VERSION__: JSON.stringify(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version) },
  plugins: [react(), importComponentStyles(), importAllStyles(), serveTypeface()],
  build: {
    target: 'es2022',
    manifest: true,
    reportCompressedSize: false,
    rolldownOptions: {
      input: ['index.html', 'product.tsx'].map((name) => join(folder, 'client', name)),
      // Do not read the icons that nothing shows, which are two thirds of all modules.
      experimental: { lazyBarrel: true },
      output: {
        codeSplitting: {
          groups: [
            // The code that finds out whether somebody is signed in. The sign-in page loads nothing else.
            {
              name: 'session',
              priority: 9,
              test: /oidc-client-ts|jwt-decode|rolldown\/runtime|shell\/session\/session\.ts|vite\/(preload-helper|modulepreload)|client\/(main\.ts|index\.html)$/,
            },
            // The other code of the first screen.
            { name: 'base', priority: 8, tags: ['$initial'] },
            // Dialogs, menus and lists of options, which load once the first screen is shown.
            {
              name: 'overlays',
              priority: 7,
              test: /floating-ui|remove-scroll|@mantine\/(modals|hooks)|client\/ui\/(dialogs\/Dialog|\w+\.module\.css)|words\/notices|awaitedFiles|@mantine\/core\/esm\/components\/(Combobox|Drawer|Menu|Modal|ModalBase|Popover|ScrollArea|Text|Tooltip)\//,
            },
            // Modules that at least 16 pages share, then modules that several lists share: two files instead of sixty small ones.
            { name: 'lists', priority: 6, minShareCount: 16, test: isShareable },
            {
              name: 'tables',
              priority: 5,
              minShareCount: 4,
              test: /@tanstack|client\/ui\/|client\/shell\/(?!images)|resources\/(list\/|\w+\.tsx?)|domain\/(resources\/\w+|monitoring\/figures|reports\/measures\/measures|\w+\/codingSchemes)\.ts|useOrganisationTypeAndSchemes|tabler|@mantine\/(core|hooks)/,
            },
          ],
        },
      },
    },
    // Do not list the imports of every page for preloading, which would add 7 kB to the first screen.
    modulePreload: { resolveDependencies: (_file, dependencies, { hostType }) => (hostType === 'html' ? dependencies : []) },
  },
  // Bundle the packages of all pages when the development server starts: a package found later would reload the page.
  optimizeDeps: { entries: ['index.html', '**/*.tsx', '!dist*/**'] },
  cacheDir: join(folder, '.cache/vite'),
  server: {
    watch: { ignored: ['**/dist/**', '**/dist.new/**'] },
    // Serve only what pages import, because this folder also has secrets. A second working tree may link to the packages of the first.
    fs: { allow: [...['client', 'domain', '.cache/vite'].map((name) => join(folder, name)), realpathSync(join(folder, 'node_modules'))] },
  },
})
